/* The cost of rounds of flat algorithms among ranks of which several share a node. Some of their
 * messages stay inside the nodes. */
#ifndef STRATA_CORE_COST_ROUND_COST_H
#define STRATA_CORE_COST_ROUND_COST_H

#include "core/cost/machine_cost.h"
#include "core/plan/algorithm.h"
#include "core/plan/formula.h"

/* Whether messages inside nodes are told from those of an adapter that ranks share. Elsewhere all
 * messages are as messages between nodes. */
static inline bool strata_cost_tells_nodes(const struct strata_topology *t,
                                           const struct strata_machine *machine)
{
    return machine->ports > 0 && t->nodes > 1 && t->nodes < t->ranks;
}

/* Adds a round whose blocks have `bytes` bytes each. It ends when the busiest rank has sent. */
void strata_cost_round(struct strata_cost *cost, const struct strata_topology *t,
                       const struct strata_flat_round *round, double bytes,
                       const struct strata_machine *machine);

/* Bytes of the mean block that is not empty. */
double strata_full_block(const struct strata_problem *problem);
/* Makes the cost of messages with such blocks to all ranks that of messages to as many as the
 * problem's degree says: a part of it, and at least one message. */
void strata_cost_few(struct strata_cost *cost, const struct strata_problem *problem,
                     const struct strata_machine *machine);

/* The cost of MPI's own alltoall: one message for each pair of ranks, of which a window is posted
 * at once (the machine's native_window). */
struct strata_cost strata_native_cost(const struct strata_topology *topology, double block_bytes,
                                      const struct strata_machine *machine);

#endif
