/* strata_alloc: memory of a rank that the other ranks of its host have mapped, too, so that they
 * copy blocks out of it without a system call. Each allocation is one shared memory. */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "api/attach/group_locate.h"
#include "api/attach/state.h"
#include "api/life/life.h"
#include "api/process/agree.h"
#include "core/base/memory.h"
#include "internode/mpi/failed_mpi.h"
#include "intranode/backing.h"
#include "intranode/mapped.h"
#include "intranode/window_mpi.h"
#include "strata.h"

/* One allocation, as this rank sees it. */
struct allocation {
    struct allocation *next;
    unsigned char *pointer;
    struct strata_window window; /* the memory of all ranks of the host */
    MPI_Comm host;
    bool open; /* this rank left a call of MPI's on `host`, which is not freed then */
    int peers;
    struct strata_mapped *peer; /* [local peers] each rank's part, and where it is mapped here */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct allocation *allocations;

static void keep(struct allocation *a)
{
    pthread_mutex_lock(&lock);
    a->next = allocations;
    allocations = a;
    pthread_mutex_unlock(&lock);
}

/* Takes the allocation off the list; NULL: there is no such allocation. */
static struct allocation *take(const void *pointer)
{
    pthread_mutex_lock(&lock);
    struct allocation **link = &allocations;
    while (*link && (*link)->pointer != pointer) {
        link = &(*link)->next;
    }
    struct allocation *found = *link;
    if (found) {
        *link = found->next;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* All ranks forget their local peers' parts before any rank gives its memory back. */
static void destroy(struct allocation *a)
{
    strata_mapped_remove(a->peer, a->peer ? a->peers : 0);
    strata_window_destroy(&a->window);
    if (!a->open) {
        strata_private_communicator_free(&a->host);
    }
    strata_release(a->peer);
    strata_release(a);
}

static int class_of(int error)
{
    int class = MPI_SUCCESS;
    PMPI_Error_class(error, &class);
    return class;
}

/* The ranks agree on the worst of their errors, as MPI's error class. MPI ends this where comm is
 * revoked. */
static int agree(MPI_Comm comm, int error)
{
    int class = class_of(error);
    return strata_agree(&class, 1, MPI_INT, MPI_MAX, comm) == MPI_SUCCESS ? class : MPI_ERR_OTHER;
}

/* So do the ranks of the host. A local peer whose call ended because `comm` was revoked is not
 * here. */
static int agree_here(struct allocation *a, MPI_Comm comm, int error)
{
    int class = class_of(error);
    if (strata_agree_unless_revoked(&class, 1, MPI_INT, MPI_MAX, a->host, &comm) == MPI_SUCCESS) {
        return class;
    }
    a->open = strata_revoked(&comm);
    return MPI_ERR_OTHER;
}

/* Finds each rank's part, in whole pages, one behind another. The sum fits in 64 bits, whatever the
 * ranks ask for. */
static int find_parts(struct allocation *a, MPI_Comm comm, size_t bytes, size_t *mine, size_t *all)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t most = (UINT64_MAX / (uint64_t)a->peers - page) / page * page;
    struct strata_mapped part = {.bytes = bytes < most ? (bytes + page - 1) / page * page : most};
    int error =
        PMPI_Allgather(&part, sizeof part, MPI_BYTE, a->peer, sizeof part, MPI_BYTE, a->host);
    int rank = 0;
    PMPI_Comm_rank(a->host, &rank);
    *all = *mine = 0;
    for (int i = 0; error == MPI_SUCCESS && i < a->peers; i++) {
        *mine = i == rank ? *all : *mine;
        *all += a->peer[i].bytes;
    }
    return agree_here(a, comm,
                      error != MPI_SUCCESS           ? error
                      : *all > strata_backing_free() ? MPI_ERR_NO_MEM
                                                     : MPI_SUCCESS);
}

/* Makes the memory of all parts. Pages lie near their rank, for it touches them first. */
static int make_window(struct allocation *a, size_t bytes, size_t mine, size_t all)
{
    int error = strata_window_create(&a->window, a->host, all);
    if (error == STRATA_OK) {
        a->pointer = a->window.base + mine;
        error = strata_backing_commit(a->pointer, bytes);
    }
    return error == STRATA_OK              ? MPI_SUCCESS
           : error == STRATA_ERR_TRANSPORT ? MPI_ERR_OTHER
                                           : MPI_ERR_NO_MEM;
}

/* The local peer's rank in MPI_COMM_WORLD, or MPI_UNDEFINED. */
static int find_owner(const struct allocation *a, int peer, int *owner)
{
    MPI_Group peers, world;
    int error = PMPI_Comm_group(a->host, &peers);
    if (error != MPI_SUCCESS) {
        return error;
    }
    error = PMPI_Comm_group(MPI_COMM_WORLD, &world);
    if (error == MPI_SUCCESS) {
        error = PMPI_Group_translate_ranks(peers, 1, &peer, world, owner);
        PMPI_Group_free(&world);
    }
    PMPI_Group_free(&peers);
    return error;
}

/* Finds the local peers' parts, by their addresses there and here. */
static int find_peers(struct allocation *a, MPI_Comm comm)
{
    uint64_t address = (uint64_t)(uintptr_t)a->pointer;
    uint64_t *addresses = strata_allocate((size_t)a->peers, sizeof *addresses);
    int error = agree_here(a, comm, addresses ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    const unsigned char *here = a->window.base;
    if (error == MPI_SUCCESS && addresses) {
        error = PMPI_Allgather(&address, 1, MPI_UINT64_T, addresses, 1, MPI_UINT64_T, a->host);
    }
    for (int i = 0; addresses && i < a->peers && error == MPI_SUCCESS; i++) {
        a->peer[i].address = addresses[i];
        a->peer[i].here = here;
        here += a->peer[i].bytes;
        error = find_owner(a, i, &a->peer[i].owner);
    }
    if (error == MPI_SUCCESS) {
        error = strata_mapped_add(a->peer, a->peers) == STRATA_OK ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    }
    strata_release(addresses);
    return error;
}

/* Every rank of the host takes part in each agreement, whatever its own error. */
static int allocate(MPI_Comm comm, size_t bytes, struct allocation *a)
{
    size_t mine = 0, all = 0;
    int error = strata_hosts_split(comm, &a->host);
    if (error != STRATA_OK) {
        return error == STRATA_ERR_MEMORY ? MPI_ERR_NO_MEM : MPI_ERR_OTHER;
    }
    PMPI_Comm_set_errhandler(a->host, MPI_ERRORS_RETURN);
    PMPI_Comm_size(a->host, &a->peers);
    a->peer = strata_allocate((size_t)a->peers, sizeof *a->peer);
    error = agree_here(a, comm, a->peer ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    error = error == MPI_SUCCESS && a->peer ? find_parts(a, comm, bytes, &mine, &all) : error;
    error = error == MPI_SUCCESS ? agree_here(a, comm, make_window(a, bytes, mine, all)) : error;
    return error == MPI_SUCCESS ? agree_here(a, comm, find_peers(a, comm)) : error;
}

/* Drops plans that were chosen for other memory; all ranks of comm do so. */
static void ask_again(MPI_Comm comm)
{
    struct strata_process *process = strata_process();
    struct strata_state *state = strata_state_peek(process, comm);
    if (state && state->group) {
        strata_plan_table_ask_again(&state->group->plans);
        strata_changed(process);
    }
}

int strata_alloc(MPI_Aint bytes, MPI_Comm comm, void *pointer)
{
    const char *text = strata_process() ? strata_communicator_wrong(comm) : "MPI is not running";
    struct allocation *a = text ? NULL : strata_allocate(1, sizeof *a);
    int error = MPI_SUCCESS;
    if (text) {
        return strata_raise(comm, strata_process() ? MPI_ERR_COMM : MPI_ERR_OTHER, "alloc", text);
    }
    int wrong = bytes < 0 || !pointer ? MPI_ERR_ARG : !a ? MPI_ERR_NO_MEM : MPI_SUCCESS;
    error = agree(comm, wrong);
    if (error == MPI_SUCCESS && a && pointer) {
        *a = (struct allocation){.window = {.handle = MPI_WIN_NULL}, .host = MPI_COMM_NULL};
        /* at least a byte, so that each allocation has a pointer of its own */
        error = agree(comm, allocate(comm, bytes > 0 ? (size_t)bytes : 1, a));
        if (error != MPI_SUCCESS) {
            strata_failed_leave(a->host, comm, &comm);
            destroy(a);
        } else {
            keep(a);
            ask_again(comm);
            memcpy(pointer, &a->pointer, sizeof a->pointer);
        }
    } else {
        strata_release(a);
    }
    return error == MPI_SUCCESS
               ? error
               : strata_raise(comm, error, "alloc",
                              wrong == MPI_ERR_ARG   ? "bytes are negative, or pointer is null"
                              : error == MPI_ERR_ARG ? "another rank's arguments are wrong"
                              : error == MPI_ERR_NO_MEM
                                  ? "not so much shared memory is free, or some rank cannot map it"
                                  : "the ranks could not agree");
}

int strata_free(void *pointer)
{
    struct allocation *a = take(pointer);
    if (!a) {
        return strata_raise(MPI_COMM_NULL, MPI_ERR_ARG, "free",
                            "this is no pointer that strata_alloc gave");
    }
    if (agree(a->host, MPI_SUCCESS) != MPI_SUCCESS) { /* else all ranks are here now; so freeing the
                                                         memory may wait in MPI, which moves no
                                                         requests */
        strata_failed_leave(a->host, a->host, NULL);
    }
    destroy(a);
    return MPI_SUCCESS;
}
