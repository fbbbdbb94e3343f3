/* A group's part of the node's memory. */
#include "api/attach/arenas.h"
#include "api/attach/group.h"
#include "api/attach/guarded_transport.h"

static struct strata_node_memory_sizes sizes_of(const struct strata_group *g)
{
    return (struct strata_node_memory_sizes){
        .slot = {g->capacity.slot, g->capacity.small, g->capacity.middle},
        .landing = g->capacity.landing,
        .depth = g->capacity.depth};
}

size_t strata_group_region_bytes(const struct strata_group *g)
{
    const struct strata_node_memory_sizes sizes = sizes_of(g);
    return strata_node_memory_bytes(strata_group_members(g), &sizes);
}

void strata_group_furnish(const struct strata_group *g, uint64_t region,
                          struct strata_node_memory *memory)
{
    const struct strata_node_memory_sizes sizes = sizes_of(g);
    strata_node_memory_init(memory, strata_arena_at(g->arena->arena, region),
                            strata_group_members(g), g->topology->local_of[g->rank], &sizes);
    strata_node_memory_wake(memory, g->way == STRATA_WAIT_SPIN ? NULL : strata_wait_wake);
}

void strata_group_break(struct strata_group *group)
{
    group->broken = true;
    strata_guarded_transport_break(&group->transport);
    if (group->arena) {
        strata_node_memory_break(&group->memory);
    }
}
