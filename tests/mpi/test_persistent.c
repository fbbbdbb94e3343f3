/* Persistent calls by plans that use the node memory. Each row is tried, with several starts open
 * at once, with communicators of one group whose calls begin in different orders, and with one that
 * is freed meanwhile. The description of a call finds lengths that disagree, an argument that is
 * wrong on one rank, and a rank without memory. Lengths travel in the first start alone. Where the
 * budget has no room, calls use messages.
 *
 * run: 2,3
 * run: 4 STRATA_TOPO=node:2
 * run: 2 STRATA_WAIT=sleep
 * run: 2 STRATA_BUDGET=2M -- budget
 * run: 2 -- threads
 * timeout: 120 */
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/memory.h"
#include "tests/mpi/attached.h"

enum { MOST_RANKS = 8, COUNT = 5, ROOM = MOST_RANKS * COUNT, STARTS = 6, OPEN = 20, MANY = 24 };

static int rank, ranks;

/* The arguments of the calls below: rank i's block for or from rank j has shared(i, j) numbers. */
struct arguments {
    int root, send[ROOM], recv[ROOM], expected[ROOM];
    int sent[MOST_RANKS], taken[MOST_RANKS], each[MOST_RANKS], at[MOST_RANKS];
};

static void draw(struct arguments *a, int start)
{
    a->root = 1;
    for (int i = 0; i < ranks; i++) {
        a->sent[i] = 1 + (rank + i) % COUNT;
        a->taken[i] = 1 + (rank + i) % COUNT;
        a->each[i] = i % COUNT;
        a->at[i] = i * COUNT;
    }
    for (int i = 0; i < ROOM; i++) {
        a->send[i] = 1000 * rank + 17 * start + i;
        a->recv[i] = a->expected[i] = rank == a->root ? 5 * start + i : -1;
    }
}

#define WAYS(Name, name, ...)                                                                      \
    do {                                                                                           \
        if (own) {                                                                                 \
            return MPI_##Name(__VA_ARGS__, MPI_COMM_WORLD);                                        \
        }                                                                                          \
        return strata_##name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, request);                    \
    } while (0)

static const struct row {
    const char *collective, *algorithm;
} rows[] = {
    {"alltoall", "leaders"},         {"alltoallv", "leaders"},
    {"allgather", "node_allgather"}, {"bcast", "node_bcast"},
    {"gather", "node_gather"},       {"gatherv", "node_gather"},
    {"scatter", "node_scatter"},     {"scatterv", "node_scatter"},
    {"reduce", "node_reduce"},       {"allreduce", "node_allreduce"},
    {"allreduce", "dpml"},           {"reduce_scatter_block", "node_reduce_scatter"},
    {"scan", "node_scan"},           {"alltoallv", "single_copy"},
};

/* Describes the row's call, or makes MPI's own. */
static int make(int row, bool own, struct arguments *a, MPI_Comm comm,
                struct strata_request **request)
{
    int *recv = own ? a->expected : a->recv;
    const int n = COUNT;
    MPI_Datatype t = MPI_INT;
    switch (row) {
    case 0:
        WAYS(Alltoall, alltoall, a->send, n, t, recv, n, t);
    case 2:
        WAYS(Allgather, allgather, a->send, n, t, recv, n, t);
    case 3:
        WAYS(Bcast, bcast, recv, n, t, a->root);
    case 4:
        WAYS(Gather, gather, a->send, n, t, recv, n, t, a->root);
    case 5:
        WAYS(Gatherv, gatherv, a->send, a->each[rank], t, recv, a->each, a->at, t, a->root);
    case 6:
        WAYS(Scatter, scatter, a->send, n, t, recv, n, t, a->root);
    case 7:
        WAYS(Scatterv, scatterv, a->send, a->each, a->at, t, recv, a->each[rank], t, a->root);
    case 8:
        WAYS(Reduce, reduce, a->send, recv, n, t, MPI_SUM, a->root);
    case 9:
    case 10:
        WAYS(Allreduce, allreduce, a->send, recv, n, t, MPI_MAX);
    case 11:
        WAYS(Reduce_scatter_block, reduce_scatter_block, a->send, recv, n, t, MPI_SUM);
    case 12:
        WAYS(Scan, scan, a->send, recv, n, t, MPI_SUM);
    default:
        WAYS(Alltoallv, alltoallv, a->send, a->sent, a->at, t, recv, a->taken, a->at, t);
    }
}

