/* The node memories of a sequence. */
#include <string.h>

#include "api/attach/arenas.h"
#include "api/attach/sequence.h"
#include "api/process/agree.h"
#include "api/process/by_mpi.h"

enum { AS_MUCH_AGAIN = 2 }; /* stays for others */

struct strata_taken strata_sequence_take_region(const struct strata_group *g, size_t part)
{
    struct strata_arena *arena = g->arena->arena;
    struct strata_taken taken = {0, STRATA_SEQUENCE_MEMORIES};
    while (taken.status > 0 && taken.offset == 0) {
        size_t bytes = (size_t)taken.status * g->region_bytes;
        if (strata_arena_largest(arena) / part < bytes ||
            strata_group_take(g, g->arena, (int)taken.status, &taken.offset) != STRATA_OK) {
            taken = (struct strata_taken){0, taken.status - 1};
        }
    }
    return taken;
}

/* A region that a sequence takes. */
struct moving {
    struct strata_sequence *sequence;
    unsigned count;
    uint64_t region;
};

static int do_move_in(void *argument)
{
    const struct moving *m = argument;
    struct strata_sequence *s = m->sequence;
    strata_requests_lock();
    s->memories.region = m->region;
    s->memories.count = m->count;
    for (unsigned i = 0; i < m->count; i++) {
        struct strata_node_memory *memory = &s->memories.memory[i];
        strata_group_furnish(s->group, m->region + i * s->group->region_bytes, memory);
        memory->peers = s->group->memory.peers;
    }
    if (strata_sequence_broken(s)) {
        strata_sequence_break(s);
    }
    strata_requests_unlock();
    return STRATA_OK;
}

/* A rank that is out of step says so in them from the first epoch on. */
void strata_sequence_move_in(struct strata_sequence *s, unsigned count, uint64_t region)
{
    struct moving moving = {s, count, region};
    (void)strata_by_mpi(do_move_in, &moving);
}

/* Drops so many of the region's users, none of whom has begun an epoch. */
static void give_back(struct strata_sequence *s, uint64_t region, int64_t epochs)
{
    strata_requests_lock();
    s->memories = (struct strata_sequence_memories){.tried = s->memories.tried};
    strata_requests_unlock();
    for (int64_t i = 0; region > 0 && i < epochs; i++) {
        strata_arena_drop(s->group->arena->arena, region);
    }
}

/* A node's first member takes a region for all its members, and tells them. False: MPI failed, and
 * only the member that took a region knows it. */
static bool tell_regions(struct strata_group *g, uint64_t *region)
{
    const struct strata_topology *t = g->topology;
    struct strata_taken *mine = &g->taken[t->node_of[g->rank]];
    bool heard;
    memset(g->taken, 0, (size_t)t->nodes * sizeof *g->taken);
    if (t->local_of[g->rank] == 0) {
        *mine = strata_sequence_take_region(g, AS_MUCH_AGAIN);
    }
    *region = mine->offset;
    heard = strata_group_agree(g, g->taken, 2 * t->nodes, MPI_UINT64_T, MPI_MAX) == MPI_SUCCESS;
    *region = heard ? mine->offset : *region;
    return heard;
}

int64_t strata_sequence_least_taken(const struct strata_group *g)
{
    int64_t count = STRATA_SEQUENCE_MEMORIES;
    for (int node = 0; node < g->topology->nodes; node++) {
        count = g->taken[node].status < count ? g->taken[node].status : count;
    }
    return count;
}

/* Counts the members who have not heard, on this rank's node and on all nodes. False: MPI failed
 * again. */
static bool count_deaf(struct strata_sequence *s, bool heard, int64_t *here, int64_t *all)
{
    const struct strata_group *g = s->group;
    const int nodes = g->topology->nodes;
    struct strata_taken *mine = &g->taken[g->topology->node_of[g->rank]];
    memset(g->taken, 0, (size_t)nodes * sizeof *g->taken);
    mine->status = !heard;
    if (strata_sequence_agree(s, g->taken, 2 * nodes, MPI_UINT64_T, MPI_SUM) != MPI_SUCCESS) {
        return false;
    }
    *here = mine->status;
    *all = 0;
    for (int node = 0; node < nodes; node++) {
        *all += g->taken[node].status;
    }
    return true;
}

/* If a rank has not heard, no rank has node memories. A rank that has heard drops its own use of
 * the region. The first member of a node also drops those of the members who have not heard, for
 * they do not know the region. */
int strata_sequence_take_memories(struct strata_sequence *s)
{
    struct strata_group *g = s->group;
    uint64_t region;
    int64_t count, here, all;
    bool heard;
    if (s->memories.tried || !g->arena) {
        return STRATA_OK;
    }
    heard = tell_regions(g, &region);
    count = heard ? strata_sequence_least_taken(g) : 0;
    if (count > 0) {
        strata_sequence_move_in(s, (unsigned)count, region);
    }
    if (!count_deaf(s, heard, &here, &all)) {
        s->memories.tried = heard; /* as on the other ranks, unless MPI failed one of them, too */
        return STRATA_ERR_TRANSPORT;
    }
    s->memories.tried = all == 0;
    if (all > 0 || count == 0) {
        give_back(s, region, heard + (g->topology->local_of[g->rank] == 0 ? here : 0));
    }
    return all == 0 ? STRATA_OK : STRATA_ERR_TRANSPORT;
}

int strata_sequence_agree(struct strata_sequence *s, void *words, int count, MPI_Datatype type,
                          MPI_Op op)
{
    int error = strata_group_agree(s->group, words, count, type, op);
    if (error != MPI_SUCCESS) {
        strata_sequence_step_out(s);
    }
    return error;
}

static int do_step_out(void *sequence)
{
    strata_requests_lock();
    strata_sequence_break(sequence);
    strata_requests_unlock();
    return STRATA_OK;
}

/* A thread that had the lock first would wait for one that may call MPI, and that one for the
 * lock. */
void strata_sequence_step_out(struct strata_sequence *s)
{
    (void)strata_by_mpi(do_step_out, s);
}

void strata_sequence_break(struct strata_sequence *s)
{
    atomic_store_explicit(&s->broken, true, memory_order_relaxed); /* strata_sequence_broken */
    strata_transport_mpi_break(&s->transport[0]);
    for (unsigned i = 0; i < s->memories.count; i++) {
        if (!s->memories.open[i]) {
            strata_node_memory_break(&s->memories.memory[i]);
        }
    }
}

bool strata_sequence_lost(const struct strata_sequence *s, const struct strata_node_memory *memory)
{
    bool lost = false;
    for (unsigned i = 0; i < s->memories.count && !lost; i++) {
        const struct strata_node_memory *memory_index = &s->memories.memory[i];
        lost = (!memory || memory == memory_index) && strata_node_memory_broken(memory_index);
    }
    return lost;
}

void strata_sequence_drop_memories(struct strata_sequence *s)
{
    if (s->memories.count > 0) {
        strata_group_drop_region(s->group, &s->memories.memory[0], s->memories.region);
    }
    s->memories = (struct strata_sequence_memories){.tried = false};
}
