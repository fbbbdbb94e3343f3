/* Attaches communicators before their first call, and detaches them before they are freed.
 *
 * run: 1
 * run: 3
 * run: 4 STRATA_TOPO=node:2 STRATA_ATTACH_AFTER=3
 * run: 2 -- threads
 * timeout: 120 */
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "api/attach/sequence.h"
#include "api/attach/state.h"
#include "api/call/expected.h"
#include "api/life/life.h"
#include "api/process/process.h"
#include "tests/mpi/attached.h"

#define ROUNDS 5
#define MOST   16 /* ranks */
#define INTS   256

static void gather_all(MPI_Comm comm, int round)
{
    int rank, ranks, out[INTS], in[MOST * INTS];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < INTS; i++) {
        out[i] = 100000 * round + 1000 * rank + i;
    }
    succeed(strata_allgather(out, INTS, MPI_INT, in, INTS, MPI_INT, comm));
    for (int i = 0; i < ranks * INTS; i++) {
        REQUIRE_CMP(in[i], ==, 100000 * round + 1000 * (i / INTS) + i % INTS);
    }
}

static void exchange(MPI_Comm comm, int round)
{
    int rank, ranks, out[MOST], in[MOST], counts[MOST], displs[MOST];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < ranks; i++) {
        out[i] = 10000 * round + 100 * rank + i;
        counts[i] = 1;
        displs[i] = i;
    }
    succeed(strata_alltoallv(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, comm));
    for (int i = 0; i < ranks; i++) {
        REQUIRE_CMP(in[i], ==, 10000 * round + 100 * i + rank);
    }
}

static void broadcast(MPI_Comm comm, int root)
{
    int rank, value;
    MPI_Comm_rank(comm, &rank);
    value = rank == root ? 77 : 0;
    succeed(strata_bcast(&value, 1, MPI_INT, root, comm));
    REQUIRE_CMP(value, ==, 77);
}

static void add_up(MPI_Comm comm)
{
    int ranks, sum, one = 1;
    MPI_Comm_size(comm, &ranks);
    succeed(strata_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    REQUIRE_CMP(sum, ==, ranks);
}

static int plans_of(MPI_Comm comm)
{
    const struct strata_state *state = strata_state_peek(strata_process(), comm);
    REQUIRE(state);
    REQUIRE(state->group);
    return state->group->plans.entries;
}

/* The plans of the named calls exist before the calls. */
static void test_attach(void)
{
    MPI_Comm comm;
    int ranks;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_size(comm, &ranks);
    REQUIRE_CMP(report_of(comm).standing, ==, STRATA_STANDING_NEW);
    succeed(strata_comm_attach(comm, NULL));
    REQUIRE_CMP(report_of(comm).standing, ==, STRATA_STANDING_ATTACHED);
    REQUIRE_CMP(plans_of(comm), ==, 0);
    const char *calls = ranks > 2 ? " alltoallv;allgather : bytes=1K ; bcast:bytes=4,root=2;"
                                    "allreduce:bytes=4; barrier"
                                  : "alltoallv; allgather:bytes=1K; bcast:root=0,bytes=4; "
                                    "allreduce:bytes=4;barrier;;";
    for (int again = 0; again < 2; again++) {
        succeed(strata_comm_attach(comm, calls));
        REQUIRE_CMP(plans_of(comm), ==, 5);
    }
    REQUIRE_CMP(report_of(comm).calls + report_of(comm).calls_native, ==, 0);
    gather_all(comm, 1);
    exchange(comm, 1);
    broadcast(comm, ranks > 2 ? 2 : 0);
    add_up(comm);
    succeed(strata_barrier(comm));
    REQUIRE_CMP(plans_of(comm), ==, 5);
    exchange(comm, 2); /* agreed figures may choose anew */
    MPI_Comm_free(&comm);
}

static int plans_beside(MPI_Comm comm)
{
    const struct strata_state *state = strata_state_peek(strata_process(), comm);
    REQUIRE(state);
    REQUIRE(state->sequence);
    return state->sequence->plans.entries;
}

/* A named nonblocking call has its plan and the node memory in advance; an unnamed one has
 * neither. */
static void test_attach_beside(void)
{
    static const char *const texts[] = {NULL, "alltoall:bytes=4", "ialltoall:bytes=4",
                                        "alltoall_init:bytes=4"};
    int ranks, out[MOST] = {0}, in[MOST];
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; ranks > 1 && i < 4; i++) {
        struct strata_request *request;
        bool named = i > 1;
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        succeed(strata_comm_force(comm, "alltoall", "leaders"));
        succeed(strata_comm_attach(comm, NULL));
        uint64_t before = report_of(comm).node_memory_bytes;
        int plans = plans_beside(comm) + (i == 2); /* the same sequence serves all */
        for (int again = 0; again < 2; again++) {
            succeed(strata_comm_attach(comm, texts[i]));
            REQUIRE_CMP(plans_beside(comm), ==, plans);
            REQUIRE_CMP(report_of(comm).node_memory_bytes > before, ==, named);
        }
        succeed(strata_ialltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm, &request));
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
        REQUIRE_CMP(report_of(comm).calls, ==, named);
        REQUIRE_CMP(report_of(comm).calls_native, ==, !named);
        REQUIRE_CMP(strncmp(report_of(comm).algorithm, "leaders", 7) == 0, ==, named);
        REQUIRE_CMP(plans_beside(comm), ==, plans + (i == 0));
        MPI_Comm_free(&comm);
    }
}

