/* With MPI_THREAD_FUNNELED a thread begins a nonblocking call like its last one although the main
 * thread is in no call: here the main thread comes when the others have begun. Then they wait for
 * the main thread, which moves all calls, and before it begins its own it sleeps at times, so that
 * they do, too.
 *
 * run: 1
 * run: 2 STRATA_WAIT=sleep
 * run: 2 STRATA_TOPO=node:1 STRATA_WAIT=yield
 * timeout: 60 */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "strata.h"
#include "tests/mpi/on_threads.h"
#include "tests/mpi/require.h"

enum { THREADS = 3, TIMES = 200, SELDOM = 50, PAUSE = 5000000 /* ns */ };

static int rank, ranks;
static struct strata_members *members;
static atomic_int begun; /* calls of the threads beside the main one */

/* The first call is an errand of the main thread. */
static void await_others(int turn)
{
    while (turn > 0 && atomic_load(&begun) < turn * (THREADS - 1)) {
    }
    if (turn % SELDOM == 0) {
        nanosleep(&(struct timespec){.tv_nsec = PAUSE}, NULL);
    }
}

static void *call(void *argument)
{
    const int thread = *(int *)argument, all = ranks * THREADS, mine = rank * THREADS + thread;
    int in, sum;
    MPI_Comm handle;
    succeed(strata_members_comm(members, thread, &handle));
    for (int turn = 0; turn < TIMES; turn++) {
        struct strata_request *request;
        if (thread == 0) {
            await_others(turn);
        }
        in = turn + mine;
        succeed(strata_iallreduce(&in, &sum, 1, MPI_INT, MPI_SUM, handle, &request));
        atomic_fetch_add(&begun, thread > 0 && turn > 0);
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
        REQUIRE_CMP(sum, ==, all * turn + all * (all - 1) / 2);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int level, threads[THREADS] = {0, 1, 2};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    REQUIRE_CMP(level, >=, MPI_THREAD_FUNNELED);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    succeed(strata_members_create(MPI_COMM_WORLD, THREADS, &members));
    on_threads(THREADS, call, threads, sizeof *threads);
    succeed(strata_members_free(&members));
    MPI_Finalize();
    return 0;
}