static bool is_for_one_node(const char *algorithm)
{
    return strcmp(algorithm, "node_reduce") == 0 || strcmp(algorithm, "node_allreduce") == 0;
}

/* Whether the row can serve. Some rows are for one node, and not every machine exposes memory,
 * which a blocking call shows. */
static bool serves(int row, MPI_Comm comm)
{
    int send[ROOM] = {0}, recv[ROOM], one[MOST_RANKS], at[MOST_RANKS];
    if (strcmp(rows[row].algorithm, "single_copy") != 0) {
        return report_of(comm).nodes == 1 || !is_for_one_node(rows[row].algorithm);
    }
    for (int i = 0; i < ranks; i++) {
        one[i] = 1;
        at[i] = i;
    }
    succeed(strata_alltoallv(send, one, at, MPI_INT, recv, one, at, MPI_INT, comm));
    return strstr(report_of(comm).algorithm, "single_copy");
}

/* Several starts of one request, each with other data, and a call with messages in between. */
static void test_algorithm(int row)
{
    struct arguments a;
    struct strata_request *request, *between;
    MPI_Comm comm = new_communicator();
    int flag = 7, one = 1, sum;
    succeed(strata_comm_force(comm, rows[row].collective, rows[row].algorithm));
    succeed(strata_comm_force(comm, "exscan", "doubling_scan"));
    bool served = serves(row, comm);
    struct strata_report before = report_of(comm);
    draw(&a, 0);
    succeed(make(row, false, &a, comm, &request));
    for (int start = 0; start < STARTS; start++) {
        draw(&a, start);
        succeed(make(row, true, &a, comm, NULL));
        succeed(strata_start(&request));
        struct strata_report now = report_of(comm);
        REQUIRE(!served || strstr(now.algorithm, rows[row].algorithm) == now.algorithm);
        succeed(strata_iexscan(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &between));
        if (start % 2) {
            succeed(strata_wait(&between, MPI_STATUS_IGNORE));
        }
        for (flag = 0; start % 3 == 2 && !flag;) {
            succeed(strata_test(&request, &flag, MPI_STATUS_IGNORE));
        }
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
        succeed(strata_wait(&between, MPI_STATUS_IGNORE));
        REQUIRE(rank == 0 || sum == rank);
        REQUIRE_BYTES(a.recv, a.expected, sizeof a.recv);
    }
    REQUIRE(!served || report_of(comm).calls_native == before.calls_native);
    succeed(strata_request_free(&request));
    MPI_Comm_free(&comm);
}

static void describe_sum(MPI_Comm comm, const int *mine, int *sum, struct strata_request **request)
{
    succeed(strata_comm_force(comm, "allreduce", "dpml"));
    succeed(strata_allreduce_init(mine, sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, request));
}

/* Several calls are open. Ranks begin them in one order on each communicator, and wait in any
 * order. */
static void test_open(void)
{
    struct strata_request *request[2][OPEN];
    MPI_Comm comm[2] = {new_communicator(), new_communicator()};
    int mine[2][OPEN], sum[2][OPEN];
    for (int c = 0; c < 2; c++) {
        for (int i = 0; i < OPEN; i++) {
            describe_sum(comm[c], &mine[c][i], &sum[c][i], &request[c][i]);
        }
    }
    for (int round = 0; round < 30; round++) {
        for (int c = 0; c < 2; c++) {
            for (int i = 0; i < OPEN; i++) {
                mine[c][i] = round + 100 * c + i + rank;
            }
        }
        int first = (rank + round) % 2;
        succeed(strata_startall(OPEN, request[first]));
        succeed(strata_startall(OPEN, request[!first]));
        for (int i = OPEN - 1; i >= 0; i--) {
            succeed(strata_wait(&request[round % 2][i], MPI_STATUS_IGNORE));
        }
        succeed(strata_waitall(OPEN, request[!(round % 2)], MPI_STATUSES_IGNORE));
        for (int i = 0; i < OPEN; i++) {
            int others = ranks * (ranks - 1) / 2;
            REQUIRE_CMP(sum[0][i], ==, ranks * (round + i) + others);
            REQUIRE_CMP(sum[1][i], ==, ranks * (round + 100 + i) + others);
        }
    }
    REQUIRE_CMP(report_of(comm[0]).calls_native, ==, 0);
    for (int i = 0; i < 2 * OPEN; i++) {
        succeed(strata_request_free(&request[i / OPEN][i % OPEN]));
    }
    MPI_Comm_free(&comm[0]);
    MPI_Comm_free(&comm[1]);
}

