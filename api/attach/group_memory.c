/* A group's part of the node's memory. */
#include <unistd.h>

#include "api/attach/arenas.h"
#include "api/attach/group.h"
#include "api/attach/guarded_transport.h"
#include "api/attach/settings.h"
#include "core/base/memory.h"
#include "hier/capacity.h"
#include "internode/mpi/failed_mpi.h"
#include "intranode/near.h"
#include "intranode/pages.h"
#include "intranode/regions.h"

enum { ATTEMPTS = 3 }; /* to take node memory, each of half the size of the last */

int strata_group_nodes_here(const struct strata_group *g)
{
    const int mine = g->topology->node_of[g->rank];
    int nodes = 1;
    for (int node = 0; node < g->topology->nodes; node++) {
        const int first = strata_topology_rank(g->topology, node, 0);
        nodes += node != mine && g->cards[first].host == g->cards[g->rank].host;
    }
    return nodes;
}

int strata_group_find_memory(const struct strata_group *g, uint64_t budget,
                             struct strata_sharing most, strata_take_memory *take, void *context)
{
    const struct strata_config *config = &g->settings->config;
    struct strata_capacity capacity;
    int error = STRATA_ERR_CAPACITY;
    for (int i = 0; error == STRATA_ERR_CAPACITY && budget > 0 && i < ATTEMPTS; i++, budget /= 2) {
        if (strata_capacity_divide(g->topology, (size_t)budget, (size_t)config->threshold,
                                   (int)config->passes, config->check != 0,
                                   &capacity) != STRATA_OK) {
            return STRATA_ERR_CAPACITY;
        }
        if (most.ranks > 1) {
            strata_capacity_add_middle(g->topology, (size_t)budget, &capacity);
        }
        error = take(context, &capacity);
    }
    return error;
}

void strata_group_go_without(struct strata_group *g)
{
    g->arena = NULL;
    g->region_bytes = 0;
    g->capacity = (struct strata_capacity){.passes = 1, .check = g->settings->config.check != 0};
}

int strata_group_meet_readers(struct strata_group *g)
{
    const struct strata_topology *t = g->topology;
    const int members = strata_group_members(g);
    const bool wanted = g->settings->config.single_copy != 0;
    int *world = wanted ? strata_allocate((size_t)members, sizeof *world) : NULL;
    for (int m = 0; world && m < members; m++) {
        const int rank = strata_topology_rank(t, t->node_of[g->rank], m);
        world[m] = g->spawned ? MPI_UNDEFINED : g->world[rank];
    }
    g->readers = world ? strata_readers_create(&g->memory, world) : NULL;
    strata_release(world);
    return g->readers ? STRATA_OK : STRATA_ERR_UNSUPPORTED;
}

void strata_group_read_peers(struct strata_group *g, bool all)
{
    g->capacity.single_copy = all;
    if (all) {
        g->memory.peers = strata_readers_peers(g->readers);
    }
}

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

/* The advice for a region of node memories that lie behind each other. */
struct nearness {
    struct strata_near near;
    struct strata_node_memory_sizes sizes;
    size_t bytes; /* of each */
};

static void lay_near(const void *context, void *region, size_t bytes)
{
    const struct nearness *n = context;
    strata_pages_spread(region, bytes);
    for (size_t at = 0; at + n->bytes <= bytes; at += n->bytes) {
        strata_near_owners(&n->near, (unsigned char *)region + at, &n->sizes, strata_pages_near);
    }
}

/* The domain of each member of this node, and once more in the order of turns. NULL: no memory. */
static int *find_domains(const struct strata_group *g)
{
    const struct strata_topology *t = g->topology;
    const int first = t->first[t->node_of[g->rank]], members = strata_group_members(g);
    int *domain = strata_allocate(2 * (size_t)members, sizeof *domain);
    for (int m = 0; domain && m < members; m++) {
        domain[m] = strata_card_domain(&g->cards[t->rank_at[first + m]]);
        domain[members + m] = strata_card_domain(&g->cards[t->in_turn[first + m]]);
    }
    return domain;
}

int strata_group_take(const struct strata_group *g, struct strata_arena_entry *arena, int memories,
                      uint64_t *region)
{
    const int members = strata_group_members(g);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int *domain = arena->near ? find_domains(g) : NULL;
    const struct nearness nearness = {
        {members, domain, domain ? domain + members : NULL, page}, sizes_of(g), g->region_bytes};
    const struct strata_region_advice advice = {lay_near, &nearness};
    int error = strata_arena_take(arena->arena, (size_t)memories * g->region_bytes, 0, members,
                                  domain ? &advice : NULL, region);
    strata_release(domain);
    return error;
}

void strata_group_furnish(const struct strata_group *g, uint64_t region,
                          struct strata_node_memory *memory)
{
    const struct strata_node_memory_sizes sizes = sizes_of(g);
    strata_node_memory_init(memory, strata_arena_at(g->arena->arena, region),
                            strata_group_members(g), g->topology->local_of[g->rank], &sizes);
    strata_node_memory_wake(memory, g->way == STRATA_WAIT_SPIN ? NULL : strata_wait_wake);
}

void strata_group_move_in(struct strata_group *g)
{
    strata_group_furnish(g, g->region, &g->memory);
    strata_readers_offer(&g->memory);
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
