/* Failures around the node memories of nonblocking calls. MPI fails a rank in the agreement on
 * them: no rank has any, no memory is lost, and the next call gets them. Or a rank is out of step
 * before the node memories exist, or while calls are open in both; or leaders cannot send, or one
 * cannot send one message. A call that waits for that rank ends with an error, on other nodes too.
 * Calls that end without an error are right, and other communicators go on. Comparing results finds
 * a rank that takes another room than its local peers.
 *
 * run: 2,3
 * run: 4 STRATA_WAIT=sleep
 * run: 4 STRATA_TOPO=node:2 -- leaders
 * run: 4 STRATA_TOPO=node:2 -- message
 * long: 4 STRATA_TOPO=node:2 -- each
 * run: 3 STRATA_BUDGET=2M -- agreement
 * run: 4 STRATA_TOPO=node:2 STRATA_BUDGET=4M -- agreement
 * long: 3 -- messages
 * timeout: 120 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "api/attach/state.h"
#include "api/life/life.h"
#include "api/process/process.h"
#include "api/request/request.h"
#include "api/types/type_map.h"
#include "core/base/memory.h"
#include "tests/mpi/attached.h"

enum { CALLS = 4, NUMBERS = 3, MOST_RANKS = 4, MANY = 40 };

static int rank, ranks, victim;

/* The program's definitions precede the MPI library's, which are the next ones. */
#define NEXT(name, ...)                                                                            \
    int(*real) __VA_ARGS__;                                                                        \
    void *symbol = dlsym(RTLD_NEXT, name);                                                         \
    memcpy(&real, &symbol, sizeof real)

/* The next agreement on regions, by MPI_MAX, or on its success, by MPI_SUM, fails here. The others
 * still have this rank's values, because they need not fail. */
static MPI_Op failing = MPI_OP_NULL;

int PMPI_Iallreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm, MPI_Request *request)
{
    NEXT("PMPI_Iallreduce",
         (const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *));
    int error = real(send, recv, count, type, op, comm, request);

    if (type != MPI_UINT64_T || op != failing) {
        return error;
    }
    succeed(error);
    succeed(MPI_Wait(request, MPI_STATUS_IGNORE));
    memset(recv, 0x55, (size_t)count * sizeof(uint64_t)); /* the data did not arrive */
    failing = MPI_OP_NULL;
    return MPI_ERR_OTHER;
}

static bool pack_fails;

int PMPI_Pack(const void *send, int count, MPI_Datatype type, void *out, int bytes, int *at,
              MPI_Comm comm)
{
    NEXT("PMPI_Pack", (const void *, int, MPI_Datatype, void *, int, int *, MPI_Comm));
    return pack_fails ? MPI_ERR_OTHER : real(send, count, type, out, bytes, at, comm);
}

/* All sends fail, or one, after so many that succeed. */
static bool sends_fail;
static int sends_before = -1;

static bool send_fails(void)
{
    return sends_fail || (sends_before >= 0 && sends_before-- == 0);
}

int PMPI_Isend(const void *send, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    NEXT("PMPI_Isend", (const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *));
    return send_fails() ? MPI_ERR_OTHER : real(send, count, type, to, tag, comm, request);
}

static bool fails(int error)
{
    int class;
    MPI_Error_class(error, &class);
    return class == MPI_ERR_OTHER;
}

#define FAIL(call) REQUIRE(fails(call))

/* A rank without memory for a nonblocking call. */
static void step_out(MPI_Comm comm)
{
    struct strata_request *request = NULL;
    int class;
    strata_memory_fail_after(1);
    MPI_Error_class(strata_ibarrier(comm, &request), &class);
    strata_memory_fail_after(-1);
    REQUIRE_CMP(class, ==, MPI_ERR_NO_MEM);
    REQUIRE(!request);
}

static bool has_memories(MPI_Comm comm)
{
    return !strstr(report_of(comm).why, "without node memory");
}

/* Blocking calls of the same ranks, and calls of another communicator, still work. */
static void others_go_on(MPI_Comm comm)
{
    MPI_Comm other = new_communicator();
    struct strata_request *request;
    int sum = 0, one = 1;
    succeed(strata_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    REQUIRE_CMP(sum, ==, ranks);
    sum = 0;
    succeed(strata_allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, other, MPI_INFO_NULL, &request));
    succeed(strata_start(&request));
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    REQUIRE_CMP(sum, ==, ranks);
    REQUIRE(has_memories(other));
    succeed(strata_request_free(&request));
    MPI_Comm_free(&other);
}

/* Asks in the order of all ranks. Returns a request, or an error. */
static int ask(bool attach, MPI_Comm comm, const int *mine, int *sum,
               struct strata_request **request)
{
    return attach ? strata_comm_attach(comm, "iallreduce:bytes=4")
                  : strata_allreduce_init(mine, sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL,
                                          request);
}

