/* Making the threads of a part members of collectives: what its ranks do together, top to bottom.
 * Each rank's calling thread does it for all of its threads. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "api/attach/arenas.h"
#include "api/attach/guarded_transport.h"
#include "api/attach/members.h"
#include "api/attach/sequence.h"
#include "api/attach/settings.h"
#include "api/process/thread_wait.h"
#include "core/base/memory.h"

#ifndef STRATA_SIMULATED

enum { PART = 8 }; /* as for further communicators in group_setup.c */

static int agree(const struct strata_members_part *p, int status)
{
    return strata_members_worst(status, p->comms[0]);
}

/* Of the rank on which an endpoint is, its number among all. */
static int rank_of(const struct strata_members_part *p, int endpoint)
{
    return p->on[p->at[endpoint].rank];
}

/* Makes the communicators that the pairs of two ranks' endpoints need. */
static int make_comms(struct strata_members_part *p)
{
    const int wanted = (p->most * p->most + STRATA_ENDPOINT_PAIRS - 1) / STRATA_ENDPOINT_PAIRS;
    MPI_Comm *comms = strata_reallocate(p->comms, (size_t)wanted, sizeof *comms);
    p->comms = comms ? comms : p->comms; /* the old array is gone */
    int error = agree(p, comms ? STRATA_OK : STRATA_ERR_MEMORY);
    while (error == STRATA_OK && p->ncomms < wanted) {
        MPI_Comm *made = &p->comms[p->ncomms];
        if (strata_private_communicator(p->comms[0], made) != MPI_SUCCESS) {
            return STRATA_ERR_TRANSPORT;
        }
        PMPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN);
        p->ncomms++;
    }
    return error;
}

/* Each endpoint's node, package, domain and cache are those of its rank. */
static int spread_topology(const struct strata_members_part *p, struct strata_topology **topology)
{
    const struct strata_topology *ranks = p->members->base->topology;
    const size_t total = (size_t)p->total;
    int *colours = strata_allocate((2 + STRATA_INNER_LEVELS) * total, sizeof *colours);
    struct strata_inner_colours inner = {{NULL}, NULL};
    int error = STRATA_ERR_MEMORY;
    if (colours) {
        for (int level = 0; level < STRATA_INNER_LEVELS; level++) {
            inner.of[level] = ranks->known[level] ? colours + (1 + level) * total : NULL;
        }
        int *near = colours + (1 + STRATA_INNER_LEVELS) * total;
        inner.near = ranks->near ? near : NULL;
        for (size_t e = 0; e < total; e++) {
            const int rank = rank_of(p, (int)e);
            colours[e] = ranks->node_of[rank];
            near[e] = ranks->near && ranks->near[rank];
            for (int level = 0; level < STRATA_INNER_LEVELS; level++) {
                colours[(1 + level) * total + e] = ranks->inner_of[level][rank];
            }
        }
        error = strata_topology_from_colours(p->total, colours, &inner, topology);
    }
    strata_release(colours);
    return error;
}

/* Threads of this host's ranks on it, of all parts, and processes of others. */
static int threads_here(const struct strata_members *m)
{
    const struct strata_group *base = m->base;
    int ranks = 0, threads = 0;
    for (int r = 0; r < base->ranks; r++) {
        if (base->cards[r].host == base->cards[base->rank].host) {
            ranks++;
            threads += m->first_of[r + 1] - m->first_of[r];
        }
    }
    return threads + (base->here > ranks ? base->here - ranks : 0);
}

/* Finds how the threads of this host wait. */
static void find_way(const struct strata_members_part *p, struct strata_group *g)
{
    const double each = (double)threads_here(p->members) / g->placement.cpus;
    g->way = strata_wait_told(g->settings->config.wait);
    const bool told = g->way != STRATA_WAIT_WAYS;
    if (!told) {
        g->way = each <= 1                                             ? STRATA_WAIT_SPIN
                 : g->placement.yields || p->members->base->mpi_yields ? STRATA_WAIT_YIELD
                                                                       : STRATA_WAIT_SLEEP;
    }
    strata_thread_wait_so(g->way);
    g->sharing.ranks = g->way == STRATA_WAIT_SPIN ? 0 : told ? fmax(each, 2) : each;
}

