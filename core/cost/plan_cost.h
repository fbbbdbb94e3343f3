/* Estimates what a plan costs by walking its steps once; no message is sent and no memory of the
 * plan's size used.
 *
 * The plan is estimated for blocks of block_bytes bytes each; where blocks are segments of one
 * vector, for a vector of block_bytes bytes. Messages between two waits overlap; they are a stage,
 * whose cost core/cost/machine_cost.c states. A rank that awaits a leader's DONE waits for what the
 * leader does, so the busiest rank is estimated, not an average one. Messages are estimated by the
 * plan's own topology: a flat plan sees every rank on a node of its own; the ranks that share a
 * node's ports with it are machine->contenders. */
#ifndef STRATA_CORE_COST_PLAN_COST_H
#define STRATA_CORE_COST_PLAN_COST_H

#include "core/cost/machine_cost.h"
#include "core/plan/plan.h"

struct strata_cost strata_plan_cost(const struct strata_plan *plan, double block_bytes,
                                    const struct strata_machine *machine);

/* The rank whose plan bounds the call: the first member of the first largest node. */
int strata_busiest_rank(const struct strata_topology *topology);

#endif