static void require_message(const char *text, const char *part)
{
    struct strata_expected_call call;
    struct strata_diagnostic message = {""};
    bool more;
    int error = STRATA_OK;
    do {
        error = strata_expected_next(&text, 3, &call, &more, &message);
    } while (more && error == STRATA_OK);
    REQUIRE_CMP(error, ==, STRATA_ERR_SYNTAX);
    REQUIRE(strstr(message.text, part));
}

static void test_errors(void)
{
    static const char *const wrong[][2] = {
        {"alltoalls", "\"alltoalls\" is no collective"},
        {"ialltoall_init", "\"ialltoall_init\" is no collective"},
        {"ialltoallv:bytes=8", "alltoallv has no \"bytes\"; allowed is nothing"},
        {"alltoallv, allgather", "\"alltoallv, allgather\" is no collective; allowed"},
        {"barrier:root=0", "barrier has no \"root\"; allowed is nothing"},
        {"alltoallv:bytes=8", "alltoallv has no \"bytes\"; allowed is nothing"},
        {"gatherv:bytes=8", "gatherv has no \"bytes\"; allowed is root=RANK"},
        {"barrier; bcast:size=8", "bcast has no \"size\"; allowed is bytes=SIZE,root=RANK"},
        {"allgather:", "allgather has no \"\"; allowed is bytes=SIZE"},
        {"allgather:bytes", "bytes is \"\", but allowed is 0 .. "},
        {"allgather:bytes=-1", "bytes is \"-1\", but allowed is 0 .. "},
        {"allgather:bytes=8X", "bytes is \"8X\", but allowed is 0 .. "},
        {"allgather:bytes=9000G", "bytes is \"9000G\", but allowed is 0 .. "},
        {"bcast:bytes=8,root=3", "root is \"3\", but allowed is 0 .. 2"},
        {"bcast:root=1K", "root is \"1K\", but allowed is 0 .. 2"},
        {"bcast:bytes=8 root=1", "bytes is \"8 root=1\", but allowed"},
    };
    MPI_Comm comm;
    int rank, ranks;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        require_message(wrong[i][0], wrong[i][1]);
    }
    REQUIRE_CMP(strata_comm_attach(comm, "barrier; bcast:root=99"), ==, MPI_ERR_ARG);
    if (ranks > 1) { /* not the same on all ranks, or wrong on one */
        REQUIRE_CMP(strata_comm_attach(comm, rank ? "barrier" : NULL), ==, MPI_ERR_ARG);
        REQUIRE_CMP(strata_comm_attach(comm, rank ? "barrier" : "barriers"), ==, MPI_ERR_ARG);
    }
    REQUIRE_CMP(report_of(comm).standing, ==, STRATA_STANDING_NEW);
    MPI_Comm_free(&comm);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    REQUIRE_CMP(strata_comm_attach(MPI_COMM_NULL, NULL), ==, MPI_ERR_COMM);
    REQUIRE_CMP(strata_comm_detach(MPI_COMM_NULL), ==, MPI_ERR_COMM);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void test_intercommunicator(void)
{
    MPI_Comm half, inter;
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks == 1) {
        return;
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 7, &inter);
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    REQUIRE_CMP(strata_comm_attach(inter, NULL), ==, MPI_ERR_COMM);
    REQUIRE_CMP(strata_comm_detach(inter), ==, MPI_ERR_COMM);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

