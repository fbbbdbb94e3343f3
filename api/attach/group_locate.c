#include "api/attach/group_locate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/attach/host_name.h"
#include "api/attach/hosts_named.h"
#include "api/attach/settings.h"
#include "api/process/agree.h"
#include "api/process/process.h"
#include "core/base/memory.h"
#include "internode/mpi/failed_mpi.h"
#include "internode/split/values.h"
#include "intranode/scheduler.h"

/* The first rank with my number; 0 without numbers. */
static int find_first(const uint64_t *numbers, uint64_t mine)
{
    int first = 0;
    while (numbers && numbers[first] != mine) {
        first++;
    }
    return first;
}

/* Two hosts may have the same number by chance. Their ranks then find that they share no memory. */
static uint64_t number_of(const struct strata_host_name *name)
{
    return strata_hash_any(name->text, name->size, 0, NULL) << 32 |
           strata_hash_any(name->text, name->size, 1, NULL);
}

/* If one rank lacks memory for the table, or cannot open the file with the boot id, all ranks do
 * without. */
int strata_hosts_split(MPI_Comm comm, MPI_Comm *host)
{
    struct strata_host_name name;
    int rank = 0, ranks = 1;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &ranks);
    uint64_t *numbers = strata_allocate((size_t)ranks, sizeof *numbers);
    strata_host_name_find(&name, true);
    int lacks[] = {!numbers, !name.booted};
    int error = strata_agree(lacks, 2, MPI_INT, MPI_MAX, comm);
    if (lacks[1]) {
        strata_host_name_find(&name, false);
    }
    uint64_t mine = number_of(&name);
    if (error == MPI_SUCCESS && !lacks[0]) {
        error = PMPI_Allgather(&mine, 1, MPI_UINT64_T, numbers, 1, MPI_UINT64_T, comm);
    }
    if (error == MPI_SUCCESS && !lacks[0]) {
        error = PMPI_Comm_split(comm, find_first(numbers, mine), rank, host);
    }
    strata_release(numbers);
    return error != MPI_SUCCESS ? STRATA_ERR_TRANSPORT : lacks[0] ? STRATA_ERR_MEMORY : STRATA_OK;
}

int strata_hosts_find(struct strata_group *group, MPI_Comm *host)
{
    int error = strata_hosts_named(group) ? strata_hosts_find_named(group, host)
                                          : strata_hosts_split(group->comm, host);
    return error ? error
           : PMPI_Comm_set_errhandler(*host, MPI_ERRORS_RETURN) == MPI_SUCCESS
               ? STRATA_OK
               : STRATA_ERR_TRANSPORT;
}

/* The hardware is found once in a process; another thread may find it at the same time. */
static int find_placement(struct strata_process *process, struct strata_group *g, MPI_Comm host)
{
    pthread_mutex_lock(&process->lock);
    struct strata_hardware *known = process->hardware;
    pthread_mutex_unlock(&process->lock);
    struct strata_hardware *hardware = known;
    int error = strata_placement_find(host, &hardware, &g->placement);
    pthread_mutex_lock(&process->lock);
    known = process->hardware ? process->hardware : hardware;
    process->hardware = known;
    pthread_mutex_unlock(&process->lock);
    if (hardware != known) {
        strata_release(hardware);
    }
    return error;
}

