/* Lengths that the lane messages of a call bring besides its blocks, kept for the same call made
 * again, whose items have the same lengths. So lengths travel once. From then on a message consists
 * of its items alone, with the length that both ends know, and there is no message where all items
 * are empty. Either all ranks keep the lengths from the same call on, or none does. */
#ifndef STRATA_CORE_ENGINE_KEPT_LENGTHS_H
#define STRATA_CORE_ENGINE_KEPT_LENGTHS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/plan/plan.h"

struct strata_kept_lengths {
    bool known; /* a call has filled the lengths in */
    /* Length words of the items that come, in the order of their receives; the caller owns them. */
    uint32_t *word;
};

/* Whether the plan's messages have lengths that can be kept. The lengths of single blocks, which
 * `check` adds, cannot. */
static inline bool strata_keeps_lengths(const struct strata_plan *plan, bool check)
{
    return !strata_plan_over_blocks(plan) && plan->exchange.lane_messages > 0 && !check;
}

/* The number of length words that this rank receives in a call, at most. */
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
