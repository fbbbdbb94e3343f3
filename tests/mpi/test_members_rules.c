/* What members are refused, by errors that come back: wrong numbers of threads, teams of another
 * size, a thread that comes twice, handles where a communicator of ranks must be, calls that no
 * plan serves, calls for whose plan a rank has no memory, and two threads with one handle. And what
 * holds of right ones: duplicates do not meet the first ones, the communicator may go, a thread
 * that waits for others moves requests, and between nodes members send as many messages as ranks.
 * Where members disagree about a length, or MPI refuses one a message, no thread waits for ever,
 * whatever level MPI has.
 *
 * An argument names the level that the program asks of MPI.
 *
 * run: 1 -- single
 * run: 2 -- funneled
 * run: 2 -- serialized
 * run: 2 -- multiple
 * run: 2 STRATA_TOPO=node:2 STRATA_ALLTOALLV=leaders STRATA_BCAST=binomial STRATA_THRESHOLD=256 -- funneled
 * run: 2 STRATA_TOPO=node:2 -- multiple
 * run: 4 STRATA_TOPO=node:2 STRATA_ALLTOALLV=leaders STRATA_ALLGATHER=node_allgather STRATA_ALLREDUCE=dpml STRATA_BCAST=node_bcast -- messages
 * timeout: 60 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "strata.h"
#include "tests/mpi/on_threads.h"
#include "tests/mpi/require.h"
#include "tests/mpi/thread_words.h"

enum { THREADS = 3, MOST = 8 };

static int rank, ranks, level;
static struct strata_members *members;
static atomic_bool refuses; /* MPI refuses the next message */

/* The program's definition precedes the MPI library's, which is the next one. */
int PMPI_Isend(const void *send, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    int (*real)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    void *symbol = dlsym(RTLD_NEXT, "PMPI_Isend");
    memcpy(&real, &symbol, sizeof real);
    return atomic_exchange(&refuses, false) ? MPI_ERR_OTHER
                                            : real(send, count, type, to, tag, comm, request);
}

static int class_of(int error)
{
    int class = MPI_SUCCESS;
    MPI_Error_class(error, &class);
    return class;
}

#define REFUSED(call, as) REQUIRE_CMP(class_of(call), ==, as)

/* A body that each thread of the rank runs, the main thread among them. */
typedef void thread_body(int thread, MPI_Comm handle);

struct start {
    thread_body *body;
    int thread;
    struct strata_members *of;
};

static void *run_thread(void *argument)
{
    const struct start *s = argument;
    MPI_Comm handle;
    succeed(strata_members_comm(s->of, s->thread, &handle));
    s->body(s->thread, handle);
    return NULL;
}

static void run_threads(struct strata_members *of, int threads, thread_body *body)
{
    struct start start[MOST] = {{body, 0, of}};
    for (int t = 1; t < threads; t++) {
        start[t] = (struct start){body, t, of};
    }
    on_threads(threads, run_thread, start, sizeof *start);
}

static void create_wrongly(void)
{
    MPI_Comm inter = MPI_COMM_NULL;
    struct strata_members *none = NULL;
    REFUSED(strata_members_create(MPI_COMM_NULL, 1, &none), MPI_ERR_COMM);
    REFUSED(strata_members_create(MPI_COMM_WORLD, rank == ranks - 1 ? 0 : 1, &none), MPI_ERR_ARG);
    REFUSED(strata_members_create(MPI_COMM_WORLD, 65, &none), MPI_ERR_ARG);
    REFUSED(strata_members_create(MPI_COMM_WORLD, 1, NULL), MPI_ERR_ARG);
    if (ranks > 1) {
        MPI_Comm half;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &inter);
        MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
        REFUSED(strata_members_create(inter, 1, &none), MPI_ERR_COMM);
        MPI_Comm_free(&inter);
        MPI_Comm_free(&half);
    }
    REQUIRE(!none);
}

