#include "api/attach/group.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "api/attach/arenas.h"
#include "api/attach/group_setup.h"
#include "api/attach/sequence.h"
#include "api/process/process.h"
#include "core/base/memory.h"
#include "internode/mpi/failed_mpi.h"

static int translate(MPI_Group members, int *world, int ranks)
{
    MPI_Group all = MPI_GROUP_NULL;
    int *mine = strata_allocate((size_t)ranks, sizeof *mine);
    int error = mine ? PMPI_Comm_group(MPI_COMM_WORLD, &all) : MPI_ERR_NO_MEM;
    for (int i = 0; mine && i < ranks; i++) {
        mine[i] = i;
    }
    if (error == MPI_SUCCESS) {
        error = PMPI_Group_translate_ranks(members, ranks, mine, all, world);
        PMPI_Group_free(&all);
    }
    strata_release(mine);
    return error;
}

static int find_members(MPI_Comm comm, struct strata_group *g)
{
    MPI_Group members = MPI_GROUP_NULL;
    int error = PMPI_Comm_group(comm, &members);
    if (error == MPI_SUCCESS) {
        error = translate(members, g->world, g->ranks);
        PMPI_Group_free(&members);
    }
    for (int i = 0; i < g->ranks; i++) {
        g->spawned = g->spawned || g->world[i] == MPI_UNDEFINED;
    }
    return error;
}

struct strata_group *strata_group_draft(MPI_Comm comm)
{
    struct strata_group *g = strata_allocate(1, sizeof *g);
    if (!g) {
        return NULL;
    }
    g->comm = g->served = MPI_COMM_NULL;
    g->messages = &strata_transport_mpi;
    for (int i = 0; i < STRATA_TELLINGS; i++) {
        g->telling[i].request = MPI_REQUEST_NULL;
    }
    PMPI_Comm_rank(comm, &g->rank);
    PMPI_Comm_size(comm, &g->ranks);
    g->world = strata_allocate((size_t)g->ranks, sizeof *g->world);
    g->cards = strata_allocate((size_t)g->ranks, sizeof *g->cards);
    g->taken = strata_allocate((size_t)g->ranks, sizeof *g->taken);
    g->sequence = strata_sequence_create();
    if (!g->world || !g->cards || !g->taken || !g->sequence ||
        find_members(comm, g) != MPI_SUCCESS) {
        strata_group_destroy(g);
        return NULL;
    }
    return g;
}

static bool same_ranks(const struct strata_group *a, const struct strata_group *b)
{
    return a->ranks == b->ranks && !a->spawned && !b->spawned &&
           memcmp(a->world, b->world, (size_t)a->ranks * sizeof *a->world) == 0;
}

static bool serves(const struct strata_group *g, const struct strata_group *draft, bool idle)
{
    bool free = g->users == 0 && !g->broken && !strata_sequence_broken(g->sequence);
    return (idle ? free : g->arena != NULL) && same_ranks(g, draft);
}

struct strata_group *strata_group_alike(struct strata_process *process,
                                        const struct strata_group *draft, bool idle)
{
    struct strata_group *found = NULL;
    pthread_mutex_lock(&process->lock);
    for (struct strata_group *g = process->groups; g; g = g->next) {
        found = serves(g, draft, idle) && (!found || g->id < found->id) ? g : found;
    }
    if (found) {
        found->users++;
    }
    pthread_mutex_unlock(&process->lock);
    return found;
}

static void link_group(struct strata_process *process, struct strata_group *g)
{
    pthread_mutex_lock(&process->lock);
    g->users = 1;
    g->next = process->groups;
    g->link = &process->groups;
    if (g->next) {
        g->next->link = &g->next;
    }
    process->groups = g;
    process->ngroups++;
    pthread_mutex_unlock(&process->lock);
}

int strata_group_complete(struct strata_process *process, MPI_Comm comm, struct strata_group *draft,
                          const struct strata_group *alike, struct strata_diagnostic *message)
{
    int error = strata_group_set_up(process, comm, draft, alike, message);
    if (error != STRATA_OK) {
        draft->open = draft->broken || error == STRATA_ERR_TRANSPORT; /* others may be in a call */
        draft->broken = draft->open;
        strata_group_destroy(draft);
        return error;
    }
    strata_revoked_with(&draft->served, comm);
    strata_sequence_equip(draft->sequence, draft);
    link_group(process, draft);
    return STRATA_OK;
}

void strata_group_drop(struct strata_process *process, struct strata_group *group)
{
    if (group) {
        pthread_mutex_lock(&process->lock);
        group->users--;
        pthread_mutex_unlock(&process->lock);
    }
}