/* Detaching leaves nothing, and the next call begins anew. The ranks have another order, so that no
 * other communicator has the same group. */
static void test_detach(void)
{
    MPI_Comm comm;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    succeed(strata_comm_attach(comm, NULL));
    succeed(strata_comm_detach(comm)); /* unused groups are gone */
    int before = report_of(comm).private_communicators;
    succeed(strata_comm_detach(comm));
    for (int round = 0; round < ROUNDS; round++) {
        succeed(strata_comm_force(comm, "allgather", "ring"));
        succeed(strata_comm_attach(comm, "allgather:bytes=1K"));
        REQUIRE_CMP(report_of(comm).private_communicators, >, before);
        gather_all(comm, round);
        REQUIRE_TEXT(report_of(comm).algorithm, "ring");
        succeed(strata_comm_detach(comm));
        REQUIRE_CMP(report_of(comm).standing, ==, STRATA_STANDING_NEW);
        REQUIRE_CMP(report_of(comm).calls, ==, 0);
        REQUIRE_CMP(report_of(comm).private_communicators, ==, before);
        gather_all(comm, round + 1); /* a call like the one before */
        REQUIRE(!strstr(report_of(comm).why, "strata_comm_force"));
        exchange(comm, round);
        succeed(strata_comm_detach(comm));
        succeed(strata_comm_detach(comm));
    }
    MPI_Comm_free(&comm);
}

/* Two communicators of the same ranks, and a chain. Each keeps what it needs, and a later one takes
 * it again. */
static void test_shared(void)
{
    MPI_Comm one, other;
    struct strata_chain *chain;
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    int first = report_of(one).private_communicators;
    for (int round = 0; round < ROUNDS; round++) {
        succeed(strata_comm_attach(one, NULL));
        succeed(strata_comm_attach(other, NULL));
        int both = report_of(one).private_communicators;
        gather_all(one, round);
        gather_all(other, round + 1);
        succeed(strata_comm_detach(round % 2 ? one : other));
        REQUIRE_CMP(report_of(one).private_communicators, ==, both - 1);
        REQUIRE_CMP(both, <=, first + 2);
        gather_all(round % 2 ? other : one, round + 2);
        gather_all(round % 2 ? one : other, round + 3);
        succeed(strata_chain_create(one, &chain));
        succeed(strata_comm_detach(one));
        succeed(strata_comm_detach(other));
        succeed(strata_chain_barrier(chain));
        succeed(strata_chain_free(&chain));
    }
    MPI_Comm_free(&one);
    MPI_Comm_free(&other);
}

static void *use(void *argument)
{
    MPI_Comm comm = *(MPI_Comm *)argument;
    for (int round = 0; round < ROUNDS; round++) {
        succeed(strata_comm_attach(comm, "allgather:bytes=1K; alltoallv"));
        gather_all(comm, round);
        exchange(comm, round);
        succeed(strata_comm_detach(comm));
    }
    return NULL;
}

/* Threads attach at once, each a communicator of its own. */
static void test_threads(void)
{
    pthread_t thread;
    MPI_Comm comm[2];
    for (int i = 0; i < 2; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
    }
    REQUIRE_CMP(pthread_create(&thread, NULL, use, &comm[1]), ==, 0);
    use(&comm[0]);
    REQUIRE_CMP(pthread_join(thread, NULL), ==, 0);
    for (int i = 0; i < 2; i++) {
        MPI_Comm_free(&comm[i]);
    }
}

int main(int argc, char **argv)
{
    bool threads = argc > 1 && !strcmp(argv[1], "threads");
    int level;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    if (!threads) {
        test_attach();
        test_attach_beside();
        test_errors();
        test_intercommunicator();
        test_detach();
        test_shared();
    } else if (level == MPI_THREAD_MULTIPLE) {
        test_threads();
    } else {
        printf("MPI does not grant MPI_THREAD_MULTIPLE\n");
    }
    MPI_Finalize();
    return 0;
}
