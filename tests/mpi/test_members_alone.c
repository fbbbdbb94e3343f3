/* With MPI_THREAD_FUNNELED the threads of a node begin and end a call like an earlier one, or a
 * persistent one, while the main thread is in no call: it has begun its own, and goes on only when
 * they have ended theirs. Their calls send no message, and a later call finds the main thread where
 * it waits for them.
 *
 * run: 1 STRATA_BCAST=node_bcast
 * run: 2 STRATA_TOPO=node:1 STRATA_BCAST=node_bcast
 * run: 2 STRATA_TOPO=node:1 STRATA_BCAST=node_bcast STRATA_WAIT=sleep
 * run: 2 STRATA_TOPO=node:1 STRATA_BCAST=node_bcast STRATA_WAIT=yield
 * timeout: 60 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "strata.h"
#include "tests/mpi/on_threads.h"
#include "tests/mpi/require.h"

enum { THREADS = 3, TIMES = 200, ROOT = 1, UNLIKE = 2 /* calls that the main thread helps */ };

static int rank, ranks;
static struct strata_members *members;
static atomic_int ended; /* calls of the threads beside the main one */
static bool apart;       /* on several nodes, so the main thread sends messages for all */

static void await_others(int turn)
{
    while (atomic_load(&ended) < (turn + 1) * (THREADS - 1)) {
        sched_yield();
    }
}

/* The main thread waits for the others outside of all calls in every second turn. */
static void end(int thread, int turn, struct strata_request **request)
{
    if (thread == 0 && !apart && turn >= UNLIKE && turn % 2 == 0) {
        await_others(turn);
    }
    succeed(strata_wait(request, MPI_STATUS_IGNORE));
    atomic_fetch_add(&ended, thread > 0);
}

static int sent_of(int turn)
{
    return 1000 + turn;
}

static void call(int thread, MPI_Comm handle)
{
    const bool roots = rank * THREADS + thread == ROOT;
    for (int turn = 0; turn < TIMES; turn++) {
        struct strata_request *request;
        int number = roots ? sent_of(turn) : 0;
        succeed(strata_ibcast(&number, 1, MPI_INT, ROOT, handle, &request));
        end(thread, turn, &request);
        REQUIRE_CMP(number, ==, sent_of(turn));
    }
}

static void call_persistently(int thread, MPI_Comm handle)
{
    const bool roots = rank * THREADS + thread == ROOT;
    struct strata_request *request;
    int number;
    succeed(strata_bcast_init(&number, 1, MPI_INT, ROOT, handle, MPI_INFO_NULL, &request));
    for (int turn = TIMES; turn < 2 * TIMES; turn++) {
        number = roots ? sent_of(turn) : 0;
        succeed(strata_start(&request));
        end(thread, turn, &request);
        REQUIRE_CMP(number, ==, sent_of(turn));
    }
    succeed(strata_request_free(&request));
}

static void *live(void *argument)
{
    const int thread = *(int *)argument;
    struct strata_report report = {.size = sizeof report};
    MPI_Comm handle;
    succeed(strata_members_comm(members, thread, &handle));
    call(thread, handle);
    succeed(strata_barrier(handle)); /* the main thread asks for its report when all are done */
    succeed(strata_comm_report(handle, &report));
    REQUIRE_CMP((int)report.messages_node, ==, 0);
    call_persistently(thread, handle);
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
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(MPI_COMM_WORLD, &report));
    apart = report.nodes > 1;
    on_threads(THREADS, live, threads, sizeof *threads);
    succeed(strata_members_free(&members));
    MPI_Finalize();
    return 0;
}
