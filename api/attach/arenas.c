#include "api/attach/arenas.h"

#include <unistd.h>

#include "api/process/process.h"
#include "core/base/memory.h"
#include "intranode/backing.h"
#include "intranode/hardware.h"
#include "intranode/pages.h"

#define OFFERED 8                  /* arenas that the first process of a host proposes */
#define LEAST   ((size_t)64 << 10) /* smaller arenas are not worth a window */
#define FEW     16                 /* processes that every host may be expected to run */

static struct strata_arena_entry *find(struct strata_process *process, uint64_t id)
{
    struct strata_arena_entry *entry;
    pthread_mutex_lock(&process->lock);
    for (entry = process->arenas; entry && strata_arena_id(entry->arena) != id;
         entry = entry->next) {
    }
    pthread_mutex_unlock(&process->lock);
    return entry;
}

static void offer(struct strata_process *process, uint64_t *ids)
{
    int n = 0;
    pthread_mutex_lock(&process->lock);
    for (const struct strata_arena_entry *e = process->arenas; e && n < OFFERED; e = e->next) {
        ids[n++] = strata_arena_id(e->arena);
    }
    pthread_mutex_unlock(&process->lock);
}

/* Finds the first of the first process's arenas that all have: *entry, or NULL. */
static int find_common(struct strata_process *process, MPI_Comm host, int status,
                       struct strata_arena_entry **entry)
{
    uint64_t ids[OFFERED] = {0};
    uint64_t word[2] = {0, status == STRATA_OK ? UINT64_MAX : 0}; /* bit i: this process has
                                                                     ids[i]; all ones: it brings
                                                                     no error */
    offer(process, ids);
    if (PMPI_Bcast(ids, OFFERED, MPI_UINT64_T, 0, host) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    for (int i = 0; i < OFFERED; i++) {
        word[0] |= (uint64_t)(ids[i] && find(process, ids[i])) << i;
    }
    if (PMPI_Allreduce(MPI_IN_PLACE, word, 2, MPI_UINT64_T, MPI_BAND, host) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    if (word[1] == 0) {
        return status != STRATA_OK ? status : STRATA_ERR_MEMORY;
    }
    for (int i = OFFERED - 1; i >= 0; i--) {
        *entry = word[0] >> i & 1 ? find(process, ids[i]) : *entry;
    }
    return STRATA_OK;
}

static size_t left_of(struct strata_process *process, size_t budget)
{
    size_t spent = 0;
    pthread_mutex_lock(&process->lock);
    for (const struct strata_arena_entry *e = process->arenas; e; e = e->next) {
        spent += e->bytes;
    }
    pthread_mutex_unlock(&process->lock);
    return spent < budget ? budget - spent : 0;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* At most half of the shared memory that the system has free, for MPI needs some, too. An arena of
 * the world's processes gets all that is left of the budget. Other arenas get half of what is left,
 * in proportion to their processes: other processes of the host, which cannot be asked here, may do
 * the same. */
static size_t bytes_allowed(struct strata_process *process, int processes,
                            struct strata_arena_quota quota)
{
    size_t left = least(left_of(process, quota.budget), strata_backing_free() / 2);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    long most = online > FEW ? online : FEW;
    most = most < process->world_size ? most : process->world_size;
    most = most > processes ? most : processes;
    return quota.whole ? left : left / 2 / (size_t)most * (size_t)processes;
}

/* Notes how far this host's shared memory falls short of the budget. */
static void note(struct strata_process *process, struct strata_arena_quota quota, bool apart)
{
    uint64_t shared = strata_backing_size(), free = strata_backing_free();
    bool small = free / 2 < left_of(process, quota.budget);
    pthread_mutex_lock(&process->lock);
    if (small && (process->limit.shared == 0 || free < process->limit.free)) {
        process->limit.shared = shared;
        process->limit.free = free;
    }
    process->limit.apart |= apart;
    pthread_mutex_unlock(&process->lock);
}

static int make(struct strata_process *process, MPI_Comm host, struct strata_arena_quota quota,
                struct strata_arena_entry **entry)
{
    struct strata_arena_entry *made = strata_allocate(1, sizeof *made);
    const struct strata_hardware *hardware = process->hardware;
    bool spread = hardware && hardware->objects.real && hardware->objects.domains > 1 &&
                  strata_pages_advisable();
    int processes = 1;
    uint64_t word[2] = {0, spread}; /* bytes; whether all say `spread` */
    int error =
        STRATA_ERR_CAPACITY; /* also when a process had no memory, and so asked for nothing */
    PMPI_Comm_size(host, &processes);
    if (made) {
        word[0] = bytes_allowed(process, processes, quota) & ~(uint64_t)4095;
    }
    if (PMPI_Allreduce(MPI_IN_PLACE, word, 2, MPI_UINT64_T, MPI_MIN, host) != MPI_SUCCESS) {
        error = STRATA_ERR_TRANSPORT;
    } else if (made && word[0] >= LEAST) {
        error = strata_arena_create(host, (size_t)word[0], spread, &made->arena);
    }
    note(process, quota, word[0] >= LEAST && error == STRATA_ERR_CAPACITY);
    if (!made || error != STRATA_OK) {
        strata_release(made);
        return error;
    }
    made->bytes = (size_t)word[0];
    made->near = word[1] != 0;
    made->host = host;
    pthread_mutex_lock(&process->lock);
    made->next = process->arenas;
    process->arenas = made;
    pthread_mutex_unlock(&process->lock);
    *entry = made;
    return STRATA_OK;
}

int strata_arenas_agree(struct strata_process *process, MPI_Comm host, int status,
                        struct strata_arena_quota quota, struct strata_arena_entry **entry)
{
    *entry = NULL;
    int error = find_common(process, host, status, entry);
    return error == STRATA_OK && !*entry ? make(process, host, quota, entry) : error;
}

/* Takes the arena with the smallest id off the list. All processes do so in the same order, so they
 * do not wait for each other in a circle. */
static struct strata_arena_entry *take_first(struct strata_process *process)
{
    struct strata_arena_entry **first = &process->arenas;
    struct strata_arena_entry *entry;
    for (struct strata_arena_entry **at = first; *at; at = &(*at)->next) {
        if (strata_arena_id((*at)->arena) < strata_arena_id((*first)->arena)) {
            first = at;
        }
    }
    entry = *first;
    *first = entry->next;
    return entry;
}

void strata_arenas_finish(struct strata_process *process)
{
    while (process->arenas) {
        struct strata_arena_entry *entry = take_first(process);
        strata_arena_destroy(entry->arena);
        PMPI_Comm_free(&entry->host);
        strata_release(entry);
    }
}
