/* The collective part of attaching, top to bottom. */
#include "api/attach/group_setup.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "api/attach/arenas.h"
#include "api/attach/group_locate.h"
#include "api/attach/group_machine.h"
#include "api/attach/settings.h"
#include "api/attach/stalled_call.h"
#include "api/process/agree.h"
#include "api/process/process.h"
#include "core/base/memory.h"
#include "internode/mpi/failed_mpi.h"
#include "intranode/team.h"

/* Of the arena's free memory the first communicator of some ranks takes at most half, so that later
 * ones find room, too. A further communicator of the same ranks takes at most an eighth, for there
 * may be many. */
enum { FIRST_PART = 2, FURTHER_PART = 8 };

struct group_setup {
    struct strata_process *process;
    struct strata_group *group;
    const struct strata_group *alike; /* a group of the same ranks, or NULL */
    MPI_Comm host;                    /* processes of this physical host */
    bool host_kept;                   /* an arena keeps `host` */
    int status;                       /* this rank's own, until it is agreed */
    struct strata_found found;        /* what all ranks know of their hosts */
    struct strata_settings settings;
};

/* Every rank gets the worst status of all. A rank to which MPI refused something is out of step
 * with the others, who wait in that call; it does not wait for them. */
static int agree(MPI_Comm comm, int status)
{
    int worst = status;
    if (status == STRATA_ERR_TRANSPORT ||
        PMPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, comm) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    return worst;
}