/* A call may use the node memory while the previous call still does. Rank 0 waits in a gather for
 * the last rank, which arrives only when rank 1 has the data that rank 0 broadcasts next. */
static void test_overlap(void)
{
    struct strata_request *request[2];
    MPI_Comm comm = new_communicator();
    int mine = rank + 1, all[MOST_RANKS] = {0}, word = 0;
    succeed(strata_comm_force(comm, "gather", "node_gather"));
    succeed(strata_comm_force(comm, "bcast", "node_bcast"));
    succeed(strata_gather_init(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, comm, MPI_INFO_NULL,
                               &request[0]));
    succeed(strata_bcast_init(&word, 1, MPI_INT, 0, comm, MPI_INFO_NULL, &request[1]));
    for (int round = 0; ranks > 2 && report_of(comm).nodes == 1 && round < 200; round++) {
        word = rank == 0 ? round : -1;
        if (rank == ranks - 1) {
            MPI_Recv(NULL, 0, MPI_INT, 1, 0, comm, MPI_STATUS_IGNORE);
        }
        succeed(strata_startall(2, request));
        if (rank == 1) {
            succeed(strata_wait(&request[1], MPI_STATUS_IGNORE));
            MPI_Send(NULL, 0, MPI_INT, ranks - 1, 0, comm);
        }
        succeed(strata_waitall(2, request, MPI_STATUSES_IGNORE));
        REQUIRE_CMP(word, ==, round);
        REQUIRE(rank > 0 || all[ranks - 1] == ranks);
        REQUIRE_CMP(strncmp(report_of(comm).algorithm, "node_", 5), ==, 0);
    }
    succeed(strata_request_free(&request[0]));
    succeed(strata_request_free(&request[1]));
    MPI_Comm_free(&comm);
}

/* The communicator is freed while calls are open, and another one takes its place. */
static void test_freed(void)
{
    for (int round = 0; round < 10; round++) {
        struct strata_request *request[3], *later;
        MPI_Comm comm = new_communicator(), next;
        int mine[3] = {1, 2, 3}, sum[3], one = 1, all;
        for (int i = 0; i < 3; i++) {
            describe_sum(comm, &mine[i], &sum[i], &request[i]);
        }
        succeed(strata_startall(3, request));
        MPI_Comm_free(&comm);
        for (int i = 2; i >= 0; i--) {
            succeed(strata_wait(&request[i], MPI_STATUS_IGNORE));
            REQUIRE_CMP(sum[i], ==, ranks * mine[i]);
        }
        next = new_communicator();
        describe_sum(next, &one, &all, &later);
        succeed(strata_start(&later));
        succeed(strata_wait(&later, MPI_STATUS_IGNORE));
        REQUIRE_CMP(all, ==, ranks);
        succeed(strata_request_free(&later));
        for (int i = 0; i < 3; i++) {
            succeed(strata_request_free(&request[i]));
        }
        MPI_Comm_free(&next);
    }
}

static void fail_alike(int error, int class, struct strata_request *request)
{
    int found = MPI_SUCCESS;
    MPI_Error_class(error, &found);
    REQUIRE_CMP(found, ==, class);
    REQUIRE(!request);
}

