/* Making threads members of collectives: what the ranks do together, top to bottom. Each rank's
 * calling thread does it for all of its threads. */
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
#include "hier/capacity.h"

#ifndef STRATA_SIMULATED

enum { ATTEMPTS = 3, PART = 8 }; /* as for further communicators in group_setup.c */

static int agree(const struct strata_members *m, int status)
{
    return strata_members_worst(status, m->comms[0]);
}

static int count_endpoints(struct strata_members *m)
{
    const int ranks = m->base->ranks;
    int error = PMPI_Allgather(&m->threads, 1, MPI_INT, m->first_of + 1, 1, MPI_INT, m->comms[0]);
    for (int r = 0; error == MPI_SUCCESS && r < ranks; r++) {
        m->most = m->first_of[r + 1] > m->most ? m->first_of[r + 1] : m->most;
        m->first_of[r + 1] += m->first_of[r];
    }
    m->first = m->first_of[m->base->rank];
    m->total = m->first_of[ranks];
    return error == MPI_SUCCESS ? STRATA_OK : STRATA_ERR_TRANSPORT;
}

static int make_endpoints(struct strata_members *m)
{
    m->at = strata_allocate((size_t)m->total, sizeof *m->at);
    for (int r = 0; m->at && r < m->base->ranks; r++) {
        for (int e = m->first_of[r]; e < m->first_of[r + 1]; e++) {
            m->at[e] = (struct strata_endpoint){r, e - m->first_of[r]};
        }
    }
    return m->at ? STRATA_OK : STRATA_ERR_MEMORY;
}

/* Makes the communicators that the pairs of two ranks' endpoints need. */
static int make_comms(struct strata_members *m)
{
    const int wanted = (m->most * m->most + STRATA_ENDPOINT_PAIRS - 1) / STRATA_ENDPOINT_PAIRS;
    MPI_Comm *comms = strata_reallocate(m->comms, (size_t)wanted, sizeof *comms);
    m->comms = comms ? comms : m->comms; /* the old array is gone */
    int error = agree(m, comms ? STRATA_OK : STRATA_ERR_MEMORY);
    while (error == STRATA_OK && m->ncomms < wanted) {
        MPI_Comm *made = &m->comms[m->ncomms];
        if (strata_private_communicator(m->comms[0], made) != MPI_SUCCESS) {
            return STRATA_ERR_TRANSPORT;
        }
        PMPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN);
        m->ncomms++;
    }
    return error;
}

/* Each endpoint's node, package, domain and cache are those of its rank. */
static int spread_topology(const struct strata_members *m, struct strata_topology **topology)
{
    const struct strata_topology *ranks = m->base->topology;
    const size_t total = (size_t)m->total;
    int *colours = strata_allocate((1 + STRATA_INNER_LEVELS) * total, sizeof *colours);
    struct strata_inner_colours inner = {{NULL}};
    int error = STRATA_ERR_MEMORY;
    if (colours) {
        for (int level = 0; level < STRATA_INNER_LEVELS; level++) {
            inner.of[level] = ranks->known[level] ? colours + (1 + level) * total : NULL;
        }
        for (size_t e = 0; e < total; e++) {
            int rank = m->at[e].rank;
            colours[e] = ranks->node_of[rank];
            for (int level = 0; level < STRATA_INNER_LEVELS; level++) {
                colours[(1 + level) * total + e] = ranks->inner_of[level][rank];
            }
        }
        error = strata_topology_from_colours(m->total, colours, &inner, topology);
    }
    strata_release(colours);
    return error;
}

/* Threads of this host's ranks on it, and processes of others. */
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
static void find_way(const struct strata_members *m, struct strata_group *g)
{
    const double each = (double)threads_here(m) / g->placement.cpus;
    g->way = strata_wait_told(g->settings->config.wait);
    const bool told = g->way != STRATA_WAIT_WAYS;
    if (!told) {
        g->way = each <= 1                                    ? STRATA_WAIT_SPIN
                 : g->placement.yields || m->base->mpi_yields ? STRATA_WAIT_YIELD
                                                              : STRATA_WAIT_SLEEP;
    }
    strata_thread_wait_so(g->way);
    g->sharing.ranks = g->way == STRATA_WAIT_SPIN ? 0 : told ? fmax(each, 2) : each;
}

