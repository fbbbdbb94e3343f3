/* One rank is short of something while a communicator is set up: open files, address space, the
 * right to open files or to wake others. The calls of all ranks give the results of MPI's own,
 * without the node memory, and a description says so. The next communicator has the node memory,
 * when all have enough again. strata_alloc gives memory to all ranks or to none. The test also runs
 * under preload (tests/preload), in a program that knows nothing of Strata.
 *
 * run: 3
 * timeout: 30
 * */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "tests/mpi/deny.h"
#include "tests/mpi/require.h"
#ifndef PRELOADED
#include "tests/mpi/attached.h"
#define MPI_Allreduce strata_allreduce
#define MPI_Alltoall  strata_alltoall
#endif

enum { RANKS = 3 };

static int world_rank;

static void deny_files_and_waking(void)
{
    deny_call(SYS_openat, EACCES);
    deny_call(SYS_futex, ENOSYS);
}

static void no_more_files(void)
{
    struct rlimit limit;
    int next = dup(0);
    REQUIRE_CMP(next, >=, 0);
    REQUIRE_CMP(getrlimit(RLIMIT_NOFILE, &limit), ==, 0);
    REQUIRE_CMP(close(next), ==, 0);
    limit.rlim_cur = (rlim_t)next;
    REQUIRE_CMP(setrlimit(RLIMIT_NOFILE, &limit), ==, 0);
}

static void no_long_files(void)
{
    struct rlimit limit;
    REQUIRE_CMP(getrlimit(RLIMIT_FSIZE, &limit), ==, 0);
    limit.rlim_cur = 4096;
    REQUIRE_CMP(setrlimit(RLIMIT_FSIZE, &limit), ==, 0);
}

static void little_space(void)
{
    long pages = 0;
    struct rlimit limit;
    FILE *file = fopen("/proc/self/statm", "r");
    REQUIRE(file);
    REQUIRE_CMP(fscanf(file, "%ld", &pages), ==, 1);
    REQUIRE_CMP(fclose(file), ==, 0);
    REQUIRE_CMP(getrlimit(RLIMIT_AS, &limit), ==, 0);
    limit.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)8 << 20);
    REQUIRE_CMP(setrlimit(RLIMIT_AS, &limit), ==, 0);
}

/* A thread's denials end with the thread, limits do not. */
static void lift(void)
{
    static const int kinds[] = {RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_AS};
    for (int i = 0; i < 3; i++) {
        struct rlimit limit;
        REQUIRE_CMP(getrlimit(kinds[i], &limit), ==, 0);
        limit.rlim_cur = limit.rlim_max;
        REQUIRE_CMP(setrlimit(kinds[i], &limit), ==, 0);
    }
}

static void nothing(void)
{
}

/* In this order, because a process begins only once. */
static void (*const shortages[])(void) = {deny_files_and_waking, no_more_files, no_long_files,
                                          little_space, nothing};
enum { SHORTAGES = sizeof shortages / sizeof *shortages };
/* The node's files belong to the rank whose files may not be long. */
static const int orders[SHORTAGES][RANKS] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}, {1, 0, 2}};

struct work {
    MPI_Comm comm;
    void (*shortage)(void);
};

/* Under preload the first call is MPI's own. */
static void call(MPI_Comm comm)
{
    int rank, sent[RANKS], got[RANKS];
    MPI_Comm_rank(comm, &rank);
    for (int n = 0; n < 3; n++) {
        int one = rank + 1, sum = 0;
        REQUIRE(!MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
        REQUIRE_CMP(sum, ==, RANKS * (RANKS + 1) / 2);
        for (int i = 0; i < RANKS; i++) {
            sent[i] = 100 * rank + i;
        }
        REQUIRE(!MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, comm));
        for (int i = 0; i < RANKS; i++) {
            REQUIRE_CMP(got[i], ==, 100 * i + rank);
        }
    }
}

/* All ranks get memory that others may read, or none does. */
static void allocate(MPI_Comm comm)
{
#ifndef PRELOADED
    enum { LONG = 16 << 20 };
    unsigned char *memory = NULL;
    int right = strata_alloc(LONG, comm, &memory) == MPI_SUCCESS, least, most;
    REQUIRE_CMP(right, ==, memory != NULL);
    PMPI_Allreduce(&right, &least, 1, MPI_INT, MPI_MIN, comm);
    PMPI_Allreduce(&right, &most, 1, MPI_INT, MPI_MAX, comm);
    REQUIRE_CMP(least, ==, most);
    if (right) {
        memory[0] = memory[LONG - 1] = 1;
        succeed(strata_free(memory));
    }
#else
    (void)comm;
#endif
}

#ifndef PRELOADED
/* The description says whether there is staging memory. */
static void describe(MPI_Comm comm, bool staged)
{
    static char text[1 << 16];
    FILE *file = fmemopen(text, sizeof text - 1, "w");
    REQUIRE(file);
    succeed(strata_comm_describe(comm, file));
    REQUIRE_CMP(fclose(file), ==, 0);
    int rank;
    MPI_Comm_rank(comm, &rank);
    REQUIRE_CMP(rank == 0 && staged, ==, strstr(text, "\nstaging of a node: ") != NULL);
    REQUIRE_CMP(rank == 0 && !staged, ==, strstr(text, "\nstaging: none, ") != NULL);
    text[0] = '\0';
}
#endif

/* Sets up a second communicator of the same ranks as the first one. */
static void *run(void *argument)
{
    const struct work *work = argument;
    MPI_Comm second;
    MPI_Comm_dup(work->comm, &second);
    MPI_Comm_set_errhandler(second, MPI_ERRORS_RETURN);
    work->shortage();
    call(work->comm);
    call(second);
    allocate(second);
    MPI_Comm_free(&second);
    return NULL;
}

/* Each communicator has another order of ranks, so it is set up anew. */
static void test(int number)
{
    pthread_t thread;
    struct work work = {.shortage = world_rank == number % RANKS ? shortages[number] : nothing};
    MPI_Comm_split(MPI_COMM_WORLD, 0, orders[number][world_rank], &work.comm);
    MPI_Barrier(work.comm);
    REQUIRE_CMP(pthread_create(&thread, NULL, run, &work), ==, 0);
    REQUIRE_CMP(pthread_join(thread, NULL), ==, 0);
    lift();
#ifndef PRELOADED
    const int all = shortages[number] == nothing;
    REQUIRE_CMP(report_of(work.comm).standing, ==, STRATA_STANDING_ATTACHED);
    REQUIRE_CMP(report_of(work.comm).arena_bytes > 0, ==, all);
    describe(work.comm, all);
#endif
    MPI_Comm_free(&work.comm);
}

int main(int argc, char **argv)
{
    int level, ranks;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    REQUIRE_CMP(ranks, ==, RANKS);
    lift();
    for (int i = 0; i < SHORTAGES; i++) {
        test(i);
    }
    if (world_rank == 0) {
        printf("all right\n");
    }
    MPI_Finalize();
    return 0;
}
