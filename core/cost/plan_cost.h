/* Estimates the cost of a plan by walking its steps once. No message is sent, and no memory of the
 * plan's size is used.
 *
 * The estimate is for blocks of block_bytes bytes each or, where blocks are segments of one vector,
 * for a vector of block_bytes bytes. Messages between two waits overlap: they are a stage, whose
 * cost core/cost/machine_cost.c states. A rank that awaits a leader's DONE waits for the leader's
 * work, so the estimate is of the busiest rank, not of an average one. */
#ifndef STRATA_CORE_COST_PLAN_COST_H
#define STRATA_CORE_COST_PLAN_COST_H

#include "core/cost/machine_cost.h"
#include "core/plan/plan.h"

/* By the plan's own topology. A flat plan sees every rank on a node of its own; machine->contenders
 * are the ranks that share its node's ports. */
struct strata_cost strata_plan_cost(const struct strata_plan *plan, double block_bytes,
                                    const struct strata_machine *machine);
/* By the topology of the communicator, where the machine tells messages inside nodes from those of
 * an adapter that ranks share: of a flat plan all ranks of a node count as sending at once, of a
 * plan over blocks in node memory so many leaders. */
struct strata_cost strata_plan_cost_on(const struct strata_plan *plan, double block_bytes,
                                       const struct strata_machine *machine,
                                       const struct strata_topology *topology, double leaders);

#endif
