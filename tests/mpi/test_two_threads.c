/* Collectives from several threads at once, on communicators of their own of the same ranks, though
 * the program asked MPI for MPI_THREAD_FUNNELED. The standard promises nothing there, and libraries
 * do it (PT-Scotch under PETSc). Open MPI 4 copes with it. MPICH on UCX fails in an assertion of
 * UCX. Open MPI 5.0.7 and 6.0.0rc2 crash, stand still or give wrong results without Strata. So the
 * program asks these for MPI_THREAD_MULTIPLE. Messages of 6.0.0rc2 then stand still in shared
 * memory, so with it they take TCP.
 *
 *   at once    two threads, each with a communicator of its own, made before
 *   making     the same, and each makes and frees some of its own while the other calls
 *   three      three threads that do so
 *   in turn    MPI_THREAD_SERIALIZED: two threads take turns call by call
 *
 * An argument takes one of them; without, the first three.
 *
 * run: 2
 * run: 3 STRATA_TOPO=node:2
 * run: 2 -- "in turn"
 * long: 3 STRATA_ALLTOALLV=leaders STRATA_ALLGATHER=node_allgather STRATA_ALLREDUCE=dpml STRATA_BCAST=node_bcast
 * long: 4
 * long: 3 STRATA_SHADOW=1
 * timeout: 60 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/mpi/numbers.h"
#include "tests/mpi/on_threads.h"
#include "tests/mpi/spelled.h"
#include "tests/mpis.h"

enum { ROUNDS = 300, MOST = 3000, RANKS = 8, THREADS = 3, LIMIT = 30 };

static int rank, ranks;
static atomic_int wrong; /* relaxed: read when the threads are joined */
static const char *running = "";

struct worker {
    int number, round;
    bool makes;
    MPI_Comm comm;
    int sent[RANKS * MOST], taken[RANKS * MOST], counts[RANKS], displs[RANKS];
};
static struct worker workers[THREADS];

/* Prints the case, and the round of each thread. */
static void stands_still(int signal)
{
    static const char failed[] = "FAILED: stands still: ";
    char rounds[4 * THREADS + 1];
    (void)signal;
    for (int t = 0; t < THREADS; t++) {
        int round = workers[t].round;
        rounds[4 * t] = ' ';
        rounds[4 * t + 1] = (char)('0' + round / 100 % 10);
        rounds[4 * t + 2] = (char)('0' + round / 10 % 10);
        rounds[4 * t + 3] = (char)('0' + round % 10);
    }
    rounds[4 * THREADS] = '\n';
    (void)!write(STDERR_FILENO, failed, sizeof failed - 1);
    (void)!write(STDERR_FILENO, running, strlen(running));
    (void)!write(STDERR_FILENO, rounds, sizeof rounds);
    _exit(1);
}

static int call_of(const struct worker *me)
{
    return 1000 * me->number + me->round;
}

static void judge(const struct worker *me, bool right, const char *call)
{
    if (!right && atomic_fetch_add_explicit(&wrong, 1, memory_order_relaxed) == 0) {
        fprintf(stderr, "FAILED: rank %d: %s: thread %d, round %d: %s\n", rank, running, me->number,
                me->round, call);
    }
}

static void exchange(struct worker *me, MPI_Comm comm, int length)
{
    bool right = true;
    memset(me->taken, 0xff, sizeof me->taken);
    for (int r = 0; r < ranks; r++) {
        me->counts[r] = length;
        me->displs[r] = r * length;
        fill_numbers(me->sent + r * length, length, call_of(me), rank, r);
    }
    int error = SPELLED(Alltoallv, alltoallv)(me->sent, me->counts, me->displs, MPI_INT, me->taken,
                                              me->counts, me->displs, MPI_INT, comm);
    for (int r = 0; r < ranks; r++) {
        right =
            right && wrong_number(me->taken + r * length, length, call_of(me), r, rank) == length;
    }
    judge(me, right && error == MPI_SUCCESS, "alltoallv");
}

static void collect(struct worker *me, MPI_Comm comm, int length)
{
    bool right = true;
    fill_numbers(me->sent, length, call_of(me), rank, 0);
    memset(me->taken, 0, sizeof me->taken);
    int error =
        SPELLED(Allgather, allgather)(me->sent, length, MPI_INT, me->taken, length, MPI_INT, comm);
    for (int r = 0; r < ranks; r++) {
        right = right && wrong_number(me->taken + r * length, length, call_of(me), r, 0) == length;
    }
    judge(me, right && error == MPI_SUCCESS, "allgather");
}