/* Repeats the agreement so often that lost node memories would be missing in the end. */
static void test_agreement(bool attach)
{
    for (int i = 0; i < MANY; i++) {
        MPI_Comm comm = new_communicator();
        struct strata_request *request = NULL;
        int sum = 0;
        failing = rank == i % ranks ? MPI_MAX : MPI_OP_NULL;
        FAIL(ask(attach, comm, &ranks, &sum, &request));
        REQUIRE_CMP(failing, ==, MPI_OP_NULL);
        REQUIRE(!request);
        succeed(ask(attach, comm, &ranks, &sum, &request));
        if (attach) {
            succeed(strata_iallreduce(&ranks, &sum, 1, MPI_INT, MPI_SUM, comm, &request));
        } else {
            succeed(strata_start(&request));
        }
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
        REQUIRE_CMP(sum, ==, ranks * ranks);
        REQUIRE_CMP(report_of(comm).calls_native, ==, 0);
        REQUIRE(has_memories(comm));
        if (!attach) {
            succeed(strata_request_free(&request));
        }
        MPI_Comm_free(&comm);
    }
}

/* Where MPI fails a rank in the agreement again, the rank is out of step, and its node learns of it
 * in the node memories. */
static void test_agreement_twice(bool attach)
{
    MPI_Comm comm = new_communicator();
    struct strata_request *request = NULL;
    int sum = 0, error;
    failing = rank == victim ? MPI_SUM : MPI_OP_NULL;
    error = ask(attach, comm, &ranks, &sum, &request);
    if (attach && rank != victim) {
        succeed(error);
        succeed(strata_iallreduce(&ranks, &sum, 1, MPI_INT, MPI_SUM, comm, &request));
        FAIL(strata_wait(&request, MPI_STATUS_IGNORE));
    } else {
        FAIL(error);
    }
    REQUIRE_CMP(failing, ==, MPI_OP_NULL);
    REQUIRE(!request);
    succeed(strata_comm_attach(comm, "iallreduce:bytes=4")); /* all know alike what was asked for */
    FAIL(strata_allreduce_init(&ranks, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request));
    others_go_on(comm);
    MPI_Comm_free(&comm);
}

/* Node memories of a rank that is already out of step. */
static void test_broken_before(const char *algorithm)
{
    MPI_Comm comm = new_communicator();
    struct strata_request *request[CALLS] = {NULL};
    int sum[CALLS];
    succeed(strata_comm_force(comm, "allreduce", algorithm));
    if (rank == victim) {
        step_out(comm);
    }
    succeed(strata_comm_attach(comm, "iallreduce:bytes=4"));
    for (int i = 0; i < CALLS; i++) {
        int error = strata_iallreduce(&ranks, &sum[i], 1, MPI_INT, MPI_SUM, comm, &request[i]);
        if (rank == victim) {
            FAIL(error);
        } else if (error != MPI_SUCCESS) { /* an earlier call has ended with an error */
            FAIL(error);
            REQUIRE_CMP(i, >, 0);
        } else {
            REQUIRE_CMP(strncmp(report_of(comm).algorithm, algorithm, strlen(algorithm)), ==, 0);
        }
    }
    for (int i = CALLS - 1; i >= 0; i--) {
        if (request[i]) {
            FAIL(strata_wait(&request[i], MPI_STATUS_IGNORE));
        }
    }
    others_go_on(comm);
    MPI_Comm_free(&comm);
}

/* Persistent calls that take the node memories in turn. One may send every other byte, of so many
 * that a start packs them. */
enum { GATHERS = 1, FEW = 8, PIECES = (int)STRATA_MOST_PIECES + 5 };

struct calls {
    int mine[CALLS][NUMBERS], sum[CALLS][NUMBERS];
    int bytes; /* of each gathered block */
    char block[2 * PIECES], all[MOST_RANKS * PIECES];
    struct strata_request *request[CALLS];
};

static void describe(struct calls *c, MPI_Comm comm, bool packs)
{
    MPI_Datatype every_other;
    c->bytes = packs ? PIECES : FEW;
    MPI_Type_vector(c->bytes, 1, 2, MPI_CHAR, &every_other);
    MPI_Type_commit(&every_other);
    for (int i = 0; i < CALLS; i++) {
        if (i == GATHERS) {
            succeed(strata_allgather_init(c->block, 1, every_other, c->all, c->bytes, MPI_CHAR,
                                          comm, MPI_INFO_NULL, &c->request[i]));
        } else {
            succeed(strata_allreduce_init(c->mine[i], c->sum[i], NUMBERS, MPI_INT, MPI_SUM, comm,
                                          MPI_INFO_NULL, &c->request[i]));
        }
    }
    MPI_Type_free(&every_other);
}

