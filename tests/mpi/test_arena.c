/* The arena: one window per host, with regions that one process takes and all use.
 *
 * run: 1,2,4
 * run: 7
 */
#include <stdatomic.h>
#include <string.h>
#include <sys/statvfs.h>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "intranode/arena.h"
#include "tests/mpi/require.h"
#include "tests/random.h"

static MPI_Comm host; /* the processes that share memory, with their own rank and ranks */
static int rank, ranks;

/* Each process writes its part of a region, and all see all parts. */
static void test_shared(struct strata_arena *arena)
{
    enum { PART = 5000 };
    uint64_t offset = 0;
    if (rank == 0) {
        size_t bytes = (size_t)ranks * PART;
        REQUIRE(!strata_arena_take(arena, bytes, bytes, ranks, NULL, &offset));
    }
    MPI_Bcast(&offset, 1, MPI_UINT64_T, 0, host);
    unsigned char *memory = strata_arena_at(arena, offset);
    REQUIRE_CMP((uintptr_t)memory % 128, ==, 0);
    REQUIRE_CMP(memory[rank * PART], ==, 0);
    REQUIRE_CMP(memory[rank * PART + PART - 1], ==, 0);
    MPI_Barrier(host);
    memset(memory + (size_t)rank * PART, rank + 1, PART);
    atomic_thread_fence(memory_order_seq_cst);
    MPI_Barrier(host);
    for (int r = 0; r < ranks; r++) {
        REQUIRE_CMP(memory[r * PART], ==, r + 1);
        REQUIRE_CMP(memory[r * PART + PART - 1], ==, r + 1);
    }
    strata_arena_drop(arena, offset);
}

/* All processes take and drop regions at the same time. No region is given to two. */
static void test_together(struct strata_arena *arena)
{
    struct random r = {(uint64_t)rank + 1};
    int taken = 0;
    for (int i = 0; i < 2000; i++) {
        uint64_t offset;
        size_t bytes = (size_t)random_between(&r, 8, 20000);
        if (strata_arena_take(arena, bytes, 8, 1, NULL, &offset) == STRATA_OK) {
            _Atomic uint64_t *word = strata_arena_at(arena, offset);
            REQUIRE_CMP(atomic_fetch_add(word, 1), ==, 0);
            strata_arena_drop(arena, offset);
            taken++;
        }
    }
    REQUIRE_CMP(taken, >, 0);
}

/* Drops the regions of all users in any order, until the arena is whole again. */
static void test_users(struct strata_arena *arena, size_t whole)
{
    enum { REGIONS = 20 };
    uint64_t offset[REGIONS];
    int order[REGIONS];
    struct random r = {(uint64_t)rank + 77};
    for (int i = 0; i < REGIONS; i++) {
        order[i] = i;
        if (i % ranks == rank) {
            REQUIRE(!strata_arena_take(arena, (size_t)(100 * i), 0, ranks, NULL, &offset[i]));
        }
        MPI_Bcast(&offset[i], 1, MPI_UINT64_T, i % ranks, host);
    }
    REQUIRE_CMP(strata_arena_largest(arena), <, whole);
    random_shuffle(&r, order, REGIONS);
    MPI_Barrier(host);
    for (int i = 0; i < REGIONS; i++) {
        strata_arena_drop(arena, offset[order[i]]);
    }
    MPI_Barrier(host);
    REQUIRE_CMP(strata_arena_largest(arena), ==, whole);
}

/* Two arenas at once have two numbers, which are the same on all processes. */
static void test_ids(struct strata_arena *arena)
{
    struct strata_arena *other;
    uint64_t id[2], first[2];
    REQUIRE(!strata_arena_create(host, 4096, true, &other));
    id[0] = first[0] = strata_arena_id(arena);
    id[1] = first[1] = strata_arena_id(other);
    MPI_Bcast(first, 2, MPI_UINT64_T, 0, host);
    REQUIRE_CMP(id[0], ==, first[0]);
    REQUIRE_CMP(id[1], ==, first[1]);
    REQUIRE_CMP(id[0], !=, id[1]);
    strata_arena_destroy(other);
}

/* Too large an arena is an error on every process, without a signal, and the next arena works. */
static void test_too_large(void)
{
    struct statvfs fs;
    struct strata_arena *arena = NULL;
    REQUIRE_CMP(statvfs("/dev/shm", &fs), ==, 0);
    size_t bytes = (size_t)fs.f_bavail * fs.f_frsize;
    REQUIRE_CMP(strata_arena_create(host, bytes + (1 << 20), true, &arena), ==,
                STRATA_ERR_CAPACITY);
    /* so little less that an MPI that wants some more would not come back */
    REQUIRE_CMP(strata_arena_create(host, bytes - bytes / 32, true, &arena), ==,
                STRATA_ERR_CAPACITY);
    REQUIRE_CMP(arena, ==, NULL);
}

/* If one process has no memory, all fail. */
static void test_no_memory(void)
{
    struct strata_arena *arena = NULL;
    if (rank == ranks - 1) {
        strata_memory_fail_after(1);
    }
    int error = strata_arena_create(host, 4096, true, &arena);
    strata_memory_fail_after(-1);
    REQUIRE_CMP(error, ==, STRATA_ERR_MEMORY);
    REQUIRE_CMP(arena, ==, NULL);
}

int main(int argc, char **argv)
{
    enum { BYTES = 1 << 20 };
    struct strata_arena *arena;
    MPI_Init(&argc, &argv);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &rank);
    MPI_Comm_size(host, &ranks);
    REQUIRE(!strata_arena_create(host, BYTES, true, &arena));
    REQUIRE_CMP(strata_arena_largest(arena), ==, BYTES);
    MPI_Barrier(host);
    test_shared(arena);
    test_together(arena);
    MPI_Barrier(host);
    REQUIRE_CMP(strata_arena_largest(arena), ==, BYTES);
    MPI_Barrier(host);
    test_users(arena, BYTES);
    test_ids(arena);
    test_too_large();
    test_no_memory();
    MPI_Barrier(host);
    strata_arena_destroy(arena);
    strata_arena_destroy(NULL);
    if (rank == 0) {
        printf("arena: %d ranks: ok\n", ranks);
    }
    MPI_Comm_free(&host);
    MPI_Finalize();
    return 0;
}