/* Takes an idle group off the list; NULL when there is none. */
static struct strata_group *take_idle(struct strata_process *process)
{
    struct strata_group *g;
    pthread_mutex_lock(&process->lock);
    for (g = process->groups; g && g->users > 0; g = g->next) {
    }
    if (g) {
        *g->link = g->next;
        if (g->next) {
            g->next->link = g->link;
        }
        process->ngroups--;
    }
    pthread_mutex_unlock(&process->lock);
    return g;
}

/* Whether this rank still tells something, or is told it. */
static bool is_telling(struct strata_group *g)
{
    bool all = true;
    for (int i = 0; i < STRATA_TELLINGS; i++) {
        int done = 0;
        int error = PMPI_Test(&g->telling[i].request, &done, MPI_STATUS_IGNORE);
        all = all && error == MPI_SUCCESS && done;
    }
    return !all;
}

bool strata_message_is_there(MPI_Comm comm)
{
    int there = 0;
    int error = PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &there, MPI_STATUS_IGNORE);
    return error != MPI_SUCCESS || there;
}

/* MPI reuses the number by which messages name a communicator. A later communicator of that number
 * would receive messages that were left over. */
static bool messages_are_left(struct strata_group *g)
{
    return g->broken || strata_message_is_there(g->comm) || is_telling(g);
}

/* Groups of which only the communicator is left, because messages of it are. */
static _Atomic(struct strata_group *) left_behind;

static void leave_behind(struct strata_group *g)
{
    g->next = atomic_load(&left_behind);
    while (!atomic_compare_exchange_weak(&left_behind, &g->next, g)) {
    }
}

/* Frees the groups whose messages have arrived meanwhile. */
static void sweep_left(void)
{
    struct strata_group *g, *next;
    for (g = atomic_exchange(&left_behind, NULL); g; g = next) {
        next = g->next;
        if (messages_are_left(g)) {
            leave_behind(g);
        } else {
            PMPI_Comm_free(&g->comm);
            strata_release(g);
        }
    }
}

void strata_groups_sweep(struct strata_process *process)
{
    struct strata_group *g;
    sweep_left();
    while ((g = take_idle(process))) {
        strata_group_destroy(g);
    }
}

int strata_groups_in_use(struct strata_process *process)
{
    int used = 0;
    pthread_mutex_lock(&process->lock);
    for (const struct strata_group *g = process->groups; g; g = g->next) {
        used += g->users > 0;
    }
    pthread_mutex_unlock(&process->lock);
    return used;
}

void strata_group_end_telling(struct strata_group *g)
{
    for (int i = 0; i < STRATA_TELLINGS; i++) {
        PMPI_Wait(&g->telling[i].request, MPI_STATUS_IGNORE);
    }
}

void strata_groups_finish(struct strata_process *process)
{
    struct strata_group *g, *next;
    strata_groups_sweep(process); /* no state is left, so all are idle */
    for (g = atomic_exchange(&left_behind, NULL); g; g = next) {
        next = g->next;
        if (!g->broken) {
            strata_group_end_telling(g);
        }
        bool telling = is_telling(g);
        if (!g->open && !strata_message_is_there(g->comm)) { /* MPICH, from 4.1 on, would end the
                                                                program for a message */
            PMPI_Comm_free(&g->comm);
        }
        if (telling) { /* MPI may still write to the group; no rank waits for a rank that is out
                          of step */
            leave_behind(g);
        } else {
            strata_release(g);
        }
    }
}

/* Frees the communicator, unless messages of it are left; returns whether they are. */
static bool leave_communicator(struct strata_group *g)
{
    bool left = messages_are_left(g);
    strata_transport_mpi_fini(&g->transport);
    if (!left) {
        PMPI_Comm_free(&g->comm); /* local in both MPIs: no rank waits for another */
    }
    return left;
}

void strata_group_destroy(struct strata_group *group)
{
    bool left;
    if (!group) {
        return;
    }
    group->broken = group->broken || (group->sequence && strata_sequence_broken(group->sequence));
    strata_sequence_destroy(group->sequence);
    strata_bound_calls_destroy(&group->calls);
    strata_plan_table_destroy(&group->plans);
    strata_signal_carrier_destroy(group->carrier);
    strata_readers_destroy(group->readers);
    if (group->arena) {
        strata_group_drop_region(group, &group->memory, group->region); /* asks the communicator */
    }
    left = group->comm != MPI_COMM_NULL && leave_communicator(group);
    strata_topology_destroy(group->topology);
    strata_topology_destroy(group->flat);
    strata_release(group->scratch);
    strata_release(group->world);
    strata_release(group->cards);
    strata_release(group->taken);
    strata_release(group->tuned);
    if (left) {
        leave_behind(group);
    } else {
        strata_release(group);
    }
}