/* All ranks find a mistake of two ranks, or of one, when the call is described. */
static void test_wrong(void)
{
    struct strata_request *request = NULL;
    MPI_Comm comm = new_communicator();
    struct arguments a;
    draw(&a, 0);
    a.taken[0] += rank == 1; /* of what rank 0 sends */
    fail_alike(make(1, false, &a, comm, &request), MPI_ERR_TRUNCATE, request);
    draw(&a, 0);
    a.each[0] += rank == a.root; /* of which rank 0 has fewer, or none */
    fail_alike(make(5, false, &a, comm, &request), MPI_ERR_TRUNCATE, request);
    fail_alike(make(7, false, &a, comm, &request), MPI_ERR_TRUNCATE, request);
    draw(&a, 0);
    a.root = rank == 0 ? -1 : 1;
    fail_alike(make(3, false, &a, comm, &request), MPI_ERR_ROOT, request);
    draw(&a, 0);
    fail_alike(make(1, false, &a, comm, rank == 0 ? NULL : &request), MPI_ERR_ARG, request);
    draw(&a, 0);
    succeed(make(1, true, &a, comm, NULL));
    succeed(make(1, false, &a, comm, &request));
    succeed(strata_start(&request));
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    REQUIRE_BYTES(a.recv, a.expected, sizeof a.recv);
    succeed(strata_request_free(&request));
    MPI_Comm_free(&comm);
}

/* One rank has no memory, at each allocation in turn: no rank has a request, and all go on. */
static void test_without_memory(int row)
{
    MPI_Comm comm = new_communicator();
    struct strata_request *request = NULL;
    struct arguments a;
    long allowed = 0;
    int error = MPI_ERR_NO_MEM;
    draw(&a, 0);
    while (error != MPI_SUCCESS) {
        strata_memory_fail_after(rank == ranks - 1 ? allowed + 1 : -1);
        error = make(row, false, &a, comm, &request);
        strata_memory_fail_after(-1);
        if (error != MPI_SUCCESS) {
            fail_alike(error, MPI_ERR_NO_MEM, request);
            succeed(strata_barrier(comm));
        }
        allowed++;
    }
    REQUIRE_CMP(allowed, >, 3);
    succeed(make(row, true, &a, comm, NULL));
    succeed(strata_start(&request));
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    REQUIRE_BYTES(a.recv, a.expected, sizeof a.recv);
    succeed(strata_request_free(&request));
    MPI_Comm_free(&comm);
}

/* Calls in place, without elements, and with a datatype of absolute addresses from MPI_BOTTOM
 * on. */