static int make_group(struct strata_members *m, struct strata_thread *thread)
{
    const struct strata_group *base = m->base;
    struct strata_group *g = strata_allocate(1, sizeof *g);
    const size_t total = (size_t)m->total;
    thread->group = g;
    if (!g) {
        return STRATA_ERR_MEMORY;
    }
    for (int i = 0; i < STRATA_TELLINGS; i++) {
        g->telling[i].request = MPI_REQUEST_NULL;
    }
    g->comm = MPI_COMM_NULL;
    g->thread = thread;
    g->rank = m->first + thread->index;
    g->ranks = m->total;
    g->spawned = base->spawned;
    g->settings = base->settings;
    g->placement = base->placement;
    g->emulated = base->emulated;
    g->here = threads_here(m);
    g->measured = base->measured;
    g->users = 1;
    g->world = strata_allocate(total, sizeof *g->world);
    g->cards = strata_allocate(total, sizeof *g->cards);
    g->taken = strata_allocate(total, sizeof *g->taken);
    g->sequence = strata_sequence_create();
    if (!g->world || !g->cards || !g->taken || !g->sequence) {
        return STRATA_ERR_MEMORY;
    }
    for (int e = 0; e < m->total; e++) {
        g->world[e] = base->world[m->at[e].rank];
        g->cards[e] = base->cards[m->at[e].rank];
    }
    find_way(m, g);
    int error = spread_topology(m, &g->topology);
    return error == STRATA_OK ? strata_topology_flat(m->total, &g->flat) : error;
}

static int make_groups(struct strata_members *m)
{
    int error = STRATA_OK;
    for (int t = 0; error == STRATA_OK && t < m->threads; t++) {
        error = make_group(m, m->all[t]);
    }
    return error;
}

static struct strata_group *group_of(const struct strata_members *m, int thread)
{
    return m->all[thread]->group;
}

static void join_messages(struct strata_members *m, struct strata_group *g)
{
    const struct strata_endpoints all = {.comm = m->comms[0],
                                         .count = m->total,
                                         .tags = m->most,
                                         .mine = m->at[g->rank],
                                         .at = m->at,
                                         .further = m->ncomms > 1 ? m->comms + 1 : NULL};
    g->comm = m->comms[0];
    g->messages =
        m->level == MPI_THREAD_MULTIPLE ? &strata_transport_mpi : &strata_guarded_transport;
    strata_transport_mpi_init(&g->transport, &all, 0);
}

/* This node, and the others of its host. */
static int nodes_here(const struct strata_group *g)
{
    const int mine = g->topology->node_of[g->rank];
    int nodes = 1;
    for (int node = 0; node < g->topology->nodes; node++) {
        const int first = strata_topology_rank(g->topology, node, 0);
        nodes += node != mine && g->cards[first].host == g->cards[g->rank].host;
    }
    return nodes;
}