static void sum(struct worker *me, MPI_Comm comm, int length)
{
    bool right = true;
    for (int e = 0; e < length; e++) {
        me->sent[e] = me->number + rank + e + me->round;
        me->taken[e] = -1;
    }
    int error = SPELLED(Allreduce, allreduce)(me->sent, me->taken, length, MPI_INT, MPI_SUM, comm);
    for (int e = 0; e < length; e++) {
        right =
            right && me->taken[e] == ranks * (me->number + e + me->round) + ranks * (ranks - 1) / 2;
    }
    judge(me, right && error == MPI_SUCCESS, "allreduce");
}

static void tell(struct worker *me, MPI_Comm comm, int length)
{
    int root = me->round % ranks;
    memset(me->taken, 0xff, sizeof me->taken);
    if (rank == root) {
        fill_numbers(me->taken, length, call_of(me), root, 0);
    }
    int error = SPELLED(Bcast, bcast)(me->taken, length, MPI_INT, root, comm);
    bool right = wrong_number(me->taken, length, call_of(me), root, 0) == length;
    judge(me, right && error == MPI_SUCCESS, "bcast");
    judge(me, SPELLED(Barrier, barrier)(comm) == MPI_SUCCESS, "barrier");
}

static void (*const calls[])(struct worker *, MPI_Comm, int) = {exchange, collect, sum, tell};

static void one_round(struct worker *me, MPI_Comm comm)
{
    const int lengths[] = {1, 100, 7, MOST, 33};
    calls[(me->round + me->number) % 4](me, comm, lengths[me->round % 5]);
}

/* Every tenth round uses a communicator that the thread makes and frees itself. */
static void *work(void *argument)
{
    struct worker *me = argument;
    for (me->round = 0; me->round < ROUNDS; me->round++) {
        MPI_Comm made = MPI_COMM_NULL;
        if (me->makes && me->round % 10 == 9) {
            if (me->round % 20 == 9) {
                MPI_Comm_dup(me->comm, &made);
            } else {
                MPI_Comm_split(me->comm, 0, rank, &made);
            }
            one_round(me, made);
            one_round(me, made);
            one_round(me, made);
            MPI_Comm_free(&made);
        }
        one_round(me, me->comm);
    }
    return NULL;
}

static void prepare(int threads, bool makes)
{
    for (int t = 0; t < threads; t++) {
        workers[t].number = t;
        workers[t].round = 0;
        workers[t].makes = makes;
        MPI_Comm_dup(MPI_COMM_WORLD, &workers[t].comm);
    }
}

static void finish(int threads)
{
    for (int t = 0; t < threads; t++) {
        MPI_Comm_free(&workers[t].comm);
    }
}

static void at_once(const char *name, int threads, bool makes)
{
    running = name;
    alarm(LIMIT);
    prepare(threads, makes);
    on_threads(threads, work, workers, sizeof *workers);
    finish(threads);
}

/* On all ranks the turn passes in the same order: a call holds it until it ends. */
static pthread_mutex_t turn_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_passes = PTHREAD_COND_INITIALIZER;
static int turn;

static void *work_in_turn(void *argument)
{
    struct worker *me = argument;
    for (me->round = 0; me->round < ROUNDS; me->round++) {
        pthread_mutex_lock(&turn_lock);
        while (turn != me->number) {
            pthread_cond_wait(&turn_passes, &turn_lock);
        }
        one_round(me, me->comm);
        turn = 1 - turn;
        pthread_cond_broadcast(&turn_passes);
        pthread_mutex_unlock(&turn_lock);
    }
    return NULL;
}

static void in_turn(const char *name)
{
    pthread_t other;
    running = name;
    alarm(LIMIT);
    prepare(2, false);
    turn = 0;
    pthread_create(&other, NULL, work_in_turn, &workers[1]);
    work_in_turn(&workers[0]);
    pthread_join(other, NULL);
    finish(2);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    int level;
    bool serialized = strcmp(only, "in turn") == 0;
    if (!serialized) {
        threads_take_tcp();
    }
    const int at_once_at = is_open_mpi() == 4 ? MPI_THREAD_FUNNELED : MPI_THREAD_MULTIPLE;
    MPI_Init_thread(&argc, &argv, serialized ? MPI_THREAD_SERIALIZED : at_once_at, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    signal(SIGALRM, stands_still);
    if (serialized) {
        in_turn("in turn");
    }
    if (!*only || strcmp(only, "at once") == 0) {
        at_once("at once", 2, false);
    }
    if (!*only || strcmp(only, "making") == 0) {
        at_once("making", 2, true);
    }
    if (!*only || strcmp(only, "three") == 0) {
        at_once("three", 3, true);
    }
    alarm(0);
    int mine = atomic_load_explicit(&wrong, memory_order_relaxed), any = 0;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf(any ? "%d calls wrong\n" : "all right\n", any);
    }
    MPI_Finalize();
    return any != 0;
}