static char sent(int from, int byte, int round)
{
    return (char)(round + byte % 31 + 40 * from);
}

static void draw(struct calls *c, int round)
{
    memset(c->sum, 0, sizeof c->sum);
    memset(c->all, 0, sizeof c->all);
    for (int i = 0; i < CALLS * NUMBERS; i++) {
        c->mine[i / NUMBERS][i % NUMBERS] = 100 * round + 10 * i + rank;
    }
    for (int i = 0; i < c->bytes; i++) {
        c->block[2 * i] = sent(rank, i, round);
    }
}

static bool is_right(const struct calls *c, int call, int round)
{
    bool right = true;
    for (int n = 0; call != GATHERS && n < NUMBERS; n++) {
        int each = 100 * round + 10 * (call * NUMBERS + n);
        right = right && c->sum[call][n] == ranks * each + ranks * (ranks - 1) / 2;
    }
    for (int i = 0; call == GATHERS && i < ranks * c->bytes; i++) {
        right = right && c->all[i] == sent(i / c->bytes, i % c->bytes, round);
    }
    return right;
}

/* Waits for all started calls, the last one first. The failing rank took part in the first `shared`
 * calls, so these may be right. */
static void wait_for_all(struct calls *c, const bool *started, int shared, int round)
{
    for (int i = CALLS - 1; i >= 0; i--) {
        int error = strata_wait(&c->request[i], MPI_STATUS_IGNORE);
        if (error == MPI_SUCCESS) {
            REQUIRE(!started[i] || (i < shared && is_right(c, i, round)));
        } else {
            REQUIRE(started[i]);
            FAIL(error);
        }
    }
}

static void start_all(struct calls *c, bool *started)
{
    for (int i = 0; i < CALLS; i++) {
        int error = strata_start(&c->request[i]);
        started[i] = error == MPI_SUCCESS;
        if (!started[i]) { /* an earlier call has ended with an error */
            FAIL(error);
        }
    }
}

static void finish(struct calls *c, MPI_Comm comm)
{
    struct strata_request *request = NULL;
    for (int i = 0; i < CALLS; i++) {
        FAIL(strata_start(&c->request[i]));
        succeed(strata_request_free(&c->request[i]));
    }
    FAIL(
        strata_allreduce_init(&ranks, &victim, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request));
    REQUIRE(!request);
    others_go_on(comm);
    MPI_Comm_free(&comm);
}

static MPI_Comm forced(const char *algorithm)
{
    MPI_Comm comm = new_communicator();
    succeed(strata_comm_force(comm, "allreduce", algorithm));
    succeed(strata_comm_force(comm, "allgather", "node_allgather"));
    return comm;
}

/* The victim begins `shared` calls and is then out of step, because it lacks memory or cannot pack
 * the data of the next call. The others begin after that, so the victim's calls are open. */
static void test_open(int shared, bool packs)
{
    static struct calls c;
    MPI_Comm comm = forced("dpml");
    bool started[CALLS] = {false};
    describe(&c, comm, packs);
    for (int round = 0; round < 3; round++) { /* tapes, too; and a call waits for the node memory */
        draw(&c, round);
        succeed(strata_startall(CALLS, c.request));
        REQUIRE(strstr(report_of(comm).algorithm, "dpml"));
        succeed(strata_waitall(CALLS, c.request, MPI_STATUSES_IGNORE));
        for (int i = 0; i < CALLS; i++) {
            REQUIRE(is_right(&c, i, round));
        }
    }
    draw(&c, 3);
    if (rank == victim) {
        for (int i = 0, flag; i < shared; i++) {
            succeed(strata_start(&c.request[i]));
            succeed(strata_test(&c.request[i], &flag, MPI_STATUS_IGNORE));
            REQUIRE(!flag);
            started[i] = true;
        }
        pack_fails = packs;
        if (packs) {
            FAIL(strata_start(&c.request[shared]));
        } else {
            step_out(comm);
        }
        pack_fails = false;
        FAIL(strata_start(&c.request[CALLS - 1]));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != victim) {
        start_all(&c, started);
    }
    wait_for_all(&c, started, shared, 3);
    finish(&c, comm);
}

static struct strata_sequence_memories *memories_of(MPI_Comm comm)
{
    return &strata_state_find(strata_process(), comm)->sequence->memories;
}

/* Two calls begin together, and one rank swaps the node memories. Each call then has data of the
 * other, which comparing finds. */
