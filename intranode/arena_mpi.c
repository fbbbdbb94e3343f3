#include "intranode/arena.h"

#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "intranode/backing.h"
#include "intranode/regions.h"
#include "intranode/window_mpi.h"

struct strata_arena {
    MPI_Comm host; /* the caller's */
    struct strata_window window;
    uint64_t id;
    struct strata_regions *regions; /* in the window */
};

/* The worst status of all processes: a failure of one is everybody's. */
static int agree(MPI_Comm host, int status)
{
    int worst = status;
    if (PMPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, host)) {
        return STRATA_ERR_TRANSPORT;
    }
    return worst;
}

/* Differs between arenas of a host, even of programs that share the machine. */
static int find_id(MPI_Comm host, uint64_t *id)
{
    static _Atomic uint64_t created;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t nanoseconds = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    *id = (nanoseconds << 16) ^ ((uint64_t)getpid() << 8) ^ ++created;
    return PMPI_Bcast(id, 1, MPI_UINT64_T, 0, host) ? STRATA_ERR_TRANSPORT : STRATA_OK;
}

/* Every process maps the window at its own address, but equally far from a line's begin. */
static int agree_on_shift(MPI_Comm host, const unsigned char *base, size_t *shift)
{
    long mine = (long)((uintptr_t)base % STRATA_REGION_LINE);
    long bounds[2] = {mine, -mine};
    if (PMPI_Allreduce(MPI_IN_PLACE, bounds, 2, MPI_LONG, MPI_MAX, host)) {
        return STRATA_ERR_TRANSPORT;
    }
    *shift = (size_t)((STRATA_REGION_LINE - mine) % STRATA_REGION_LINE);
    return bounds[0] == -bounds[1] ? STRATA_OK : STRATA_ERR_UNSUPPORTED;
}

/* Rank 0 makes the list of regions; nobody goes on before it stands. */
static int set_up_regions(struct strata_arena *a, unsigned char *base, size_t bytes, int rank)
{
    int status = STRATA_OK;
    a->regions = (void *)base;
    if (rank == 0) {
        strata_window_spread(base, strata_regions_bytes(bytes));
        status = strata_regions_init(a->regions, bytes);
    }
    return agree(a->host, status);
}

/* The window's part of creation. Each step is agreed, so all ranks take the same way through it.
 * Where only some got a window it cannot be freed, for that is collective: it stays until the end.
 */
static int set_up(struct strata_arena *a, size_t bytes, int rank)
{
    size_t all = strata_regions_bytes(bytes) + STRATA_REGION_LINE;
    unsigned char *base = NULL;
    size_t shift = 0;
    bool fits = rank != 0 || all <= strata_backing_free();
    int status = agree(a->host, fits ? STRATA_OK : STRATA_ERR_CAPACITY);
    if (!status) {
        status = agree(a->host, strata_window_allocate(&a->window, a->host, rank == 0 ? all : 0));
        a->window.handle = status ? MPI_WIN_NULL : a->window.handle;
    }
    status = status ? status : agree(a->host, strata_window_open(&a->window, &base));
    status = status ? status : agree(a->host, agree_on_shift(a->host, base, &shift));
    status = status ? status : agree(a->host, find_id(a->host, &a->id));
    return status ? status : set_up_regions(a, base + shift, bytes, rank);
}

int strata_arena_create(MPI_Comm host, size_t bytes, struct strata_arena **arena)
{
    int rank = 0;
    PMPI_Comm_set_errhandler(host, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(host, &rank);
    struct strata_arena *a = strata_allocate(1, sizeof *a);
    int status = agree(host, a ? STRATA_OK : STRATA_ERR_MEMORY);
    if (status || !a) {
        strata_release(a);
        return status;
    }
    a->host = host;
    a->window.handle = MPI_WIN_NULL;
    status = set_up(a, bytes, rank);
    if (status) {
        strata_arena_destroy(a);
        return status;
    }
    *arena = a;
    return STRATA_OK;
}

void strata_arena_destroy(struct strata_arena *arena)
{
    if (arena) {
        strata_window_close(&arena->window);
        strata_release(arena);
    }
}

uint64_t strata_arena_id(const struct strata_arena *arena)
{
    return arena->id;
}

int strata_arena_take(struct strata_arena *arena, size_t bytes, size_t zeroed, int users,
                      uint64_t *offset)
{
    return strata_regions_take(arena->regions, bytes, zeroed, users, offset);
}

void strata_arena_drop(struct strata_arena *arena, uint64_t offset)
{
    strata_regions_drop(arena->regions, offset);
}

void *strata_arena_at(const struct strata_arena *arena, uint64_t offset)
{
    return (unsigned char *)arena->regions + offset;
}

size_t strata_arena_room(struct strata_arena *arena)
{
    return strata_regions_room(arena->regions);
}