static int make_group(struct strata_members_part *p, struct strata_thread *thread)
{
    const struct strata_group *base = p->members->base;
    struct strata_group *g = strata_allocate(1, sizeof *g);
    const size_t total = (size_t)p->total;
    thread->group = g;
    if (!g) {
        return STRATA_ERR_MEMORY;
    }
    for (int i = 0; i < STRATA_TELLINGS; i++) {
        g->telling[i].request = MPI_REQUEST_NULL;
    }
    g->comm = MPI_COMM_NULL;
    g->thread = thread;
    g->rank = thread->number;
    g->ranks = p->total;
    g->spawned = base->spawned;
    g->settings = base->settings;
    g->placement = base->placement;
    g->emulated = base->emulated;
    g->here = threads_here(p->members);
    g->measured = base->measured;
    g->users = 1;
    g->world = strata_allocate(total, sizeof *g->world);
    g->cards = strata_allocate(total, sizeof *g->cards);
    g->taken = strata_allocate(total, sizeof *g->taken);
    g->sequence = strata_sequence_create();
    if (!g->world || !g->cards || !g->taken || !g->sequence) {
        return STRATA_ERR_MEMORY;
    }
    for (int e = 0; e < p->total; e++) {
        g->world[e] = base->world[rank_of(p, e)];
        g->cards[e] = base->cards[rank_of(p, e)];
    }
    find_way(p, g);
    int error = spread_topology(p, &g->topology);
    return error == STRATA_OK ? strata_topology_flat(p->total, &g->flat) : error;
}

static int make_groups(struct strata_members_part *p)
{
    int error = STRATA_OK;
    for (int t = 0; error == STRATA_OK && t < p->threads; t++) {
        error = make_group(p, p->all[t]);
    }
    return error;
}

static struct strata_group *group_of(const struct strata_members_part *p, int thread)
{
    return p->all[thread]->group;
}

static void join_messages(struct strata_members_part *p, struct strata_group *g)
{
    const struct strata_endpoints all = {.comm = p->comms[0],
                                         .count = p->total,
                                         .tags = p->most,
                                         .mine = p->at[g->rank],
                                         .at = p->at,
                                         .further = p->ncomms > 1 ? p->comms + 1 : NULL};
    g->comm = p->comms[0];
    g->messages = p->members->level == MPI_THREAD_MULTIPLE ? &strata_transport_mpi
                                                           : &strata_guarded_transport;
    strata_transport_mpi_init(&g->transport, &all, 0);
}