static void ask_wrongly(void)
{
    MPI_Comm handle;
    int number;
    REFUSED(strata_members_comm(NULL, 0, &handle), MPI_ERR_ARG);
    REFUSED(strata_members_comm(members, -1, &handle), MPI_ERR_ARG);
    REFUSED(strata_members_comm(members, THREADS, &handle), MPI_ERR_ARG);
    REFUSED(strata_members_comm(members, 0, NULL), MPI_ERR_ARG);
    REFUSED(strata_members_rank(MPI_COMM_WORLD, &number), MPI_ERR_COMM);
    REFUSED(strata_members_size(MPI_COMM_NULL, &number), MPI_ERR_COMM);
    succeed(strata_members_comm(members, 1, &handle));
    REFUSED(strata_members_size(handle, NULL), MPI_ERR_ARG);
    succeed(strata_members_size(handle, &number));
    REQUIRE_CMP(number, ==, THREADS * ranks);
    succeed(strata_members_rank(handle, &number));
    REQUIRE_CMP(number, ==, THREADS * rank + 1);
}

/* A handle is no communicator of ranks. */
static void use_handle_wrongly(void)
{
    MPI_Comm handle;
    struct strata_members *none = NULL;
    struct strata_chain *chain = NULL;
    void *memory = NULL;
    succeed(strata_members_comm(members, 0, &handle));
    REFUSED(strata_members_create(handle, 1, &none), MPI_ERR_COMM);
    REFUSED(strata_comm_attach(handle, ""), MPI_ERR_COMM);
    REFUSED(strata_comm_detach(handle), MPI_ERR_COMM);
    REFUSED(strata_comm_force(handle, "bcast", "auto"), MPI_ERR_COMM);
    REFUSED(strata_comm_same_bits(handle, 1), MPI_ERR_COMM);
    REFUSED(strata_comm_describe(handle, stderr), MPI_ERR_COMM);
    REFUSED(strata_comm_draw(handle, stderr), MPI_ERR_COMM);
    REFUSED(strata_alloc(64, handle, &memory), MPI_ERR_COMM);
    REFUSED(strata_chain_create(handle, &chain), MPI_ERR_COMM);
}

/* The main thread joins twice, before the others have come. */
static void join_twice(void)
{
    MPI_Comm handle, again;
    succeed(strata_members_join(members, &handle));
    REFUSED(strata_members_join(members, &again), MPI_ERR_ARG);
}

static void *join_as_other(void *argument)
{
    int *error = argument;
    MPI_Comm handle;
    *error = strata_members_join(members, &handle);
    return NULL;
}

/* Joins from so many other threads; returns how many of them got an error of that class. Their
 * numbers differ as long as they all exist. */
static int others_join(int count, int class)
{
    pthread_t other[MOST];
    int error[MOST] = {0};
    for (int t = 0; t < count; t++) {
        pthread_create(&other[t], NULL, join_as_other, &error[t]);
    }
    for (int t = 0; t < count; t++) {
        pthread_join(other[t], NULL);
    }
    int such = 0;
    for (int t = 0; t < count; t++) {
        such += class_of(error[t]) == class;
    }
    return such;
}

static void join_in_teams(void)
{
    int refused = 0, joined = 0;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(THREADS - 1) reduction(+ : refused)
    {
        MPI_Comm handle;
        refused += strata_members_join(members, &handle) != MPI_SUCCESS;
    }
    REQUIRE_CMP(refused, ==, THREADS - 1);
#pragma omp parallel num_threads(THREADS) reduction(+ : joined)
    {
        MPI_Comm handle;
        joined += strata_members_join(members, &handle) == MPI_SUCCESS &&
                  strata_barrier(handle) == MPI_SUCCESS;
    }
    REQUIRE_CMP(joined, ==, THREADS);
}

static void add(void *from, void *into, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++) {
        ((int *)into)[i] += ((const int *)from)[i];
    }
}

static MPI_Op own_sum;

/* No plan serves a nonblocking reduction with an operator of the program's, and MPI's own would
 * know nothing of the threads. The blocking one is served. */