static int find_host(struct strata_process *process, struct strata_group *g, MPI_Comm *host,
                     struct strata_card *mine)
{
    int error = strata_hosts_find(g, host);
    if (error != STRATA_OK) {
        return error;
    }
    mine->host = g->rank;
    if (PMPI_Bcast(&mine->host, 1, MPI_INT32_T, 0, *host) != MPI_SUCCESS ||
        find_placement(process, g, *host) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    mine->package = (uint32_t)g->placement.place.package & 0xff;
    mine->domain = (uint32_t)g->placement.place.domain & 0x7ff;
    mine->cache = (uint32_t)g->placement.place.cache & 0xfff;
    mine->adapter = g->placement.place.adapter == 1;
    mine->kernel = g->placement.kernel;
    return STRATA_OK;
}

/* The number of processes on my machine, also those of other hosts that run on the same cores. A
 * group of a part of the world does not see them all. Until the world is attached, the launcher's
 * number counts, or else as many for each rank of the world as for each rank of the group. The same
 * on all ranks of a host. */
static int find_here(struct strata_process *process, const struct strata_group *g)
{
    int here = 0;
    for (int r = 0; r < g->ranks; r++) {
        here += g->cards[r].kernel == g->placement.kernel;
    }
    here = g->placement.kernel ? here : g->placement.processes;
    if (!g->spawned && g->ranks == process->world_size) {
        process->world_here = here;
    } else if (!g->spawned && process->world_here > 0) {
        here = process->world_here;
    } else if (!g->spawned) {
        int launched = strata_config_launched_here();
        int all = (int)ceil((double)here * process->world_size / g->ranks);
        here = launched == 0 ? all : launched > here ? launched : here;
    }
    return here;
}

/* Finds how this rank waits, and how ranks share cores. Where STRATA_WAIT says how to wait, at
 * least two ranks take turns. Where a yield hands over nothing, MPI's own calls keep a core until
 * the scheduler takes it, for none of them sleeps. But MPI's idle ranks may hand over their core
 * all the same: then a yield is enough (strata_group_yield). */
static void find_way(const struct strata_process *process, struct strata_group *g)
{
    double each = (double)g->here / g->placement.cpus;
    g->way = strata_wait_told(g->settings->config.wait);
    bool told = g->way != STRATA_WAIT_WAYS;
    if (!told) {
        g->way = each <= 1             ? STRATA_WAIT_SPIN
                 : g->placement.yields ? STRATA_WAIT_YIELD
                                       : STRATA_WAIT_SLEEP;
    }
    g->sharing.ranks = g->way == STRATA_WAIT_SPIN ? 0 : told ? fmax(each, 2) : each;
    g->sharing.native_turn = g->way == STRATA_WAIT_SLEEP ? strata_scheduling_tick() : 0;
    g->mpi_yields = !told && g->way == STRATA_WAIT_SLEEP &&
                    (process->mpi_yields || strata_idle_hands_over(g->comm));
}

void strata_group_yield(struct strata_process *process, struct strata_group *g)
{
    process->mpi_yields = true;
    g->way = g->way == STRATA_WAIT_SLEEP ? STRATA_WAIT_YIELD : g->way;
    g->sharing.native_turn = 0;
}

/* *topology stays NULL when STRATA_TOPO says nothing about this group, or its text is wrong. */
static int emulated(const struct strata_process *process, const struct strata_group *g,
                    struct strata_topology **topology)
{
    struct strata_topology *world = NULL;
    int error;
    if (!g->settings->config.topo[0] || g->spawned) {
        return STRATA_OK;
    }
    error = strata_topology_parse(g->settings->config.topo, process->world_size, &world, NULL);
    if (error == STRATA_OK) {
        error = strata_topology_restrict(world, g->ranks, g->world, topology);
        strata_topology_destroy(world);
    }
    return error == STRATA_ERR_SYNTAX ? STRATA_OK : error;
}

static bool spans_hosts(const struct strata_topology *t, const struct strata_card *cards)
{
    for (int r = 0; r < t->ranks; r++) {
        int first = strata_topology_rank(t, t->node_of[r], 0);
        if (cards[r].host != cards[first].host) {
            return true;
        }
    }
    return false;
}

static void complain_hosts(struct strata_process *process, const struct strata_group *g)
{
    char text[400];
    if (g->rank == 0 && !process->complained_hosts && !process->preloaded) {
        process->complained_hosts = true;
        snprintf(
            text, sizeof text,
            "STRATA_TOPO=%s puts ranks of different hosts on one node; the real nodes are used",
            g->settings->config.topo);
        strata_warn(text);
    }
}

static int real(const struct strata_group *g, struct strata_topology **topology)
{
    int n = g->ranks, error = STRATA_ERR_MEMORY;
    int *host = strata_allocate((2 + STRATA_INNER_LEVELS) * (size_t)n, sizeof *host);
    if (host) {
        int *package = host + n, *domain = package + n, *cache = domain + n, *near = cache + n;
        for (int r = 0; r < n; r++) {
            host[r] = g->cards[r].host;
            package[r] = g->cards[r].package;
            domain[r] = g->cards[r].domain;
            cache[r] = g->cards[r].cache;
            near[r] = g->cards[r].adapter;
        }
        struct strata_inner_colours inner = {{package, domain, cache}, near};
        error = strata_topology_from_colours(n, host, &inner, topology);
    }
    strata_release(host);
    return error;
}

static int find_topology(struct strata_process *process, struct strata_group *g)
{
    int error = emulated(process, g, &g->topology);
    if (g->topology && spans_hosts(g->topology, g->cards)) {
        complain_hosts(process, g);
        strata_topology_destroy(g->topology);
        g->topology = NULL;
    }
    g->emulated = g->topology != NULL;
    if (error == STRATA_OK && !g->emulated) {
        error = real(g, &g->topology);
    }
    return error == STRATA_OK ? strata_topology_flat(g->ranks, &g->flat) : error;
}

int strata_group_locate_as(struct strata_process *process, struct strata_group *group,
                           const struct strata_group *alike)
{
    memcpy(group->cards, alike->cards, (size_t)group->ranks * sizeof *group->cards);
    group->placement = alike->placement;
    group->here = alike->here;
    group->way = alike->way;
    group->mpi_yields = alike->mpi_yields;
    group->sharing = alike->sharing;
    return find_topology(process, group);
}

int strata_group_locate(struct strata_process *process, struct strata_group *group, MPI_Comm *host)
{
    struct strata_card *mine = &group->cards[group->rank];
    int error = strata_agree_status(find_host(process, group, host, mine), group->comm);
    if (error != STRATA_OK) {
        strata_failed_leave(*host, group->comm, &group->comm); /* local peers may be in find_host */
        strata_private_communicator_free(host);
        return error;
    }
    if (PMPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, group->cards, sizeof *mine, MPI_BYTE,
                       group->comm) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    error = find_topology(process, group);
    if (error == STRATA_OK) {
        group->here = find_here(process, group);
        find_way(process, group);
    }
    return error;
}
