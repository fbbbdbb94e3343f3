/* A sequence's parts of the node's memory. */
#include <string.h>

#include "api/attach/arenas.h"
#include "api/request/beside.h"
#include "api/request/sequence.h"

/* As many as there may be, or one; and so many that later groups, and sequences, find as much
 * again. Offsets are never 0. */
static struct strata_taken take(const struct strata_group *g)
{
    struct strata_arena *arena = g->arena->arena;
    struct strata_taken taken = {0, STRATA_SEQUENCE_ROOMS};

    while (taken.status > 0 && taken.offset == 0) {
        size_t bytes = (size_t)taken.status * g->region_bytes;
        if (strata_arena_room(arena) / 2 < bytes ||
            strata_arena_take(arena, bytes, 0, strata_group_members(g), &taken.offset) !=
                STRATA_OK) {
            taken = (struct strata_taken){0, taken.status - 1};
        }
    }
    return taken;
}

static void move_in(struct strata_sequence *s, unsigned count, uint64_t region)
{
    s->rooms.region = region;
    s->rooms.count = count;
    for (unsigned i = 0; i < count; i++) {
        struct strata_node_memory *memory = &s->rooms.memory[i];
        strata_group_furnish(s->group, region + i * s->group->region_bytes, memory);
        memory->mates = s->group->memory.mates;
    }
}

/* A node's first member takes them for all. */
int strata_sequence_ask_rooms(struct strata_sequence *s)
{
    struct strata_group *g = s->group;
    const struct strata_topology *t = g->topology;
    const int mine = t->node_of[g->rank];
    struct strata_taken *taken = g->taken; /* by node */
    int64_t count = STRATA_SEQUENCE_ROOMS;

    if (s->rooms.asked || !g->arena) {
        return STRATA_OK;
    }
    s->rooms.asked = true;
    memset(taken, 0, (size_t)t->nodes * sizeof *taken);
    if (t->local_of[g->rank] == 0) {
        taken[mine] = take(g);
    }
    if (strata_agree(taken, 2 * t->nodes, MPI_UINT64_T, MPI_MAX, g->comm) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    for (int node = 0; node < t->nodes; node++) {
        count = taken[node].status < count ? taken[node].status : count;
    }
    if (count > 0) {
        move_in(s, (unsigned)count, taken[mine].offset);
    } else if (taken[mine].offset > 0) {
        strata_arena_drop(g->arena->arena, taken[mine].offset);
    }
    return STRATA_OK;
}

void strata_sequence_break(struct strata_sequence *s)
{
    atomic_store_explicit(&s->broken, true, memory_order_relaxed); /* strata_sequence_broken */
    for (unsigned i = 0; i < s->rooms.count; i++) {
        if (!s->rooms.open[i]) {
            strata_node_memory_break(&s->rooms.memory[i]);
        }
    }
}

bool strata_sequence_lost(const struct strata_sequence *s, const struct strata_node_memory *memory)
{
    bool lost = false;

    for (unsigned i = 0; i < s->rooms.count && !lost; i++) {
        const struct strata_node_memory *room = &s->rooms.memory[i];
        lost = (!memory || memory == room) && strata_node_memory_broken(room);
    }
    return lost;
}

void strata_sequence_leave_rooms(struct strata_sequence *s)
{
    if (s->rooms.count > 0) {
        strata_arena_drop(s->group->arena->arena, s->rooms.region);
    }
    s->rooms = (struct strata_sequence_rooms){.asked = false};
}