static void test_shapes(void)
{
    struct strata_request *request[4];
    MPI_Comm comm = new_communicator();
    int sum[COUNT], all[ROOM], none[MOST_RANKS] = {0}, from = 0, to = 0, length = 1;
    MPI_Aint address[2];
    MPI_Datatype there[2];
    MPI_Get_address(&from, &address[0]);
    MPI_Get_address(&to, &address[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Type_create_hindexed(1, &length, &address[i], MPI_INT, &there[i]);
        MPI_Type_commit(&there[i]);
    }
    succeed(strata_allreduce_init(MPI_IN_PLACE, sum, COUNT, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL,
                                  &request[0]));
    succeed(strata_alltoall_init(MPI_IN_PLACE, 0, MPI_INT, all, COUNT, MPI_INT, comm, MPI_INFO_NULL,
                                 &request[1]));
    succeed(strata_alltoallv_init(NULL, none, none, MPI_INT, NULL, none, none, MPI_INT, comm,
                                  MPI_INFO_NULL, &request[2]));
    succeed(strata_scatter_init(rank == 0 ? all : NULL, 0, MPI_INT, NULL, 0, MPI_INT, 0, comm,
                                MPI_INFO_NULL, &request[3]));
    for (int start = 0; start < STARTS; start++) {
        for (int i = 0; i < ROOM; i++) {
            all[i] = 100 * start + 10 * rank + i / COUNT;
            sum[i % COUNT] = start + rank;
        }
        succeed(strata_startall(4, request));
        succeed(strata_waitall(4, request, MPI_STATUSES_IGNORE));
        for (int i = 0; i < ranks * COUNT; i++) {
            REQUIRE_CMP(all[i], ==, 100 * start + 10 * (i / COUNT) + rank);
            REQUIRE_CMP(sum[i % COUNT], ==, ranks * start + ranks * (ranks - 1) / 2);
        }
    }
    for (int i = 0; i < 4; i++) {
        succeed(strata_request_free(&request[i]));
    }
    succeed(strata_bcast_init(MPI_BOTTOM, 1, there[rank > 0], 0, comm, MPI_INFO_NULL, &request[0]));
    succeed(strata_allgather_init(MPI_BOTTOM, 1, there[0], all, 1, MPI_INT, comm, MPI_INFO_NULL,
                                  &request[1]));
    MPI_Type_free(&there[0]);
    MPI_Type_free(&there[1]);
    for (int start = 0; start < STARTS; start++) {
        from = 7 * start + rank;
        to = -1;
        succeed(strata_startall(2, request));
        succeed(strata_waitall(2, request, MPI_STATUSES_IGNORE));
        REQUIRE(rank == 0 || to == 7 * start);
        for (int i = 0; i < ranks; i++) {
            REQUIRE_CMP(all[i], ==, 7 * start + i);
        }
    }
    succeed(strata_request_free(&request[0]));
    succeed(strata_request_free(&request[1]));
    REQUIRE_CMP(report_of(comm).calls_native, ==, 0);
    MPI_Comm_free(&comm);
}

/* Starts need no memory, from the first one on, by node-aware algorithms and by messages. */
static void test_starts_without_memory(const char *algorithm)
{
    MPI_Comm comm = new_communicator();
    struct strata_request *request;
    struct arguments a;
    succeed(strata_comm_force(comm, "alltoallv", algorithm));
    draw(&a, 0);
    succeed(make(1, false, &a, comm, &request));
    for (int start = 0; start < 3; start++) {
        draw(&a, start);
        succeed(make(1, true, &a, comm, NULL));
        strata_memory_fail_after(0);
        int started = strata_start(&request), ended = strata_wait(&request, MPI_STATUS_IGNORE);
        strata_memory_fail_after(-1);
        succeed(started);
        succeed(ended);
        REQUIRE_BYTES(a.recv, a.expected, sizeof a.recv);
    }
    REQUIRE(strstr(report_of(comm).algorithm, algorithm));
    succeed(strata_request_free(&request));
    MPI_Comm_free(&comm);
}

/* Blocks that are longer than the threshold, and one that is empty: they go in messages. */
static void test_long_blocks(const char *collective)
{
    enum { MOST = 3000 };
    static int send[MOST_RANKS * MOST], recv[MOST_RANKS * MOST];
    int each[MOST_RANKS], at[MOST_RANKS];
    const bool gathers = strcmp(collective, "gatherv") == 0;
    MPI_Comm comm = new_communicator();
    struct strata_request *request;
    for (int i = 0; i < ranks; i++) {
        each[i] = i * MOST / ranks;
        at[i] = i * MOST;
    }
    succeed(gathers ? strata_gatherv_init(send, each[rank], MPI_INT, recv, each, at, MPI_INT, 0,
                                          comm, MPI_INFO_NULL, &request)
                    : strata_scatterv_init(send, each, at, MPI_INT, recv, each[rank], MPI_INT, 0,
                                           comm, MPI_INFO_NULL, &request));
    for (int start = 0; start < 3; start++) {
        for (int i = 0; i < ranks * MOST; i++) {
            send[i] = start + (gathers ? rank * MOST + i : i);
            recv[i] = -1;
        }
        succeed(strata_start(&request));
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
        for (int r = 0; gathers && rank == 0 && r < ranks; r++) {
            for (int i = 0; i < MOST; i++) {
                REQUIRE_CMP(recv[r * MOST + i], ==, i < each[r] ? start + r * MOST + i : -1);
            }
        }
        for (int i = 0; !gathers && i < MOST; i++) {
            REQUIRE_CMP(recv[i], ==, i < each[rank] ? start + rank * MOST + i : -1);
        }
    }
    succeed(strata_request_free(&request));
    MPI_Comm_free(&comm);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): MPI says so */
static void add(void *from, void *into, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++) {
        ((int *)into)[i] += ((const int *)from)[i];
    }
}

