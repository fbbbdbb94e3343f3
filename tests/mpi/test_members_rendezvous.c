/* With MPI_THREAD_FUNNELED the main thread lets its rank's messages leave while it waits for the
 * rank's other threads at the end of a call. One rank begins to send a large message and calls; its
 * main thread has soon done its share, but another thread waits for the partner, which has still to
 * receive the message and only then calls. An argument is the number of repeats.
 *
 * run: 2 STRATA_TOPO=node:1 OMPI_MCA_btl_vader_single_copy_mechanism=none
 * run: 2 STRATA_TOPO=node:1 STRATA_WAIT=sleep OMPI_MCA_btl_vader_single_copy_mechanism=none
 * run: 3 STRATA_TOPO=node:2 OMPI_MCA_btl_vader_single_copy_mechanism=none
 * timeout: 60 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "strata.h"
#include "tests/mpi/on_threads.h"
#include "tests/mpi/require.h"

enum { LARGE = 1 << 24, THREADS = 2, MOST_RANKS = 16, TIMES = 24 };

static int rank, ranks, times = TIMES;
static struct strata_members *members;
static unsigned char sent[LARGE], received[LARGE];

/* The root is thread 1 of the rank that sends the message. */
static void gather(int thread, MPI_Comm handle, int turn, int early)
{
    const int in = turn + 10 * rank + thread, root = early * THREADS + 1;
    int out[MOST_RANKS * THREADS] = {0}, sum = 0;
    succeed(strata_gather(&in, 1, MPI_INT, out, 1, MPI_INT, root, handle));
    for (int i = 0; thread == 1 && rank == early && i < ranks * THREADS; i++) {
        REQUIRE_CMP(out[i], ==, turn + 10 * (i / THREADS) + i % THREADS);
    }
    succeed(strata_reduce(&in, &sum, 1, MPI_INT, MPI_MAX, root, handle));
    if (thread == 1 && rank == early) {
        REQUIRE_CMP(sum, ==, turn + 10 * (ranks - 1) + 1);
    }
}

/* Each rank in turn is the late one: its main thread first receives from its left neighbour. */
static void *call(void *argument)
{
    const int thread = *(int *)argument;
    MPI_Comm handle;
    succeed(strata_members_comm(members, thread, &handle));
    for (int turn = 0; turn < times; turn++) {
        const int late = turn % ranks, early = (late + ranks - 1) % ranks;
        MPI_Request request = MPI_REQUEST_NULL;
        if (thread == 0 && rank == early) {
            memset(sent, 1 + turn % 255, LARGE);
            MPI_Isend(sent, LARGE, MPI_BYTE, late, 0, MPI_COMM_WORLD, &request);
        } else if (thread == 0 && rank == late) {
            MPI_Recv(received, LARGE, MPI_BYTE, early, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            REQUIRE_CMP(received[LARGE - 1], ==, 1 + turn % 255);
        }
        gather(thread, handle, turn, early);
        if (thread == 0) {
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int level, threads[THREADS] = {0, 1};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    REQUIRE_CMP(level, >=, MPI_THREAD_FUNNELED);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    REQUIRE_CMP(ranks, <=, MOST_RANKS);
    times = argc > 1 ? atoi(argv[1]) : times;
    succeed(strata_members_create(MPI_COMM_WORLD, THREADS, &members));
    on_threads(THREADS, call, threads, sizeof *threads);
    succeed(strata_members_free(&members));
    MPI_Finalize();
    return 0;
}
