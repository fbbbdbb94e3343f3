/* Exchanges by digits of the distance, for algorithms that are made of them: flat over ranks, or on
 * each lane over nodes. SLOAV and its kin differ in radix, in messages at once, and in whether
 * lengths travel apart. */
#ifndef STRATA_INTERNODE_ALLTOALL_SLOAV_ROUNDS_H
#define STRATA_INTERNODE_ALLTOALL_SLOAV_ROUNDS_H

#include "core/cost/machine_cost.h"
#include "core/plan/algorithm.h"

/* How the exchange is cut into messages; the same on all ranks. A radix of `nodes` or more sends
 * each item straight to its destination. */
struct strata_sloav {
    int nodes;
    int radix;      /* >= 2 */
    int batch;      /* most messages of a digit, on a lane, between two waits; 0: all of them */
    bool two_phase; /* lengths go first, then the items in a message of exactly their length */
    /* For costs of an exchange of ranks: where the ranks are. NULL: on nodes of their own. */
    const struct strata_topology *placed;
};

struct strata_sloav_lanes {
    const struct strata_topology *topology; /* the nodes that exchange; flat: every rank its own */
    int rank;
    int lanes; /* number of lanes; this rank runs those that it leads on its node */
    struct strata_sloav sloav;
};

/* The largest group of messages between two waits. */
struct strata_stage {
    int messages;
    int64_t items;
};

/* Counts the messages and items that a leader sends, and receives, on one lane, in closed form. */
void strata_sloav_volume(const struct strata_sloav *sloav, struct strata_exchange *exchange,
                         struct strata_stage *stage);

/* Appends index, rounds and waits for all lanes that the rank leads. */
void strata_sloav_rounds(struct strata_builder *b, const struct strata_sloav_lanes *rounds);

/* The cost of these rounds for a rank that leads `led` lanes, with items of `bytes` bytes in
 * `pieces` blocks. Copies are those into messages. */
struct strata_cost strata_sloav_cost(const struct strata_sloav *sloav, int led, double bytes,
                                     double pieces, const struct strata_machine *machine);

/* The flat alltoallv that is cut like this: an algorithm's applicable, build and cost. */
const char *strata_sloav_refusal(const struct strata_problem *problem,
                                 const struct strata_sloav *sloav);
void strata_sloav_build(const struct strata_problem *problem, const struct strata_sloav *sloav,
                        struct strata_builder *b);
struct strata_cost strata_sloav_plan_cost(const struct strata_problem *problem,
                                          const struct strata_sloav *sloav,
                                          const struct strata_machine *machine);

/* Defines an algorithm's applicable, build and cost; sloav_of(problem) says how the exchange is
 * cut. */
#define STRATA_SLOAV_FUNCTIONS(sloav_of)                                                           \
    static const char *applicable(const struct strata_problem *problem)                            \
    {                                                                                              \
        struct strata_sloav sloav = sloav_of(problem);                                             \
        return strata_sloav_refusal(problem, &sloav);                                              \
    }                                                                                              \
                                                                                                   \
    static void build(const struct strata_problem *problem, struct strata_builder *b)              \
    {                                                                                              \
        struct strata_sloav sloav = sloav_of(problem);                                             \
        strata_sloav_build(problem, &sloav, b);                                                    \
    }                                                                                              \
                                                                                                   \
    static struct strata_cost cost(const struct strata_problem *problem,                           \
                                   const struct strata_machine *machine)                           \
    {                                                                                              \
        struct strata_sloav sloav = sloav_of(problem);                                             \
        return strata_sloav_plan_cost(problem, &sloav, machine);                                   \
    }

#endif