static void reduce_by_own(int thread, MPI_Comm handle)
{
    struct strata_request *request = NULL;
    int one = 1, sum = 0;
    (void)thread;
    REFUSED(strata_iallreduce(&one, &sum, 1, MPI_INT, own_sum, handle, &request),
            MPI_ERR_UNSUPPORTED_OPERATION);
    REFUSED(strata_allreduce_init(&one, &sum, 1, MPI_INT, own_sum, handle, MPI_INFO_NULL, &request),
            MPI_ERR_UNSUPPORTED_OPERATION);
    REQUIRE(!request);
    REFUSED(strata_allreduce(&one, &sum, -1, MPI_INT, own_sum, handle), MPI_ERR_COUNT);
    succeed(strata_allreduce(&one, &sum, 1, MPI_INT, own_sum, handle));
    REQUIRE_CMP(sum, ==, THREADS * ranks);
}

/* The last rank lacks memory for a plan, so no member has one, and the next call is right. */
static void lack_memory(int thread, MPI_Comm handle)
{
    const bool lacks = rank == ranks - 1 && thread == 0;
    int number, all[MOST * MOST];
    succeed(strata_members_rank(handle, &number));
    for (int round = 0; round < 2; round++) {
        succeed(strata_barrier(handle));
        if (lacks) {
            strata_memory_fail_after(round == 0 ? 1 : -1);
        }
        succeed(strata_barrier(handle));
        REFUSED(strata_allgather(&number, 1, MPI_INT, all, 1, MPI_INT, handle),
                round == 0 ? MPI_ERR_NO_MEM : MPI_SUCCESS);
    }
    for (int i = 0; i < THREADS * ranks; i++) {
        REQUIRE_CMP(all[i], ==, i);
    }
}

static struct strata_members *newer;

/* Threads call by both in different orders of arrival. */
static void call_by_both(int thread, MPI_Comm handle)
{
    MPI_Comm other;
    int one = 1, sum = 0, most = 0;
    succeed(strata_members_comm(newer, thread, &other));
    for (int i = 0; i < 20; i++) {
        succeed(strata_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, handle));
        succeed(strata_allreduce(&thread, &most, 1, MPI_INT, MPI_MAX, other));
        REQUIRE_CMP(sum, ==, THREADS * ranks);
        REQUIRE_CMP(most, ==, THREADS - 1);
    }
}

/* Threads complete a request before the next call, or after it. On rank 0 all threads but
 * the last are in that call, a first one, for which the rank's threads must come, while the last
 * one still waits for the request: for its end, or for a rank that has completed its own. */