static int make_private(MPI_Comm comm, struct strata_group *g)
{
    if (strata_private_communicator(comm, &g->comm) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    struct strata_endpoints each = strata_endpoints_of(g->comm, g->rank, g->ranks);
    each.served = &g->served;
    strata_transport_mpi_init(&g->transport, &each, 0);
    return PMPI_Comm_set_errhandler(g->comm, MPI_ERRORS_RETURN) == MPI_SUCCESS
               ? STRATA_OK
               : STRATA_ERR_TRANSPORT;
}

/* Groups whose rank 0 is the same process have different ids. */
static int64_t next_id(struct strata_process *process)
{
    pthread_mutex_lock(&process->lock);
    int64_t id = ((int64_t)process->world_rank << 32) + ++process->groups_made;
    pthread_mutex_unlock(&process->lock);
    return id;
}

/* Takes over what rank 0 decides for all. The settings belong to this call until the process keeps
 * them. */
static int adopt(struct group_setup *s)
{
    struct strata_process *process = s->process;
    struct strata_group *g = s->group;
    struct {
        struct strata_config config;
        int tuned_rows;
    } decided = {process->config, 0};
    g->settings = &s->settings;
    s->settings.config = process->config;
    if (g->rank == 0) {
        strata_settings_fill(process, &decided.config);
        decided.tuned_rows = strata_settings_tuned_rows(process, decided.config.tuned);
    }
    if (PMPI_Bcast(&decided, sizeof decided, MPI_BYTE, 0, g->comm) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    s->found.tuned_rows = decided.tuned_rows;
    strata_config_adopt(&s->settings.config, &decided.config);
    strata_settings_read(&s->settings);
    if (strata_torus_parse(s->settings.config.torus, g->ranks, &g->torus, NULL) != STRATA_OK) {
        g->torus.ndims = 0;
    }
    const struct strata_settings *kept = strata_settings_keep(process, &s->settings);
    g->settings = kept ? kept : g->settings;
    return kept ? STRATA_OK : STRATA_ERR_MEMORY;
}

/* A setting that rank 0 decides and this rank has otherwise, as a number: lower ranks have lower
 * ones. INT64_MAX: no setting differs. Only the group of all ranks of the world looks, or each
 * group might report another rank. */
static int64_t different_setting(const struct group_setup *s)
{
    const struct strata_group *g = s->group;
    int row = strata_config_differ(&s->process->config, &g->settings->config);
    return row < STRATA_CONFIG_ROWS && g->ranks == s->process->world_size
               ? (int64_t)g->rank * STRATA_CONFIG_ROWS + row
               : INT64_MAX;
}

static struct strata_shm_limit limit_of(struct strata_process *process)
{
    pthread_mutex_lock(&process->lock);
    struct strata_shm_limit limit = process->limit;
    pthread_mutex_unlock(&process->lock);
    return limit;
}

static void keep_room(struct strata_process *process, struct strata_shm_limit limit)
{
    pthread_mutex_lock(&process->lock);
    process->limit = limit;
    pthread_mutex_unlock(&process->lock);
}

/* The threads of a team that this rank's calls may open. */
static int threads_of(const struct strata_group *g)
{
    int others = g->way == STRATA_WAIT_SPIN ? g->here : INT_MAX; /* ranks that share cores have
                                                                    no team */
    return strata_team_threads((int)g->settings->config.threads, others, g->placement.cpus);
}

/* Finds what that team brings, which prices are to know. So it is measured before ranks agree. */
static const struct strata_helping *find_helping(struct strata_group *g)
{
    strata_helping_find(threads_of(g), (size_t)g->settings->config.team_bytes, &g->helping);
    return &g->helping;
}

/* The words that ranks agree on while they attach. */
enum {
    ROOM,
    STATUS,
    CROWD,
    TURN,
    KNOWN,
    YIELDS,
    ID,
    DIFFERS,
    SHARED,
    FREE,
    APART,
    TEAM,
    SHARING,
    FROM,
    OPENING,
    WORDS
};

/* The ranks agree on the least room, the worst status, the most crowded host, on whether all
 * have measured their host, on whether one has found that MPI's idle ranks yield, on why there is
 * not more room, on the largest team, and on the least one. *budget: bytes that every node can
 * have; 0 where a host has no room for an arena. */
static int agree_host(struct group_setup *s, uint64_t *budget)
{
    struct strata_group *g = s->group;
    const struct strata_helping *helping = find_helping(g);
    const bool shares = helping->gain.least_bytes < SIZE_MAX;
    int64_t differs = different_setting(s);
    struct strata_shm_limit limit = limit_of(s->process);
    int64_t word[WORDS] = {[STATUS] = s->status == STRATA_ERR_CAPACITY ? STRATA_OK : -s->status,
                           [CROWD] = -(int64_t)(100 * g->sharing.ranks),
                           [TURN] = -(int64_t)(1e9 * g->sharing.native_turn),
                           [KNOWN] = strata_host_known(s->process),
                           [YIELDS] = -(int64_t)g->mpi_yields,
                           [ID] = g->rank == 0 ? next_id(s->process) : INT64_MAX,
                           [DIFFERS] = differs,
                           [SHARED] = limit.shared > 0 ? (int64_t)limit.shared : INT64_MAX,
                           [FREE] = limit.shared > 0 ? (int64_t)limit.free : INT64_MAX,
                           [APART] = -(int64_t)limit.apart,
                           [TEAM] = -(int64_t)helping->threads,
                           [SHARING] = shares ? helping->threads : 1,
                           [FROM] = shares ? -(int64_t)helping->gain.least_bytes : 0,
                           [OPENING] = -(int64_t)(1e9 * helping->opening)};
    if (s->status == STRATA_OK) {
        size_t part = s->alike ? FURTHER_PART : FIRST_PART;
        word[ROOM] = (int64_t)(strata_arena_largest(g->arena->arena) / part /
                               (size_t)strata_group_nodes_here(g));
    }
    if (s->status == STRATA_ERR_TRANSPORT ||
        PMPI_Allreduce(MPI_IN_PLACE, word, WORDS, MPI_INT64_T, MPI_MIN, g->comm) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    *budget = (uint64_t)word[ROOM];
    g->id = word[ID];
    s->found.most = (struct strata_sharing){-(double)word[CROWD] / 100, -(double)word[TURN] / 1e9};
    s->found.known = word[KNOWN] != 0;
    s->found.threads = (int)-word[TEAM];
    s->found.sharing = (int)word[SHARING];
    s->found.sharing_from = -(double)word[FROM];
    s->found.opening = -(double)word[OPENING] / 1e9;
    if (word[SHARED] < INT64_MAX || word[APART] != 0) {
        uint64_t shared = word[SHARED] < INT64_MAX ? (uint64_t)word[SHARED] : 0;
        limit = (struct strata_shm_limit){shared, (uint64_t)word[FREE], word[APART] != 0};
        keep_room(s->process, limit);
    }
    if (word[YIELDS] != 0) {
        strata_group_yield(s->process, g);
        s->found.most.native_turn = 0;
    }
    if (word[DIFFERS] == differs && differs != INT64_MAX) {
        strata_settings_say_difference(s->process, &g->settings->config,
                                       (int)(differs % STRATA_CONFIG_ROWS));
    }
    return (int)-word[STATUS];
}

/* Each node's first member takes the region, and all ranks learn all offsets. This is simpler than
 * a communicator for each node. */
static int take_region(struct strata_group *g)
{
    int first = strata_topology_rank(g->topology, g->topology->node_of[g->rank], 0);
    struct strata_taken *mine = &g->taken[g->rank], *firsts = &g->taken[first];
    *mine = (struct strata_taken){0, STRATA_OK};
    if (g->rank == first) {
        mine->status = strata_group_take(g, g->arena, 1, &mine->offset);
    }
    if (PMPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, g->taken, sizeof *g->taken, MPI_BYTE,
                       g->comm) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    g->region = firsts->offset;
    return (int)firsts->status;
}

/* Takes the memory that a capacity asks for, on all nodes or on none. */
static int take_node_memory(void *setup, const struct strata_capacity *capacity)
{
    struct strata_group *g = ((struct group_setup *)setup)->group;
    int error, agreed;
    g->capacity = *capacity;
    g->region_bytes = strata_group_region_bytes(g);
    error = take_region(g);
    if (error == STRATA_OK) {
        strata_group_move_in(g);
    }
    agreed = agree(g->comm, error); /* no rank goes on before all have cleared their part */
    if (agreed != STRATA_OK) {
        if (error == STRATA_OK) {
            strata_group_drop_region(g, &g->memory, g->region);
        }
        g->region_bytes = 0;
        return agreed;
    }
    return strata_signal_carrier_create(&g->carrier, g->comm, g->topology->node_of[g->rank],
                                        &g->memory);
}

/* All ranks have the same budget, so they divide it alike. Without node memory, the group's local
 * peers read no memory of each other. */
static int find_capacity(struct group_setup *s)
{
    struct strata_group *g = s->group;
    uint64_t budget = 0;
    int error = agree_host(s, &budget);
    if (error == STRATA_OK) {
        error = strata_group_find_memory(g, budget, s->found.most, take_node_memory, s);
    }
    if (error == STRATA_OK) {
        error = agree(g->comm, strata_group_meet_readers(g));
        strata_group_read_peers(g, error == STRATA_OK);
        return error == STRATA_ERR_UNSUPPORTED ? STRATA_OK : error;
    }
    if (error == STRATA_ERR_CAPACITY) {
        strata_group_go_without(g);
        return STRATA_OK;
    }
    return error;
}

void strata_group_equip(struct strata_group *g)
{
    const size_t told = (size_t)g->settings->config.team_bytes;
    g->waiter = g->thread ? strata_waiter_of_thread(g->way) : strata_waiter_of(g->way);
    g->waiter.peers = g->arena ? &g->memory : NULL;
    g->waiter.beside = strata_process_here.move_requests;
    g->waiter.still = strata_process_here.config.stall > 0 ? strata_stall_call : NULL;
    strata_helping_workers(told, &g->workers);
    g->workers.team_bytes = g->helping.gain.least_bytes;
}

/* Finds where the ranks are, and what memory they share. */
static void locate(struct group_setup *s)
{
    struct strata_group *g = s->group;
    int error = adopt(s);
    const struct strata_arena_quota quota = {(size_t)g->settings->config.budget,
                                             g->ranks == s->process->world_size && !g->spawned &&
                                                 !strata_several_threads(s->process)};
    s->status =
        error == STRATA_ERR_TRANSPORT ? error : strata_group_locate(s->process, g, &s->host);
    s->status = error != STRATA_OK ? error : s->status;
    if (s->host != MPI_COMM_NULL) {
        s->status = strata_arenas_agree(s->process, s->host, s->status, quota, &g->arena);
        s->host_kept = g->arena && g->arena->host == s->host;
    }
}

/* The same, learnt from a group of the same ranks. */
static void locate_alike(struct group_setup *s)
{
    struct strata_group *g = s->group;
    g->settings = s->alike->settings;
    g->torus = s->alike->torus;
    g->arena = s->alike->arena;
    s->status = strata_group_locate_as(s->process, g, s->alike);
    s->status = s->status == STRATA_OK && !g->arena ? STRATA_ERR_CAPACITY : s->status;
}

/* The other group may end before this one. */
static int share_table(struct strata_group *g, const struct strata_group *alike)
{
    if (!alike->tuned) {
        return STRATA_OK;
    }
    g->tuned_rows = alike->tuned_rows;
    g->tuned_uneven = alike->tuned_uneven;
    g->tuned = strata_allocate((size_t)g->tuned_rows, sizeof *g->tuned);
    if (g->tuned) {
        memcpy(g->tuned, alike->tuned, (size_t)g->tuned_rows * sizeof *g->tuned);
    }
    return strata_agree_status(g->tuned ? STRATA_OK : STRATA_ERR_MEMORY, g->comm);
}

static int find_machine(struct group_setup *s)
{
    struct strata_group *g = s->group;
    if (!s->alike) {
        return strata_group_machine(s->process, g, &s->found);
    }
    g->machine = s->alike->machine;
    g->measured = s->alike->measured;
    memcpy(g->machine_file, s->alike->machine_file, sizeof g->machine_file);
    return share_table(g, s->alike);
}

static int set_up(struct group_setup *s)
{
    struct strata_group *g = s->group;
    (s->alike ? locate_alike : locate)(s);
    int error = find_capacity(s);
    error = error == STRATA_OK ? find_machine(s) : error;
    if (error == STRATA_OK) {
        strata_group_equip(g);
    } else {
        if (g->arena && g->region_bytes > 0) {
            strata_group_drop_region(g, &g->memory, g->region);
        }
        g->arena = NULL; /* it holds no region of this group */
    }
    return error;
}

int strata_group_set_up(struct strata_process *process, MPI_Comm comm, struct strata_group *group,
                        const struct strata_group *alike, struct strata_diagnostic *message)
{
    struct group_setup s = {
        .process = process, .group = group, .alike = alike, .host = MPI_COMM_NULL};
    int error = strata_agree_status(make_private(comm, group), comm);
    if (error != STRATA_OK) {
        return strata_fail(message, error, "MPI has no private communicator for this group");
    }
    error = set_up(&s);
    if (error == STRATA_ERR_TRANSPORT) { /* others may be in a later step */
        strata_failed_leave(s.host, group->comm, &comm);
        strata_failed_leave(group->comm, group->comm, &comm);
    }
    if (!s.host_kept) {
        strata_private_communicator_free(&s.host);
    }
    if (error != STRATA_OK) {
        return strata_fail(message, error, "it could not be attached: %s",
                           error == STRATA_ERR_UNSUPPORTED ? "MPI refused something to a rank"
                                                           : strata_error_text(error));
    }
    return STRATA_OK;
}