/* On one rank the operator is the program's, so on no rank does a plan serve the call. */
static void test_own_operator(void)
{
    MPI_Comm comm = new_communicator();
    struct strata_request *request;
    MPI_Op op;
    int mine = rank, sum = -1;
    MPI_Op_create(add, 1, &op);
    succeed(strata_allreduce_init(&mine, &sum, 1, MPI_INT, rank == 0 ? op : MPI_SUM, comm,
                                  MPI_INFO_NULL, &request));
    succeed(strata_start(&request));
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    REQUIRE_CMP(sum, ==, ranks * (ranks - 1) / 2);
    REQUIRE_CMP(report_of(comm).calls_native, ==, 1);
    succeed(strata_request_free(&request));
    MPI_Op_free(&op);
    MPI_Comm_free(&comm);
}

struct thread {
    MPI_Comm comm;
    int number;
    bool right;
};

/* Starts requests of a communicator of its own, which it frees before the last start. */
static void *start_often(void *argument)
{
    struct thread *t = argument;
    struct strata_request *request;
    int mine = 0, sum = 0;
    t->right = strata_allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, t->comm, MPI_INFO_NULL,
                                     &request) == MPI_SUCCESS;
    for (int start = 0; start < 200 && t->right; start++) {
        mine = start + t->number;
        if (start == 199) {
            MPI_Comm_free(&t->comm);
        }
        t->right = strata_start(&request) == MPI_SUCCESS &&
                   strata_wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS && sum == ranks * mine;
    }
    t->right = t->right && strata_request_free(&request) == MPI_SUCCESS;
    return NULL;
}

static void test_threads(void)
{
    enum { THREADS = 3 };
    struct thread thread[THREADS];
    pthread_t id[THREADS];

    for (int i = 0; i < THREADS; i++) {
        thread[i] = (struct thread){.comm = new_communicator(), .number = 1000 * i};
    }
    for (int i = 0; i < THREADS; i++) {
        REQUIRE_CMP(pthread_create(&id[i], NULL, start_often, &thread[i]), ==, 0);
    }
    for (int i = 0; i < THREADS; i++) {
        REQUIRE_CMP(pthread_join(id[i], NULL), ==, 0);
        REQUIRE(thread[i].right);
    }
}

/* Only the first of so many communicators have room. After they are freed there is room again. */
static void test_budget(void)
{
    static MPI_Comm comm[MANY];
    static struct strata_request *request[MANY];
    int mine[MANY], sum[MANY], without = 0;
    uint64_t bare[MANY];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < MANY; i++) {
            mine[i] = i + 1;
            comm[i] = new_communicator();
            bare[i] = report_of(comm[i]).node_memory_bytes;
            succeed(strata_allreduce_init(&mine[i], &sum[i], 1, MPI_INT, MPI_SUM, comm[i],
                                          MPI_INFO_NULL, &request[i]));
        }
        succeed(strata_startall(MANY, request));
        succeed(strata_waitall(MANY, request, MPI_STATUSES_IGNORE));
        without = 0;
        for (int i = 0; i < MANY; i++) {
            REQUIRE_CMP(sum[i], ==, ranks * (i + 1));
            REQUIRE_CMP(report_of(comm[i]).calls_native, ==, 0);
            without += strstr(report_of(comm[i]).why, "without node memory") != NULL;
            REQUIRE(without == 0 || strstr(report_of(comm[i]).why, "without node memory"));
            if (without == 0) { /* rooms besides */
                REQUIRE_CMP(report_of(comm[i]).node_memory_bytes, >, bare[i]);
            }
            succeed(strata_request_free(&request[i]));
        }
        REQUIRE_CMP(without, >, 0);
        REQUIRE_CMP(without, <, MANY);
        for (int i = 0; i < MANY; i++) {
            MPI_Comm_free(&comm[i]);
        }
    }
    if (rank == 0) {
        printf("%d of %d communicators without node memory\n", without, MANY);
    }
}

/* The messages and bytes of all ranks. */
struct sent {
    unsigned long long messages, bytes;
};

