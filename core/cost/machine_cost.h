/* What a call costs on a machine, and what costs are made of. */
#ifndef STRATA_CORE_COST_MACHINE_COST_H
#define STRATA_CORE_COST_MACHINE_COST_H

#include "core/cost/machine.h"
#include "core/topology/topology.h"

/* What a call costs one rank. Sums of counts and of time; time = the five parts added up. */
struct strata_cost {
    double messages;      /* sent to other nodes */
    double messages_node; /* sent inside the node */
    double bytes;         /* sent to other nodes, headers included */
    double bytes_node;    /* sent inside the node, headers included */
    double copied;        /* bytes copied by this rank */
    double blocks;        /* pieces that the copies consist of */
    double signals;       /* flags awaited */
    double lines;         /* line transfers one after another, those of flags among them */
    double reduced;       /* bytes combined by this rank */
    double time_start;    /* seconds for starting messages */
    double time_wire;     /* seconds for the bytes of messages */
    double time_copy;     /* seconds for copies */
    double time_signal;   /* seconds for signals and lines */
    double time_reduce;   /* seconds for combining */
};

double strata_cost_time(const struct strata_cost *cost);

/* A rank's plan estimated step by step and an algorithm's closed form add up the same kinds of
 * work, so they agree. A stage: `messages` sent to other nodes, and as many received, between two
 * waits; bytes sent. */
void strata_cost_stage(struct strata_cost *cost, double messages, double bytes,
                       const struct strata_machine *machine);
/* The same inside the node. */
void strata_cost_stage_node(struct strata_cost *cost, double messages, double bytes,
                            const struct strata_machine *machine);
/* One rank receives so many messages in all, which no others do for it: where cores move the bytes
 * of messages it takes at least its own part. */
void strata_cost_take(struct strata_cost *cost, double messages, double bytes,
                      const struct strata_machine *machine);
/* bytes copied in `blocks` pieces. */
void strata_cost_copy(struct strata_cost *cost, double bytes, double blocks,
                      const struct strata_machine *machine);
/* The same out of other ranks' own memory. */
void strata_cost_fetch(struct strata_cost *cost, double bytes, double blocks,
                       const struct strata_machine *machine);
/* A rank's own block, which is as near as what it has mapped. */
void strata_cost_fetch_own(struct strata_cost *cost, double bytes,
                           const struct strata_machine *machine);
/* Waits for the last one of those with which it shares cores. */
void strata_cost_turn(struct strata_cost *cost, const struct strata_machine *machine);
/* `flags` awaited one after another. */
void strata_cost_signal(struct strata_cost *cost, double flags,
                        const struct strata_machine *machine);
/* `flags` published at the same time and read in one sweep. */
void strata_cost_sweep(struct strata_cost *cost, double flags,
                       const struct strata_machine *machine);
/* So many further lines of local peers' memory read, one after another (core/cost/lines.h). */
void strata_cost_lines(struct strata_cost *cost, double lines,
                       const struct strata_machine *machine);
/* bytes combined with as many others. */
void strata_cost_reduce(struct strata_cost *cost, double bytes,
                        const struct strata_machine *machine);
/* The same with operands out of other ranks' own memory, in so many blocks. */
void strata_cost_reduce_fetched(struct strata_cost *cost, double bytes, double blocks,
                                const struct strata_machine *machine);
/* The whole, `times` times over. */
void strata_cost_scale(struct strata_cost *cost, double times);
/* Adds `more` to cost. */
void strata_cost_add(struct strata_cost *cost, const struct strata_cost *more);

/* MPI's own collective, as far as can be known: one message for each pair, all posted at once. */
struct strata_cost strata_native_cost(const struct strata_topology *topology, double block_bytes,
                                      const struct strata_machine *machine);

#endif
