/* A group's part of the node's memory. */
#include "api/attach/arenas.h"
#include "api/attach/group.h"
#include "api/attach/guarded_transport.h"
#include "internode/mpi/failed_mpi.h"

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

/* A region of which each member of the node has a share. */
struct shared_region {
    const struct strata_group *group;
    struct strata_node_memory *memory; /* the first one in there */
    uint64_t region;
};

static void drop_share(struct shared_region *s, int member)
{
    if (strata_node_memory_leave(s->memory, member)) {
        strata_arena_drop(s->group->arena->arena, s->region);
    }
}

static void drop_share_of(void *self, int rank)
{
    struct shared_region *s = self;
    const struct strata_topology *t = s->group->topology;
    if (t->node_of[rank] == t->node_of[s->group->rank]) {
        drop_share(s, t->local_of[rank]);
    }
}

void strata_group_drop_region(const struct strata_group *g, struct strata_node_memory *memory,
                              uint64_t region)
{
    struct shared_region s = {g, memory, region};
    if (g->transport.endpoints.at) { /* threads, whose process gives back all shares or none */
        strata_arena_drop(g->arena->arena, region);
        return;
    }
    strata_failed_each(g->comm, drop_share_of, &s);
    drop_share(&s, g->topology->local_of[g->rank]); /* last: the memory may now be another's */
}