static void complete_early_or_late(int thread, MPI_Comm handle)
{
    struct strata_request *request = NULL;
    int one = 1, sum = 0;
    const bool last = thread == THREADS - 1, late = rank == 0 && !last;
    const bool tells = level == MPI_THREAD_MULTIPLE && ranks > 1 && last;
    if (rank > 0) {
        usleep(100000);
    }
    succeed(strata_iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, handle, &request));
    if (tells && rank == 0) {
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (!late) {
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    }
    if (tells && rank == 1) {
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    succeed(strata_barrier(handle));
    if (late) {
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    }
    REQUIRE_CMP(sum, ==, THREADS * ranks);
}

static atomic_int in_call;

/* Two threads make a call by one handle: the one that comes second is refused. The others' part of
 * the call comes when that has happened. */
static void *call_by_one(void *argument)
{
    MPI_Comm *handle = argument;
    const int error = class_of(strata_barrier(*handle));
    REQUIRE(error == MPI_SUCCESS || error == MPI_ERR_OTHER);
    atomic_fetch_add(&in_call, error == MPI_ERR_OTHER);
    return NULL;
}

static void *wait_and_call(void *argument)
{
    while (atomic_load(&in_call) == 0) {
    }
    succeed(strata_barrier(*(MPI_Comm *)argument));
    return NULL;
}

static void share_a_handle(void)
{
    pthread_t twice[2], other[THREADS];
    MPI_Comm handle[THREADS];
    for (int t = 0; t < THREADS; t++) {
        succeed(strata_members_comm(members, t, &handle[t]));
    }
    pthread_create(&twice[0], NULL, call_by_one, &handle[0]);
    pthread_create(&twice[1], NULL, call_by_one, &handle[0]);
    for (int t = 1; t < THREADS; t++) {
        pthread_create(&other[t], NULL, wait_and_call, &handle[t]);
    }
    for (int t = 0; t < 2; t++) {
        pthread_join(twice[t], NULL);
    }
    for (int t = 1; t < THREADS; t++) {
        pthread_join(other[t], NULL);
    }
}

/* The members of the last rank expect another length than the root has: of the same bucket, after
 * which calls go on, and of another, after which a rank may be out of step. They get no vector, but
 * an error. */
static void disagree(int thread, MPI_Comm handle)
{
    static const int counts[] = {100, 120, 100, 900};
    (void)thread;
    for (int i = 0; i < 4; i++) {
        const int mine = counts[rank == ranks - 1 ? i : 0];
        int data[900] = {0};
        const int class = class_of(strata_bcast(data, mine, MPI_INT, 0, handle));
        REQUIRE(class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE || i == 3);
        REQUIRE(class != MPI_SUCCESS || mine == counts[0]);
        REQUIRE(class == MPI_SUCCESS || i % 2 == 1);
    }
}

/* The first member sends the last one a block in a message of its own, which that one expects once
 * among the others. It has an error, its node may have it, too, and the next call is right. */
static void disagree_directly(int thread, MPI_Comm handle)
{
    enum { LONG = 5000, RIGHT = 4, CALLS = RIGHT + 2 };

    const int last = THREADS * ranks - 1;
    int number, sent[LONG + MOST], got[LONG + MOST], out[MOST], in[MOST], displs[2][MOST];
    (void)thread;
    succeed(strata_members_rank(handle, &number));
    for (int i = 0; i < LONG + MOST; i++) {
        sent[i] = number;
    }
    for (int call = 0; call < CALLS; call++) {
        const bool differs = call == RIGHT, wrong = differs && number == last;
        for (int i = 0, at[2] = {0, 0}; i <= last; i++) {
            out[i] = number == 0 && i == last ? LONG : 1;
            in[i] = number == last && i == 0 && !differs ? LONG : 1;
            displs[0][i] = at[0];
            displs[1][i] = at[1];
            at[0] += out[i];
            at[1] += in[i];
        }
        const int class = class_of(
            strata_alltoallv(sent, out, displs[0], MPI_INT, got, in, displs[1], MPI_INT, handle));
        REQUIRE(class == MPI_SUCCESS || (class == MPI_ERR_TRUNCATE && differs && rank > 0));
        REQUIRE(class != MPI_SUCCESS || !wrong);
        for (int i = 0; class == MPI_SUCCESS && i <= last; i++) {
            REQUIRE_CMP(got[displs[1][i] + in[i] - 1], ==, i);
        }
    }
}

/* A message is refused to a member of the last rank. Each call ends, right or with an error. */
static void lose_message(int thread, MPI_Comm handle)
{
    int one = 1, sum = 0, wrong = 0;
    for (int i = 0; i < 4; i++) {
        if (i == 1 && rank == ranks - 1 && thread == 0) {
            atomic_store(&refuses, true);
        }
        const int error = strata_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, handle);
        REQUIRE(error != MPI_SUCCESS || sum == THREADS * ranks);
        wrong += error != MPI_SUCCESS;
    }
    REQUIRE(!atomic_load(&refuses));
    REQUIRE(rank < ranks - 1 || wrong > 0);
}

/* Between nodes, by calls on members of their own. They go when all ranks have been told of lengths
 * that differ: a rank that frees its members earlier may be told too late. */
static void break_calls(void)
{
    thread_body *const bodies[] = {disagree, disagree_directly, lose_message};
    for (int i = 0; i < 3; i++) {
        struct strata_members *of = NULL;
        succeed(strata_members_dup(members, &of));
        run_threads(of, THREADS, bodies[i]);
        MPI_Barrier(MPI_COMM_WORLD);
        succeed(strata_members_free(&of));
    }
}

