/* A sequence's part of the node's memory. */
#include <string.h>

#include "api/attach/arenas.h"
#include "api/request/beside.h"
#include "api/request/sequence.h"

/* Where later groups, and sequences, find as much again. Offsets are never 0. */
static uint64_t take(const struct strata_group *g)
{
    struct strata_arena *arena = g->arena->arena;
    uint64_t offset = 0;

    if (strata_arena_room(arena) / 2 < g->region_bytes ||
        strata_arena_take(arena, g->region_bytes, 0, strata_group_members(g), &offset) !=
            STRATA_OK) {
        return 0;
    }
    return offset;
}

static void move_in(struct strata_sequence *s, uint64_t region)
{
    s->room.region = region;
    s->room.taken = true;
    strata_group_furnish(s->group, region, &s->room.memory);
    s->room.memory.mates = s->group->memory.mates;
    s->waiter.mates = &s->room.memory;
}

/* A node's first member takes it for all. */
int strata_sequence_ask_room(struct strata_sequence *s)
{
    struct strata_group *g = s->group;
    const struct strata_topology *t = g->topology;
    const int mine = t->node_of[g->rank];
    struct strata_taken *taken = g->taken; /* by node; of each only an offset */
    int node = 0;

    if (s->room.asked || !g->arena) {
        return STRATA_OK;
    }
    s->room.asked = true;
    memset(taken, 0, (size_t)t->nodes * sizeof *taken);
    if (t->local_of[g->rank] == 0) {
        taken[mine].offset = take(g);
    }
    if (strata_agree(taken, 2 * t->nodes, MPI_UINT64_T, MPI_MAX, g->comm) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    while (node < t->nodes && taken[node].offset > 0) {
        node++;
    }
    if (node == t->nodes) {
        move_in(s, taken[mine].offset);
    } else if (taken[mine].offset > 0) {
        strata_arena_drop(g->arena->arena, taken[mine].offset);
    }
    return STRATA_OK;
}

void strata_sequence_break(struct strata_sequence *s)
{
    atomic_store_explicit(&s->broken, true, memory_order_relaxed); /* strata_sequence_broken */
    if (s->room.taken && !s->staged) {
        strata_node_memory_break(&s->room.memory);
    }
}

void strata_sequence_leave_room(struct strata_sequence *s)
{
    if (s->room.taken) {
        strata_arena_drop(s->group->arena->arena, s->room.region);
    }
    s->room = (struct strata_sequence_room){.asked = false};
    s->waiter.mates = NULL;
}