static struct sent sent_by_all(MPI_Comm comm)
{
    struct strata_report r = report_of(comm);
    unsigned long long mine[2] = {r.messages + r.messages_node, r.bytes + r.bytes_node}, all[2];
    MPI_Allreduce(mine, all, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, comm);
    return (struct sent){all[0], all[1]};
}

/* The messages and bytes of one start. */
static struct sent start_once(MPI_Comm comm, struct strata_request **request)
{
    struct sent before = sent_by_all(comm), after;
    succeed(strata_start(request));
    succeed(strata_wait(request, MPI_STATUS_IGNORE));
    after = sent_by_all(comm);
    return (struct sent){after.messages - before.messages, after.bytes - before.bytes};
}

/* Returns the bytes of all blocks that leave their node of two ranks, or their rank. No block goes
 * from the first half of the ranks to the second. */
static unsigned long long draw_one_way(struct arguments *a, bool across, bool nothing)
{
    unsigned long long mine = 0, all = 0;
    draw(a, 0);
    for (int i = 0; i < ranks; i++) {
        bool far = across ? i / 2 != rank / 2 : i != rank;
        a->sent[i] = nothing || (rank < ranks / 2 && i >= ranks / 2) ? 0 : a->sent[i];
        a->taken[i] = nothing || (i < ranks / 2 && rank >= ranks / 2) ? 0 : a->taken[i];
        mine += far ? (unsigned long long)a->sent[i] * sizeof(int) : 0;
    }
    MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* The first start tells the lengths of items. Later starts send items alone, and no empty
 * message. */
static void test_lengths(const char *algorithm)
{
    MPI_Comm comm = new_communicator();
    bool aware = strncmp(algorithm, "leaders", 7) == 0, across = report_of(comm).nodes > 1;
    bool direct = (aware && across ? ranks / 2 : ranks) == 2; /* nothing is passed on */
    succeed(strata_comm_force(comm, "alltoallv", algorithm));
    for (int nothing = 0; nothing < 2; nothing++) {
        struct strata_request *request;
        struct arguments a;
        unsigned long long data = draw_one_way(&a, aware && across, nothing);
        struct sent first, later;
        memset(a.expected, 0xFF, sizeof a.expected);
        succeed(make(1, true, &a, comm, NULL));
        succeed(make(1, false, &a, comm, &request));
        first = start_once(comm, &request);
        REQUIRE_CMP(strncmp(report_of(comm).algorithm, algorithm, strlen(algorithm)), ==, 0);
        for (int start = 0; start < 3; start++) {
            memset(a.recv, 0xFF, sizeof a.recv);
            later = start_once(comm, &request);
            REQUIRE_BYTES(a.recv, a.expected, sizeof a.recv);
            REQUIRE(first.messages == 0 || later.messages < first.messages);
            REQUIRE(first.messages == 0 || later.bytes < first.bytes);
            REQUIRE(!nothing || later.messages == 0);
            REQUIRE(first.messages == 0 || !direct || later.bytes == data);
        }
        REQUIRE(first.messages > 0 || (aware && !across));
        succeed(strata_request_free(&request));
    }
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    int level = MPI_THREAD_SINGLE;
    bool threads = argc > 1 && strcmp(argv[1], "threads") == 0;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 1) {
        REQUIRE(!threads || level == MPI_THREAD_MULTIPLE);
        threads ? test_threads() : test_budget();
        MPI_Finalize();
        return 0;
    }
    for (int row = 0; row < (int)(sizeof rows / sizeof *rows); row++) {
        test_algorithm(row);
    }
    test_shapes();
    test_long_blocks("gatherv");
    test_long_blocks("scatterv");
    test_own_operator();
    test_starts_without_memory("leaders");
    test_starts_without_memory("linear");
    test_open();
    test_overlap();
    test_freed();
    test_wrong();
    test_lengths("sloav");
    test_lengths("leaders");
    test_lengths("leaders:leaders=2,radix=2,tree=1,between=two_phase");
    test_lengths("leaders:leaders=2,radix=2,tree=1,between=pairwise");
    test_without_memory(1);
    test_without_memory(7);
    test_without_memory(9);
    MPI_Finalize();
    return 0;
}