static void hold_rules(void)
{
    MPI_Comm comm;
    create_wrongly();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    succeed(strata_members_create(comm, THREADS, &members));
    MPI_Comm_free(&comm);
    ask_wrongly();
    use_handle_wrongly();
    join_twice();
    REQUIRE_CMP(others_join(THREADS - 1, MPI_SUCCESS), ==, THREADS - 1);
    for (int round = 0; level == MPI_THREAD_FUNNELED && round < 2; round++) {
        REQUIRE_CMP(others_join(THREADS, MPI_ERR_OTHER), ==, THREADS); /* the main thread waits */
    }
    join_in_teams();
    MPI_Op_create(add, 1, &own_sum);
    run_threads(members, THREADS, reduce_by_own);
    MPI_Op_free(&own_sum);
    run_threads(members, THREADS, lack_memory);
    succeed(strata_members_dup(members, &newer));
    run_threads(newer, THREADS, complete_early_or_late);
    run_threads(members, THREADS, call_by_both);
    if (level == MPI_THREAD_SERIALIZED) {
        share_a_handle();
    }
    succeed(strata_members_free(&newer));
    REQUIRE(!newer);
    if (getenv("STRATA_TOPO")) {
        break_calls();
    }
    if (rank == 0) {
        succeed(strata_members_free(&members));
        succeed(strata_members_free(&members)); /* of null members */
    }                                           /* elsewhere MPI_Finalize frees them */
}

static atomic_ullong messages;

/* The calls that are counted. */
static void exchange(MPI_Comm comm, int number, int size)
{
    int in[MOST * 64] = {0}, out[MOST * 64], counts[MOST], displs[MOST];
    struct strata_report before = {.size = sizeof before}, after = {.size = sizeof after};
    for (int i = 0; i < size; i++) {
        counts[i] = 1 + (number + i) % 3;
        displs[i] = 3 * i;
    }
    succeed(strata_barrier(comm));
    succeed(strata_comm_report(comm, &before));
    for (int i = 0; i < 4; i++) {
        succeed(strata_alltoallv(in, counts, displs, MPI_INT, out, counts, displs, MPI_INT, comm));
        succeed(strata_allgather(in, 5, MPI_INT, out, 5, MPI_INT, comm));
        succeed(strata_allreduce(in, out, 7, MPI_INT, MPI_SUM, comm));
        succeed(strata_bcast(in, 9, MPI_INT, i % size, comm));
    }
    succeed(strata_comm_report(comm, &after));
    atomic_fetch_add(&messages, after.messages - before.messages);
}

static void exchange_as_thread(int thread, MPI_Comm handle)
{
    int number;
    (void)thread;
    succeed(strata_members_rank(handle, &number));
    exchange(handle, number, 4);
}

static unsigned long long all_messages(void)
{
    unsigned long long mine = atomic_exchange(&messages, 0), sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* Four ranks on two nodes; then two of them, one on each node, with two threads each. */
static void count_messages(void)
{
    MPI_Comm half;
    REQUIRE_CMP(ranks, ==, 4);
    exchange(MPI_COMM_WORLD, rank, ranks);
    const unsigned long long of_ranks = all_messages();
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    if (rank % 2 == 0) {
        succeed(strata_members_create(half, 2, &members));
        run_threads(members, 2, exchange_as_thread);
        succeed(strata_members_free(&members));
    }
    MPI_Comm_free(&half);
    const unsigned long long of_members = all_messages();
    REQUIRE_CMP(of_ranks, >, 0);
    REQUIRE_CMP(of_members, ==, of_ranks);
    if (rank == 0) {
        printf("%llu messages between nodes by ranks, %llu by members\n", of_ranks, of_members);
    }
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "multiple";
    MPI_Init_thread(&argc, &argv, level_of(word), &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (strcmp(word, "messages") == 0) {
        count_messages();
    } else if (level == MPI_THREAD_SINGLE) {
        REFUSED(strata_members_create(MPI_COMM_WORLD, 1, &members), MPI_ERR_OTHER);
    } else {
        hold_rules();
    }
    MPI_Finalize();
    return 0;
}
