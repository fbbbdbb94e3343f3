/* What the lane messages of a call say besides its blocks, kept for the same call made again: the
 * lengths of its items do not change. So they travel once. From then on a message is its items, as
 * long as both ends know it to be, and there is none where they are empty. All ranks keep them from
 * the same call on, or none does. */
#ifndef STRATA_CORE_ENGINE_KEPT_LENGTHS_H
#define STRATA_CORE_ENGINE_KEPT_LENGTHS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/plan/plan.h"

struct strata_kept_lengths {
    bool known;     /* a call was made with them */
    uint32_t *word; /* of the items that come, in the order of their receives; the owner's */
};

/* Whether the plan's messages have any that can be kept: not those of each block, which `check`
 * adds. */
static inline bool strata_keeps_lengths(const struct strata_plan *plan, bool check)
{
    return !strata_plan_over_blocks(plan) && plan->exchange.lane_messages > 0 && !check;
}

/* How many this rank gets in a call, at most. */
static inline size_t strata_kept_words(const struct strata_plan *plan)
{
    const struct strata_topology *t = plan->topology;
    int node = t->node_of[plan->rank], local = t->local_of[plan->rank];
    size_t led = 0;
    for (int lane = 0; lane < plan->exchange.lanes; lane++) {
        led += strata_lane_leader(t, node, lane) == local;
    }
    return led * (size_t)plan->exchange.lane_items * (size_t)plan->limits.passes;
}

#endif
