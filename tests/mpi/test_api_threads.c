/* Threads with a communicator each, at MPI_THREAD_MULTIPLE. Plans serve all of them, and the state
 * of the whole process stays as the program left it. An argument is the number of rounds.
 *
 * run: 2
 * run: 3 -- 1
 * run: 4 STRATA_TOPO=node:2
 * timeout: 240 */
#include <stdbool.h>
#include <stdlib.h>

#include "include/strata.h"
#include "tests/mpi/numbers.h"
#include "tests/mpi/require.h"
#include "tests/mpis.h"

#define THREADS 4
#define CALLS   24
#define ROUNDS  3
#define MOST    6000 /* ints: far above the threshold, so the block goes rank to rank */

/* Exchanges blocks of changing size; large blocks go from rank to rank. */
static void exchange(MPI_Comm comm, int call)
{
    int rank, ranks, length = call % 2 ? MOST : 1 + call % 7;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int *send = malloc(MOST * (size_t)ranks * sizeof *send);
    int *recv = malloc(MOST * (size_t)ranks * sizeof *recv);
    int *counts = malloc(2 * (size_t)ranks * sizeof *counts), *displs = counts + ranks;
    REQUIRE(send);
    REQUIRE(recv);
    REQUIRE(counts);
    for (int i = 0; i < ranks; i++) {
        counts[i] = length;
        displs[i] = i * length;
        fill_numbers(send + i * length, length, call, rank, i);
    }
    succeed(strata_alltoallv(send, counts, displs, MPI_INT, recv, counts, displs, MPI_INT, comm));
    for (int i = 0; i < ranks; i++) {
        REQUIRE_NUMBERS(recv + i * length, length, call, i, rank);
    }
    free(send);
    free(recv);
    free(counts);
}

/* Operators are checked with data that all threads share. */
static void reduce(MPI_Comm comm, int call)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int mine = call + rank, sum = -1;
    succeed(strata_allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm));
    REQUIRE_CMP(sum, ==, call * ranks + ranks * (ranks - 1) / 2);
    int root = call % ranks, told = rank == root ? call : -1;
    succeed(strata_bcast(&told, 1, MPI_INT, root, comm));
    REQUIRE_CMP(told, ==, call);
}

static bool attached(MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(comm, &report));
    if (report.standing != STRATA_STANDING_ATTACHED) {
        fprintf(stderr, "standing %d: %s\n", (int)report.standing, report.why);
    }
    return report.standing == STRATA_STANDING_ATTACHED;
}

/* The first calls of all threads attach at the same time. */
static void run_threads(MPI_Errhandler usual)
{
    MPI_Comm comms[THREADS];
    MPI_Errhandler found;
    for (int t = 0; t < THREADS; t++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[t]);
    }
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
    for (int t = 0; t < THREADS; t++) {
        for (int call = 0; call < CALLS; call++) {
            exchange(comms[t], call);
            reduce(comms[t], call);
        }
    }
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
    REQUIRE_CMP(found, ==, usual);
    MPI_Errhandler_free(&found);
    for (int t = 0; t < THREADS; t++) {
        REQUIRE(attached(comms[t]));
        MPI_Comm_free(&comms[t]);
    }
}

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    REQUIRE(!"an error");
}

int main(int argc, char **argv)
{
    int level, rank;
    MPI_Errhandler usual;
    threads_take_tcp();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_errhandler(handle, &usual);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, usual);
    int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
    for (int i = 0; i < rounds && level == MPI_THREAD_MULTIPLE; i++) {
        run_threads(usual);
    }
    if (level != MPI_THREAD_MULTIPLE && rank == 0) {
        printf("not run: this MPI grants no MPI_THREAD_MULTIPLE\n");
    }
    MPI_Errhandler_free(&usual);
    MPI_Finalize();
    return 0;
}