static void test_other_memory(void)
{
    static struct calls c;
    MPI_Comm comm = forced("dpml");
    struct strata_request *two[2];
    int rights = 0;
    describe(&c, comm, false);
    draw(&c, 0);
    two[0] = c.request[0];
    two[1] = c.request[2];
    memories_of(comm)->next = rank == victim;
    succeed(strata_startall(2, two));
    succeed(strata_waitall(2, two, MPI_STATUSES_IGNORE));
    rights = is_right(&c, 0, 0) + is_right(&c, 2, 0);
    MPI_Allreduce(MPI_IN_PLACE, &rights, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    REQUIRE_CMP(rights, ==, 0);
    two[0]->has_memory = two[1]->has_memory = false; /* taken in their first start */
    memories_of(comm)->next = 0;
    succeed(strata_startall(2, two));
    succeed(strata_waitall(2, two, MPI_STATUSES_IGNORE));
    REQUIRE(is_right(&c, 0, 0));
    REQUIRE(is_right(&c, 2, 0));
    for (int i = 0; i < CALLS; i++) {
        succeed(strata_request_free(&c.request[i]));
    }
    MPI_Comm_free(&comm);
}

/* The leaders of both nodes cannot send, while their local peers wait for them in both node
 * memories. */
static void test_leaders(void)
{
    static struct calls c;
    MPI_Comm comm = forced("dpml:leaders=1,between=recursive_doubling");
    bool started[CALLS], leads = rank % 2 == 0;
    describe(&c, comm, false);
    draw(&c, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!leads) {
        start_all(&c, started);
        REQUIRE(started[CALLS - 1]);
        for (int i = 0, flag; i < CALLS; i++) {
            succeed(strata_test(&c.request[i], &flag, MPI_STATUS_IGNORE));
            REQUIRE(!flag);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    sends_fail = leads;
    if (leads) {
        start_all(&c, started);
    }
    wait_for_all(&c, started, 0, 0);
    sends_fail = false;
    finish(&c, comm);
}

/* One message of a leader cannot be sent. The leader of the other node learns of it, and so does
 * every rank that waits for its local peers. Calls without the right result end with an error on
 * all ranks. */
static void test_one_message(int before)
{
    static struct calls c;
    MPI_Comm comm = forced("dpml:leaders=1,between=recursive_doubling");
    bool started[CALLS];
    describe(&c, comm, false);
    draw(&c, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    sends_before = rank == victim ? before : -1;
    start_all(&c, started);
    wait_for_all(&c, started, CALLS, 0);
    REQUIRE_CMP(sends_before, ==, -1);
    finish(&c, comm);
}

/* The same in a blocking call, by leaders and rank by rank. Later calls are errors on all ranks,
 * except on communicators that are made afterwards. */
static void test_blocking(const char *algorithm)
{
    MPI_Comm comm, turned;
    int sum = 0;
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    succeed(strata_comm_force(comm, "allreduce", algorithm));
    succeed(strata_allreduce(&ranks, &sum, 1, MPI_INT, MPI_SUM, comm));
    REQUIRE_CMP(sum, ==, ranks * ranks);
    sends_before = rank == victim ? 0 : -1;
    FAIL(strata_allreduce(&ranks, &sum, 1, MPI_INT, MPI_SUM, comm));
    REQUIRE_CMP(sends_before, ==, -1);
    FAIL(strata_allreduce(&ranks, &sum, 1, MPI_INT, MPI_SUM, comm));
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &turned);
    sum = 0;
    succeed(strata_allreduce(&ranks, &sum, 1, MPI_INT, MPI_SUM, turned));
    REQUIRE_CMP(sum, ==, ranks * ranks);
    MPI_Comm_free(&turned);
    MPI_Comm_free(&comm);
}

static void test_failures(void)
{
    for (victim = 0; victim < ranks; victim += ranks - 1) {
        test_broken_before("dpml");
        for (int shared = 0; shared <= CALLS - 1; shared++) {
            test_open(shared, false);
        }
        test_open(GATHERS, true);
        test_agreement_twice(false);
        test_agreement_twice(true);
        test_other_memory();
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    REQUIRE_CMP(ranks, <=, MOST_RANKS);
    if (strcmp(what, "agreement") == 0) {
        test_agreement(false);
        test_agreement(true);
    } else if (strcmp(what, "messages") == 0) {
        test_broken_before("recursive_doubling");
    } else if (strcmp(what, "leaders") == 0) {
        test_leaders();
    } else if (strcmp(what, "message") == 0) {
        test_one_message(1);
        test_blocking("recursive_doubling");
    } else if (strcmp(what, "each") == 0) {
        for (victim = 0; victim < ranks; victim += 2) {
            for (int before = 0; before < CALLS; before++) {
                test_one_message(before);
            }
            test_blocking("dpml:leaders=1,between=recursive_doubling");
            test_blocking("recursive_doubling");
        }
    } else {
        test_failures();
    }
    MPI_Finalize();
    return 0;
}
