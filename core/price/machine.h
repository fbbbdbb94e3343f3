/* A machine as the cost model sees it, and what a call costs on it.
 *
 * Hockney's alpha and beta between nodes with k ports, a processor cost for each message (the o of
 * LogP), and inside a node the cost of copies and signals. Times in seconds. */
#ifndef STRATA_CORE_PRICE_MACHINE_H
#define STRATA_CORE_PRICE_MACHINE_H

#include <stddef.h>

#include "core/base/error.h"

/* One row declares a parameter: field, name in text, meaning with its unit. */
#define STRATA_MACHINE_TABLE(ROW)                                                                  \
    ROW(alpha, "start-up time of a message between nodes, s")                                      \
    ROW(beta, "time of a byte between nodes, s")                                                   \
    ROW(alpha_node, "start-up time of a message inside a node, s")                                 \
    ROW(beta_node, "time of a byte in a message inside a node, s")                                 \
    ROW(overhead, "processor time for each message sent or received, s")                           \
    ROW(copy, "time to copy a byte, s")                                                            \
    ROW(copy_block, "time for each block copied, whatever its size, s")                            \
    ROW(signal, "time from publishing a flag to its being seen, s")                                \
    ROW(reduce, "time to combine a byte of two operands (gamma), s")                               \
    ROW(tau, "what each further message sent at once adds, as a part of the first one's time")     \
    ROW(ports, "messages that a node can have under way at once at full speed")

struct strata_machine {
    char name[32];
#define STRATA_MACHINE_FIELD(field, meaning) double field;
    STRATA_MACHINE_TABLE(STRATA_MACHINE_FIELD)
#undef STRATA_MACHINE_FIELD
    double
        contenders; /* ranks of a node that send at the same time and share its ports; less than 1
                       counts as 1 */
};

/* The machine as a rank sees it while that many ranks of its node send too. */
static inline struct strata_machine strata_machine_contended(const struct strata_machine *machine,
                                                             double contenders)
{
    struct strata_machine contended = *machine;
    contended.contenders = contenders;
    return contended;
}

/* What a call costs one rank. Sums of counts and of time; time = the five parts added up. */
struct strata_cost {
    double messages, messages_node; /* sent, to other nodes and inside the node */
    double bytes, bytes_node;       /* of these messages, headers included */
    double copied;                  /* bytes copied by this rank */
    double blocks;                  /* pieces that the copies consist of */
    double signals;                 /* flags awaited */
    double reduced;                 /* bytes combined by this rank */
    double time_start, time_wire, time_copy, time_signal, time_reduce; /* seconds */
};

double strata_cost_time(const struct strata_cost *cost);

/* What prices are made of. Adding up: a rank's plan priced step by step and an algorithm's closed
 * form use the same four, so they agree.
 * A stage: `messages` sent to other nodes, and as many received, between two waits; bytes sent. */
void strata_cost_stage(struct strata_cost *cost, double messages, double bytes,
                       const struct strata_machine *machine);
/* The same inside the node. */
void strata_cost_stage_node(struct strata_cost *cost, double messages, double bytes,
                            const struct strata_machine *machine);
/* bytes copied in `blocks` pieces. */
void strata_cost_copy(struct strata_cost *cost, double bytes, double blocks,
                      const struct strata_machine *machine);
/* `flags` awaited one after another. */
void strata_cost_signal(struct strata_cost *cost, double flags,
                        const struct strata_machine *machine);
/* `flags` published at the same time and read in one sweep. */
void strata_cost_sweep(struct strata_cost *cost, double flags,
                       const struct strata_machine *machine);
/* bytes combined with as many others. */
void strata_cost_reduce(struct strata_cost *cost, double bytes,
                        const struct strata_machine *machine);
/* The whole, `times` times over. */
void strata_cost_scale(struct strata_cost *cost, double times);
/* Adds `more` to cost. */
void strata_cost_add(struct strata_cost *cost, const struct strata_cost *more);
/* Known machines, for `strata list machines`; NULL after the last. */
const struct strata_machine *strata_machine_at(int index);

/* "name" or "name:alpha=1e-6,ports=2"; unknown names and parameters are listed in message. */
int strata_machine_parse(const char *text, struct strata_machine *machine,
                         struct strata_diagnostic *message);

#endif
