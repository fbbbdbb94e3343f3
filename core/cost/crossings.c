#include "core/cost/crossings.h"

#include "core/base/memory.h"

int strata_crossings_add(struct strata_crossings *crossings, const struct strata_plan *plan)
{
    const struct strata_topology *t = plan->topology;
    int node = t->node_of[plan->rank], size = strata_topology_node_size(t, node);
    unsigned char *awaited = strata_allocate((size_t)size, sizeof *awaited);
    if (!awaited) {
        return STRATA_ERR_MEMORY;
    }
    strata_plan_awaits(plan, awaited);
    for (int member = 0; member < size; member++) {
        int rank = strata_topology_rank(t, node, member);
        if (rank != plan->rank) {
            /* bit 0 is no signal of this epoch */
            crossings->signals[strata_topology_distance(t, plan->rank, rank)] +=
                __builtin_popcount(awaited[member] >> 1);
        }
    }
    strata_release(awaited);
    return STRATA_OK;
}