/* The bytes that every node can have, and the most crowded host. */
static int agree_budget(struct strata_members_part *p, uint64_t *budget,
                        struct strata_sharing *most)
{
    const struct strata_group *g = group_of(p, 0);
    int64_t word[3] = {0, -(int64_t)(100 * g->sharing.ranks), INT64_MAX};
    if (p->members->base->arena) {
        word[0] = (int64_t)(strata_arena_largest(p->members->base->arena->arena) / PART /
                            (size_t)strata_group_nodes_here(g));
    }
    if (PMPI_Allreduce(MPI_IN_PLACE, word, 3, MPI_INT64_T, MPI_MIN, p->comms[0]) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    *budget = (uint64_t)word[0];
    *most = (struct strata_sharing){.ranks = -(double)word[1] / 100};
    return STRATA_OK;
}

/* All of a rank's endpoints are on one node. The rank of a node's first endpoint takes what the
 * node's endpoints share, and tells all the part's ranks. */
static int take_and_tell(struct strata_members_part *p,
                         struct strata_taken (*take)(struct strata_members_part *p))
{
    struct strata_group *g = group_of(p, 0);
    const struct strata_topology *t = g->topology;
    const int node = t->node_of[g->rank];
    memset(g->taken, 0, (size_t)t->nodes * sizeof *g->taken);
    if (rank_of(p, strata_topology_rank(t, node, 0)) == p->members->base->rank) {
        g->taken[node] = take(p);
    }
    return PMPI_Allreduce(MPI_IN_PLACE, g->taken, 2 * t->nodes, MPI_UINT64_T, MPI_MAX,
                          p->comms[0]) == MPI_SUCCESS
               ? STRATA_OK
               : STRATA_ERR_TRANSPORT;
}

/* What this rank's node has taken. */
static struct strata_taken taken_here(const struct strata_members_part *p)
{
    const struct strata_group *g = group_of(p, 0);
    return g->taken[g->topology->node_of[g->rank]];
}

static struct strata_taken take_region(struct strata_members_part *p)
{
    struct strata_taken taken = {0, STRATA_OK};
    taken.status = strata_group_take(group_of(p, 0), p->members->base->arena, 1, &taken.offset);
    return taken;
}

static int worst_taken(const struct strata_group *g)
{
    int64_t worst = STRATA_OK;
    for (int node = 0; node < g->topology->nodes; node++) {
        worst = g->taken[node].status > worst ? g->taken[node].status : worst;
    }
    return (int)worst;
}

/* Drops this rank's endpoints' uses of the region. */
static void leave(const struct strata_members_part *p, uint64_t region)
{
    for (int t = 0; region > 0 && t < p->threads; t++) {
        strata_arena_drop(p->members->base->arena->arena, region);
    }
}

static void move_in(struct strata_members_part *p, uint64_t region)
{
    for (int t = 0; t < p->threads; t++) {
        struct strata_group *g = group_of(p, t);
        g->arena = p->members->base->arena;
        g->region = region;
        strata_group_move_in(g);
    }
}

static int take_memory(void *part, const struct strata_capacity *capacity)
{
    struct strata_members_part *p = part;
    for (int t = 0; t < p->threads; t++) {
        struct strata_group *g = group_of(p, t);
        g->capacity = *capacity;
        g->region_bytes = strata_group_region_bytes(g);
    }
    int error = take_and_tell(p, take_region);
    if (error != STRATA_OK) {
        return error;
    }
    error = worst_taken(group_of(p, 0));
    if (error == STRATA_OK) {
        move_in(p, taken_here(p).offset);
    } else {
        leave(p, taken_here(p).offset);
    }
    const int agreed = agree(p, STRATA_OK); /* no rank goes on before all have cleared their part */
    return agreed == STRATA_OK ? error : agreed;
}

/* All endpoints read their local peers' memory, or none does. */
static int meet_readers(struct strata_members_part *p)
{
    int error = STRATA_OK;
    for (int t = 0; error == STRATA_OK && t < p->threads; t++) {
        error = strata_group_meet_readers(group_of(p, t));
    }
    error = agree(p, error);
    for (int t = 0; t < p->threads; t++) {
        strata_group_read_peers(group_of(p, t), error == STRATA_OK);
    }
    return error == STRATA_ERR_UNSUPPORTED ? STRATA_OK : error;
}

/* Without node memory, blocks go from endpoint to endpoint. */
static int find_memory(struct strata_members_part *p, uint64_t budget, struct strata_sharing most)
{
    int error = strata_group_find_memory(group_of(p, 0), budget, most, take_memory, p);
    if (error == STRATA_OK) {
        return meet_readers(p);
    }
    for (int t = 0; t < p->threads; t++) {
        strata_group_go_without(group_of(p, t));
    }
    return error == STRATA_ERR_CAPACITY ? STRATA_OK : error;
}

static struct strata_taken take_for_requests(struct strata_members_part *p)
{
    return strata_sequence_take_region(group_of(p, 0), PART / 2);
}

/* Gives requests node memories of their own, or none of them. Nobody could do that later: a
 * nonblocking call waits for no other endpoint. */
static int find_memory_for_requests(struct strata_members_part *p)
{
    const struct strata_group *g = group_of(p, 0);
    int error = g->arena ? take_and_tell(p, take_for_requests) : STRATA_OK;
    if (error != STRATA_OK || !g->arena) {
        return error;
    }
    const unsigned count = (unsigned)strata_sequence_least_taken(g);
    for (int t = 0; t < p->threads; t++) {
        struct strata_sequence *s = group_of(p, t)->sequence;
        s->memories.tried = true;
        if (count > 0) {
            strata_sequence_move_in(s, count, taken_here(p).offset);
        }
    }
    if (count == 0) {
        leave(p, taken_here(p).offset);
    }
    return agree(p, STRATA_OK); /* as in take_memory */
}

static void equip(struct strata_members_part *p, struct strata_group *g, struct strata_sharing most)
{
    const struct strata_machine alone = strata_machine_alone(&p->members->base->machine);
    g->machine = strata_machine_of_nodes(&alone, g->topology->largest, most);
    strata_helping_find(1, 0, &g->helping); /* members are the threads, and open no teams */
    strata_group_equip(g);
    strata_sequence_equip(g->sequence, g);
}

int strata_members_set_up(struct strata_members_part *p)
{
    struct strata_sharing most = {0};
    uint64_t budget = 0;
    int error = make_comms(p);
    if (error != STRATA_OK) {
        return error;
    }
    error = agree(p, make_groups(p));
    for (int t = 0; error == STRATA_OK && t < p->threads; t++) {
        join_messages(p, group_of(p, t));
    }
    error = error == STRATA_OK ? agree_budget(p, &budget, &most) : error;
    error = error == STRATA_OK ? find_memory(p, budget, most) : error;
    for (int t = 0; error == STRATA_OK && t < p->threads; t++) {
        equip(p, group_of(p, t), most);
    }
    return error == STRATA_OK ? find_memory_for_requests(p) : error;
}

#else

int strata_members_set_up(struct strata_members_part *p)
{
    (void)p;
    return STRATA_ERR_UNSUPPORTED;
}
#endif