/* The bytes that every node can have, and the most crowded host. */
static int agree_budget(struct strata_members *m, uint64_t *budget, struct strata_sharing *most)
{
    const struct strata_group *g = group_of(m, 0);
    int64_t word[3] = {0, -(int64_t)(100 * g->sharing.ranks), INT64_MAX};
    if (m->base->arena) {
        word[0] =
            (int64_t)(strata_arena_largest(m->base->arena->arena) / PART / (size_t)nodes_here(g));
    }
    if (PMPI_Allreduce(MPI_IN_PLACE, word, 3, MPI_INT64_T, MPI_MIN, m->comms[0]) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    *budget = (uint64_t)word[0];
    *most = (struct strata_sharing){.ranks = -(double)word[1] / 100};
    return STRATA_OK;
}

/* All of a rank's endpoints are on one node. The rank of a node's first endpoint takes a region for
 * the node's endpoints, and tells all. */
static int take_regions(struct strata_members *m, size_t bytes)
{
    struct strata_group *g = group_of(m, 0);
    const struct strata_topology *t = g->topology;
    const int node = t->node_of[g->rank];
    struct strata_taken *mine = &g->taken[node];
    memset(g->taken, 0, (size_t)t->nodes * sizeof *g->taken);
    if (t->local_of[g->rank] == 0) {
        mine->status = strata_arena_take(m->base->arena->arena, bytes, 0,
                                         strata_topology_node_size(t, node), &mine->offset);
    }
    return PMPI_Allreduce(MPI_IN_PLACE, g->taken, 2 * t->nodes, MPI_UINT64_T, MPI_MAX,
                          m->comms[0]) == MPI_SUCCESS
               ? STRATA_OK
               : STRATA_ERR_TRANSPORT;
}

static int worst_taken(const struct strata_group *g)
{
    int64_t worst = STRATA_OK;
    for (int node = 0; node < g->topology->nodes; node++) {
        worst = g->taken[node].status > worst ? g->taken[node].status : worst;
    }
    return (int)worst;
}

/* Lays this rank's endpoints' part out, or drops it. */
static void move_in(struct strata_members *m, bool stay)
{
    const struct strata_taken *taken = group_of(m, 0)->taken;
    for (int t = 0; t < m->threads; t++) {
        struct strata_group *g = group_of(m, t);
        const struct strata_taken *mine = &taken[g->topology->node_of[g->rank]];
        if (stay) {
            g->arena = m->base->arena;
            g->region = mine->offset;
            strata_group_furnish(g, g->region, &g->memory);
            strata_readers_offer(&g->memory);
        } else if (mine->status == STRATA_OK && mine->offset > 0) {
            strata_arena_drop(m->base->arena->arena, mine->offset);
        }
    }
}

static int take_memory(struct strata_members *m, const struct strata_capacity *capacity)
{
    for (int t = 0; t < m->threads; t++) {
        struct strata_group *g = group_of(m, t);
        g->capacity = *capacity;
        g->region_bytes = strata_group_region_bytes(g);
    }
    int error = take_regions(m, group_of(m, 0)->region_bytes);
    if (error != STRATA_OK) {
        return error;
    }
    error = worst_taken(group_of(m, 0));
    move_in(m, error == STRATA_OK);
    const int agreed = agree(m, STRATA_OK); /* no rank goes on before all have cleared their part */
    return agreed == STRATA_OK ? error : agreed;
}

static int read_peers(struct strata_group *g)
{
    const struct strata_topology *t = g->topology;
    const int node = t->node_of[g->rank], members = strata_topology_node_size(t, node);
    int *world = strata_allocate((size_t)members, sizeof *world);
    for (int i = 0; world && i < members; i++) {
        world[i] = g->spawned ? MPI_UNDEFINED : g->world[strata_topology_rank(t, node, i)];
    }
    g->readers = world ? strata_readers_create(&g->memory, world) : NULL;
    strata_release(world);
    return g->readers ? STRATA_OK : STRATA_ERR_UNSUPPORTED;
}

/* All endpoints read their local peers' memory, or none does. */
static int meet_readers(struct strata_members *m)
{
    const bool wanted = m->base->settings->config.single_copy != 0;
    int error = wanted ? STRATA_OK : STRATA_ERR_UNSUPPORTED;
    for (int t = 0; error == STRATA_OK && t < m->threads; t++) {
        error = read_peers(group_of(m, t));
    }
    error = agree(m, error);
    for (int t = 0; t < m->threads; t++) {
        struct strata_group *g = group_of(m, t);
        g->capacity.single_copy = error == STRATA_OK;
        if (error == STRATA_OK) {
            g->memory.peers = strata_readers_peers(g->readers);
        }
    }
    return error == STRATA_ERR_UNSUPPORTED ? STRATA_OK : error;
}

/* Goes on without node memory: blocks go from endpoint to endpoint. */
static void go_without(struct strata_members *m)
{
    for (int t = 0; t < m->threads; t++) {
        struct strata_group *g = group_of(m, t);
        g->arena = NULL;
        g->region_bytes = 0;
        g->capacity =
            (struct strata_capacity){.passes = 1, .check = g->settings->config.check != 0};
    }
}

static int find_memory(struct strata_members *m, uint64_t budget, struct strata_sharing most)
{
    const struct strata_group *g = group_of(m, 0);
    const struct strata_config *config = &m->base->settings->config;
    struct strata_capacity capacity;
    int error = budget > 0 ? STRATA_OK : STRATA_ERR_CAPACITY;
    for (int i = 0; error == STRATA_OK && i < ATTEMPTS; i++, budget /= 2) {
        error = strata_capacity_divide(g->topology, (size_t)budget, (size_t)config->threshold,
                                       (int)config->passes, config->check != 0, &capacity);
        if (error == STRATA_OK && most.ranks > 1) {
            strata_capacity_add_middle(g->topology, (size_t)budget, &capacity);
        }
        error = error == STRATA_OK ? take_memory(m, &capacity) : error;
        if (error == STRATA_OK) {
            return meet_readers(m);
        }
        error = error == STRATA_ERR_CAPACITY && i < ATTEMPTS - 1 ? STRATA_OK : error;
    }
    go_without(m);
    return error == STRATA_ERR_CAPACITY ? STRATA_OK : error;
}

static void equip(struct strata_members *m, struct strata_group *g, struct strata_sharing most)
{
    g->machine = strata_machine_of_nodes(&m->base->machine, g->topology->largest, most);
    strata_group_equip(g, 1);
    strata_sequence_equip(g->sequence, g);
}

int strata_members_set_up(struct strata_members *m)
{
    struct strata_sharing most = {0};
    uint64_t budget = 0;
    int error = count_endpoints(m);
    error = error == STRATA_OK ? make_comms(m) : error;
    if (error != STRATA_OK) {
        return error;
    }
    error = make_endpoints(m);
    error = agree(m, error == STRATA_OK ? make_groups(m) : error);
    for (int t = 0; error == STRATA_OK && t < m->threads; t++) {
        join_messages(m, group_of(m, t));
    }
    error = error == STRATA_OK ? agree_budget(m, &budget, &most) : error;
    error = error == STRATA_OK ? find_memory(m, budget, most) : error;
    for (int t = 0; error == STRATA_OK && t < m->threads; t++) {
        equip(m, group_of(m, t), most);
    }
    return error;
}

#else

int strata_members_set_up(struct strata_members *m)
{
    (void)m;
    return STRATA_ERR_UNSUPPORTED;
}
#endif
