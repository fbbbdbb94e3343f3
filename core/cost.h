/* Prices a plan by walking its steps once; no message is sent and no memory of the plan's size
 * used.
 *
 * The plan is priced for blocks of problem->block_bytes bytes each. Messages of one wait overlap:
 * a stage costs ceil(messages / ports) * alpha + bytes * beta / min(messages, ports)
 * + messages * overhead. A rank that awaits a leader's DONE waits for what the leader does, so
 * the busiest rank (rank_to_price) is priced, not an average one. */
#ifndef STRATA_CORE_COST_H
#define STRATA_CORE_COST_H

#include "core/machine.h"
#include "core/plan.h"

struct strata_cost strata_plan_cost(const struct strata_plan *plan, double block_bytes,
                                    const struct strata_machine *machine);

/* The rank whose plan bounds the call: the first member of the first largest node. */
int strata_busiest_rank(const struct strata_topology *topology);

#endif
