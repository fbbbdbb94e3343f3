#include "intranode/arena.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "intranode/backing.h"
#include "intranode/pages.h"
#include "intranode/regions.h"
#include "intranode/window_mpi.h"

struct strata_arena {
    MPI_Comm host; /* the caller's */
    struct strata_window window;
    uint64_t id;
    struct strata_regions *regions; /* in the window */
};

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

/* Rank 0 creates the list of regions behind the arena's id; no process goes on before both
 * exist. */
static int set_up_regions(struct strata_arena *a, size_t bytes, int rank, bool spread)
{
    unsigned char *base = a->window.base;
    int status = STRATA_OK;
    a->regions = (void *)(base + STRATA_REGION_LINE);
    if (rank == 0) {
        if (spread) {
            strata_pages_spread(base, a->window.bytes);
        }
        status = strata_backing_commit(base, sizeof a->id);
        status = status ? status : strata_regions_init(a->regions, bytes);
        if (!status) {
            memcpy(base, &a->id, sizeof a->id);
        }
    }
    return strata_window_agree(a->host, status);
}

/* Tries whether processes share memory, even if MPI says that they do. */
static int try(const struct strata_arena *a)
{
    bool same = memcmp(a->window.base, &a->id, sizeof a->id) == 0;
    return strata_window_agree(a->host, same ? STRATA_OK : STRATA_ERR_CAPACITY);
}

/* The window's part of creation. Each step is agreed, so all ranks take the same way through it. */
static int set_up(struct strata_arena *a, size_t bytes, int rank, bool spread)
{
    size_t all = STRATA_REGION_LINE + strata_regions_bytes(bytes);
    int status = strata_window_create(&a->window, a->host, all);
    status = status ? status : strata_window_agree(a->host, find_id(a->host, &a->id));
    status = status ? status : set_up_regions(a, bytes, rank, spread);
    return status ? status : try(a);
}

int strata_arena_create(MPI_Comm host, size_t bytes, bool spread, struct strata_arena **arena)
{
    int rank = 0;
    PMPI_Comm_set_errhandler(host, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(host, &rank);
    struct strata_arena *a = strata_allocate(1, sizeof *a);
    int status = strata_window_agree(host, a ? STRATA_OK : STRATA_ERR_MEMORY);
    if (status || !a) {
        strata_release(a);
        return status;
    }
    a->host = host;
    status = set_up(a, bytes, rank, spread);
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
        strata_window_destroy(&arena->window);
        strata_release(arena);
    }
}

uint64_t strata_arena_id(const struct strata_arena *arena)
{
    return arena->id;
}

int strata_arena_take(struct strata_arena *arena, size_t bytes, size_t zeroed, int users,
                      const struct strata_region_advice *advice, uint64_t *offset)
{
    return strata_regions_take(arena->regions, bytes, zeroed, users, advice, offset);
}

void strata_arena_drop(struct strata_arena *arena, uint64_t offset)
{
    strata_regions_drop(arena->regions, offset);
}

void *strata_arena_at(const struct strata_arena *arena, uint64_t offset)
{
    return (unsigned char *)arena->regions + offset;
}

size_t strata_arena_largest(struct strata_arena *arena)
{
    return strata_regions_largest(arena->regions);
}
