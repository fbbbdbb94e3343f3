/* Random programs of up to 8 calls, blocking, nonblocking or persistent, on four communicators,
 * three of them of one group. Ranks begin calls on different communicators in different orders, and
 * complete them in any order, by any call. Datatypes, counts and communicators are freed earlier.
 * Each result equals MPI's own, bit for bit. A soak goes on with more programs, and with other
 * parts of the world.
 *
 * run: 1,2
 * run: 2 -- threads
 * long: 2 STRATA_PROGRESS=always -- threads
 * run: 4 STRATA_TOPO=node:2 STRATA_THRESHOLD=16 STRATA_CHECK=1 -- 15
 * long: 4 STRATA_TOPO=node:2 STRATA_THRESHOLD=16 STRATA_CHECK=1 -- 100
 * run: 5 STRATA_TOPO=node:5 STRATA_ALLGATHER=sparbit STRATA_ALLGATHERV=sparbit -- 30
 * run: 2 -- 40 unattached
 * long: 2 -- 100 unattached
 * timeout: 300 */
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api/types/type_map.h"
#include "core/base/memory.h"
#include "tests/long.h"
#include "tests/mpi/attached.h"
#include "tests/mpi/soak.h"
#include "tests/random.h"

enum {
    MOST_RANKS = 8,
    MOST_CALLS = 8,
    COMMUNICATORS = 4,
    MOST = 300,
    ROOM = 4 * MOST * MOST_RANKS,
    COLLECTIVES = 17,
    FLAT = 65536 /* bytes: less than one byte for each of a thousand ints */
};

enum how { BY_MPI, BLOCKING, BEGUN, DESCRIBED, HOWS };

/* The arguments of one call on this rank, for all ways to make it. */
struct call {
    int collective, communicator, root, count, result;
    enum how how;
    uint64_t seed; /* of the arrays' contents */
    bool in_place, derived;
    MPI_Comm comm;
    int rank, ranks;
    MPI_Datatype type;
    MPI_Datatype types[MOST_RANKS];
    int sent[MOST_RANKS], sent_at[MOST_RANKS], taken[MOST_RANKS], taken_at[MOST_RANKS];
    int send[ROOM], recv[ROOM], expected[ROOM];
    struct strata_request *request;
};

static struct call calls[MOST_CALLS];
static MPI_Comm comms[COMMUNICATORS], references[COMMUNICATORS];
static long begun, by_plan;
/* Freed while calls with them are open: types, and communicators. */
static long freed_types, freed_open;
static bool unattached; /* communicators are attached only by a call */

#define WAYS(number, Name, name, ...)                                                              \
    case number:                                                                                   \
        return how == BY_MPI     ? MPI_##Name(__VA_ARGS__)                                         \
               : how == BLOCKING ? strata_##name(__VA_ARGS__)                                      \
               : how == BEGUN    ? strata_i##name(__VA_ARGS__, &c->request)                        \
                                 : strata_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &c->request);

/* NOLINTNEXTLINE(readability-function-size): a line for each collective */
static int make(struct call *c, enum how how, int *recv, MPI_Comm comm)
{
    const bool root = c->rank == c->root;
    const void *send = c->in_place ? MPI_IN_PLACE : (const void *)c->send;
    const void *root_send = c->in_place && root ? MPI_IN_PLACE : (const void *)c->send;
    const int n = c->count;
    MPI_Datatype t = c->type;
    switch (c->collective) {
        WAYS(0, Alltoall, alltoall, send, n, t, recv, n, t, comm)
        WAYS(1, Alltoallv, alltoallv, c->send, c->sent, c->sent_at, t, recv, c->taken, c->taken_at,
             t, comm)
        WAYS(2, Alltoallw, alltoallw, c->send, c->sent, c->sent_at, c->types, recv, c->taken,
             c->taken_at, c->types, comm)
        WAYS(3, Allgather, allgather, send, n, t, recv, n, t, comm)
        WAYS(4, Allgatherv, allgatherv, c->send, c->taken[c->rank], t, recv, c->taken, c->taken_at,
             t, comm)
        WAYS(5, Bcast, bcast, recv, n, t, c->root, comm)
        WAYS(6, Gather, gather, root_send, n, t, recv, n, t, c->root, comm)
        WAYS(7, Gatherv, gatherv, c->send, c->taken[c->rank], t, recv, c->taken, c->taken_at, t,
             c->root, comm)
        WAYS(8, Scatter, scatter, c->send, n, t, recv, n, t, c->root, comm)
        WAYS(9, Scatterv, scatterv, c->send, c->taken, c->taken_at, t, recv, c->taken[c->rank], t,
             c->root, comm)
        WAYS(10, Reduce, reduce, root_send, recv, n, MPI_INT, MPI_SUM, c->root, comm)
        WAYS(11, Allreduce, allreduce, send, recv, n, MPI_INT, MPI_MAX, comm)
        WAYS(12, Reduce_scatter, reduce_scatter, send, recv, c->taken, MPI_INT, MPI_SUM, comm)
        WAYS(13, Reduce_scatter_block, reduce_scatter_block, send, recv, n, MPI_INT, MPI_BXOR, comm)
        WAYS(14, Scan, scan, send, recv, n, MPI_INT, MPI_SUM, comm)
        WAYS(15, Exscan, exscan, send, recv, n, MPI_INT, MPI_SUM, comm)
        WAYS(16, Barrier, barrier, comm)
    default:
        return MPI_ERR_INTERN;
    }
}

/* A type of two of each four ints, with different lengths in the buffer and in a message. */
static MPI_Datatype derived_type(void)
{
    MPI_Datatype pair, type;
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, 4 * sizeof(int), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&pair);
    return type;
}

static uint64_t mixed(uint64_t seed, int a, int b)
{
    struct random r = {seed + 1000003 * (uint64_t)a + 7919 * (uint64_t)b};
    random_next(&r);
    return random_next(&r);
}

/* Draws the blocks' lengths, by (source, destination), so that both ends agree. In some collectives
 * all ranks know all lengths, or the root does. */
static void draw_blocks(struct call *c, uint64_t seed)
{
    bool pairs = c->collective == 1 || c->collective == 2;
    int unit = c->collective == 2 ? (c->derived ? 4 : 1) * (int)sizeof(int) : 1;
    int sent = 0, taken = 0;
    for (int i = 0; i < c->ranks; i++) {
        int most = c->count + 1;
        c->sent[i] = (int)(mixed(seed, c->rank, i) % (uint64_t)most);
        c->taken[i] = (int)(mixed(seed, pairs ? i : 0, pairs ? c->rank : i) % (uint64_t)most);
        c->sent_at[i] = sent * unit;
        c->taken_at[i] = taken * unit;
        c->types[i] = c->type;
        sent += c->sent[i];
        taken += c->taken[i];
    }
}

/* Draws a call alike on all ranks, except for a buffer's contents. */
static void draw(struct call *c, struct random *r)
{
    static const int most[] = {2, 8, 40, MOST};
    uint64_t seed = random_next(r);
    c->collective = (int)(random_next(r) % COLLECTIVES);
    c->communicator = (int)(random_next(r) % COMMUNICATORS);
    c->how = (enum how)(BLOCKING + random_below(r, HOWS - BLOCKING));
    c->in_place = random_next(r) % 4 == 0;
    c->derived = random_next(r) % 3 == 0 && c->collective < 10;
    c->count = (int)(random_next(r) % (uint64_t)most[random_next(r) % 4]);
    c->comm = comms[c->communicator];
    c->request = NULL;
    uint64_t root = random_next(r);
    if (c->comm == MPI_COMM_NULL) {
        return;
    }
    MPI_Comm_rank(c->comm, &c->rank);
    MPI_Comm_size(c->comm, &c->ranks);
    c->root = (int)(root % (uint64_t)c->ranks);
    c->type = c->derived ? derived_type() : MPI_INT;
    c->seed = seed;
    draw_blocks(c, seed);
    c->result = c->collective == 12 ? c->taken[c->rank] : c->count;
    for (int i = 0; i < ROOM; i++) {
        c->send[i] = (int)(mixed(seed, c->rank, i) % 1000003);
        c->recv[i] = c->expected[i] = c->send[i] + 17;
    }
}

/* Restores the buffers before the next start. */
static void reset(struct call *c)
{
    for (int i = 0; i < ROOM; i++) {
        c->recv[i] = c->send[i] + 17;
    }
}

static void expect(struct call *c)
{
    if (c->comm != MPI_COMM_NULL) {
        succeed(make(c, BY_MPI, c->expected, references[c->communicator]));
    }
}

static uint64_t plans_of(MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(comm, &report));
    return report.calls;
}

/* The arrays of a call are gone when it returns, except where MPI's own reads them later. So are
 * its datatypes. */
static void begin(struct call *c)
{
    if (c->comm == MPI_COMM_NULL) {
        return;
    }
    uint64_t before = plans_of(c->comm);
    succeed(make(c, c->how, c->recv, c->comm));
    if (c->how == DESCRIBED) {
        succeed(strata_start(&c->request));
    }
    if (c->how != BLOCKING) {
        bool plan = plans_of(c->comm) > before;
        begun++;
        by_plan += plan;
        for (int i = 0; plan && i < c->ranks; i++) {
            c->sent[i] = c->taken[i] = c->sent_at[i] = c->taken_at[i] = -1;
            c->types[i] = MPI_DATATYPE_NULL;
        }
    }
    if (c->derived) {
        freed_types += c->how != BLOCKING;
        MPI_Type_free(&c->type);
    }
}

/* Completes all requests in one of several ways, each rank in its own. */
static void complete(struct strata_request **requests, int count, int way)
{
    int flag = 0, index = 0, done = 0, left = count;
    int indices[MOST_CALLS];
    if (way == 0) {
        succeed(strata_waitall(count, requests, MPI_STATUSES_IGNORE));
    } else if (way == 1) {
        while (!flag) {
            succeed(strata_testall(count, requests, &flag, MPI_STATUSES_IGNORE));
        }
    } else if (way == 2) {
        while (succeed(strata_waitany(count, requests, &index, MPI_STATUS_IGNORE)), index >= 0) {
        }
    } else if (way == 3) {
        while (left > 0 && done != MPI_UNDEFINED) {
            succeed(strata_testsome(count, requests, &done, indices, MPI_STATUSES_IGNORE));
            left -= done;
        }
    } else if (way == 4) {
        for (int i = count - 1; i >= 0; i--) {
            succeed(strata_wait(&requests[i], MPI_STATUS_IGNORE));
        }
    } else {
        while (succeed(strata_testany(count, requests, &index, &flag, MPI_STATUS_IGNORE)),
               !flag || index >= 0) {
        }
    }
}

/* The ints that the call defines: of a reduction's input in place only the result. */
static size_t defined(const struct call *c)
{
    bool scatters = c->in_place && (c->collective == 12 || c->collective == 13);
    return scatters ? (size_t)c->result : ROOM;
}

static void compare(const struct call *c, uint64_t seed)
{
    if (c->comm != MPI_COMM_NULL &&
        memcmp(c->recv, c->expected, defined(c) * sizeof *c->recv) != 0) {
        fprintf(stderr, "seed %llu: collective %d on communicator %d, count %d, root %d%s%s%s\n",
                (unsigned long long)seed, c->collective, c->communicator, c->count, c->root,
                c->in_place ? ", in place" : "", c->derived ? ", derived" : "",
                c->how == BLOCKING ? ", blocking"
                : c->how == BEGUN  ? ""
                                   : ", persistent");
        REQUIRE(!"what came is what MPI's own brings");
    }
}

static void renew(MPI_Comm *comm)
{
    MPI_Comm_dup(MPI_COMM_WORLD, comm);
    REQUIRE(unattached || strata_comm_attach(*comm, NULL) == MPI_SUCCESS);
}

/* Puts another part of the world, in another order, in the place of the communicator that had one.
 */
static bool renew_part(uint64_t seed)
{
    int rank;
    struct random common = {seed}, mine;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = (struct random){random_mix(seed + (uint64_t)rank)};
    int parts = random_between(&common, 1, 3), part = random_below(&mine, parts + 1);
    if (comms[2] != MPI_COMM_NULL) {
        MPI_Comm_free(&comms[2]);
        MPI_Comm_free(&references[2]);
    }
    MPI_Comm_split(MPI_COMM_WORLD, part == parts ? MPI_UNDEFINED : part, random_below(&mine, 100),
                   &comms[2]);
    if (comms[2] != MPI_COMM_NULL) {
        REQUIRE(unattached || strata_comm_attach(comms[2], NULL) == MPI_SUCCESS);
        MPI_Comm_dup(comms[2], &references[2]);
    }
    return true;
}

static bool may_swap(const struct call *a, const struct call *b)
{
    return a->how == BEGUN && b->how == BEGUN && a->communicator != b->communicator;
}

/* Repeats a persistent call, or a nonblocking one that still has its datatypes. */
static void make_again(struct call *c, struct strata_request **request)
{
    if (*request) {
        reset(c);
        succeed(strata_startall(1, request));
    } else if (c->comm != MPI_COMM_NULL && c->how == BEGUN && !c->derived) {
        reset(c);
        draw_blocks(c, c->seed);
        begin(c);
        *request = c->request;
    }
}

/* Repeats all calls, except on a freed communicator. */
static void make_all_again(struct strata_request **requests, int count, bool freed,
                           struct random *own)
{
    for (int i = 0; i < count; i++) {
        if (!freed || calls[i].communicator != 3) {
            make_again(&calls[i], &requests[i]);
        }
    }
    complete(requests, count, random_below(own, 6));
}

static void free_all(struct strata_request **requests, int count)
{
    for (int i = 0; i < count; i++) {
        if (requests[i]) {
            succeed(strata_request_free(&requests[i]));
        }
        REQUIRE(!requests[i]);
    }
}

/* Runs one program; `own` draws the choices that may differ from rank to rank. */
static void run_program(uint64_t seed, struct random *own)
{
    struct random r = {seed};
    struct strata_request *requests[MOST_CALLS];
    int count = 1 + random_below(&r, MOST_CALLS);
    bool frees = random_below(&r, 8) == 0;
    for (int i = 0; i < count; i++) {
        draw(&calls[i], &r);
        expect(&calls[i]);
    }
    for (int i = 0; i < count; i++) {
        if (i + 1 < count && may_swap(&calls[i], &calls[i + 1]) && random_below(own, 2)) {
            begin(&calls[i + 1]);
            begin(&calls[i]);
            i++;
        } else {
            begin(&calls[i]);
        }
    }
    if (frees) {
        for (int i = 0; i < count; i++) {
            freed_open += calls[i].communicator == 3 && calls[i].how != BLOCKING;
        }
        MPI_Comm_free(&comms[3]);
    }
    for (int i = 0; i < count; i++) {
        requests[i] = calls[i].request;
    }
    complete(requests, count, random_below(own, 6));
    for (int i = 0; i < count; i++) {
        REQUIRE(calls[i].how == DESCRIBED || !requests[i]);
        compare(&calls[i], seed);
    }
    if (frees) {
        renew(&comms[3]);
    }
    for (int round = 0; round < 2; round++) {
        make_all_again(requests, count, frees, own);
        for (int i = 0; i < count; i++) {
            compare(&calls[i], seed);
        }
    }
    free_all(requests, count);
}

/* Forces node-aware algorithms for a communicator whose nodes have memory, which a persistent
 * barrier gets. Elsewhere MPI's own would serve forced calls. The caller frees the barrier. */
static struct strata_request *force_node(MPI_Comm comm)
{
    static const char *const rows[][2] = {
        {"alltoall", "leaders"},     {"alltoallv", "leaders"},
        {"alltoallw", "leaders"},    {"allgather", "node_allgather"},
        {"bcast", "node_bcast"},     {"gather", "node_gather"},
        {"scatter", "node_scatter"}, {"reduce", "node_reduce"},
        {"scan", "node_scan"},       {"allreduce", "node_allreduce"},
        {"barrier", "node_barrier"}, {"reduce_scatter", "node_reduce_scatter"},
    };
    struct strata_request *barrier;
    bool gets;
    succeed(strata_comm_force(comm, "barrier", "node_barrier"));
    succeed(strata_barrier_init(comm, MPI_INFO_NULL, &barrier));
    succeed(strata_start(&barrier));
    succeed(strata_wait(&barrier, MPI_STATUS_IGNORE));
    gets = report_of(comm).calls_native == 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        succeed(strata_comm_force(comm, rows[i][0], gets ? rows[i][1] : NULL));
    }
    return barrier;
}

/* Runs the programs of so many seeds, from the first one on. */
static void run_programs(long programs, long first)
{
    struct random own = {99};
    struct strata_request *barrier;
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    own.state += (uint64_t)rank;
    for (int i = 0; i < COMMUNICATORS; i++) {
        if (i == 2) { /* of another group */
            MPI_Comm_split(MPI_COMM_WORLD, rank > ranks / 2 ? MPI_UNDEFINED : 0, -rank, &comms[2]);
        } else {
            MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        }
        if (comms[i] != MPI_COMM_NULL) {
            REQUIRE(unattached || strata_comm_attach(comms[i], NULL) == MPI_SUCCESS);
            MPI_Comm_dup(comms[i], &references[i]);
        }
    }
    if (!unattached) { /* a communicator that has node memory */
        barrier = force_node(comms[1]);
    }
    long end = programs;
    do {
        for (long i = end - programs; i < end; i++) {
            run_program((uint64_t)(first + i), &own);
        }
        end += programs;
    } while (soak_goes_on() && renew_part((uint64_t)end));
    programs = end - programs;
    soak_end();
    if (!unattached) {
        succeed(strata_request_free(&barrier));
    }
    if (rank == 0) {
        printf("%ld programs, seeds from %ld; %ld of %ld calls by plans; %ld types freed while "
               "they were open, %ld communicators with open calls\n",
               programs, first, by_plan, begun, freed_types, freed_open);
    }
    REQUIRE_CMP(by_plan * 10, >=, begun * 9);
    REQUIRE(programs < 100 || (freed_types > 0 && freed_open > 0));
    for (int i = 0; i < COMMUNICATORS; i++) {
        if (comms[i] != MPI_COMM_NULL) {
            MPI_Comm_free(&comms[i]);
            MPI_Comm_free(&references[i]);
        }
    }
}

/* A communicator is attached by an initialisation, and by a blocking call, while requests are open
 * that other ranks wait for before they arrive there. */
static void test_attaches(int rank, int ranks)
{
    struct strata_request *again, *open, *early;
    MPI_Comm comm[2], other;
    int sum[3] = {0}, mine = 1;
    uint64_t before;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    succeed(strata_comm_attach(other, NULL));
    succeed(strata_comm_force(other, "allreduce", "rabenseifner"));
    for (int i = 0; i < 2; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
        succeed(strata_iallreduce(&mine, &sum[0], 1, MPI_INT, MPI_SUM, comm[i], &early));
        REQUIRE_CMP(report_of(comm[i]).calls_native, ==, 1);
        succeed(strata_iallreduce(&mine, &sum[1], 1, MPI_INT, MPI_SUM, other, &open));
        if (rank % 2 == i) {
            succeed(strata_wait(&open, MPI_STATUS_IGNORE));
        }
        if (i == 0) {
            succeed(strata_allreduce_init(&mine, &sum[2], 1, MPI_INT, MPI_SUM, comm[i],
                                          MPI_INFO_NULL, &again));
            before = plans_of(comm[i]);
            succeed(strata_start(&again));
        } else {
            succeed(strata_barrier(comm[i]));
            before = plans_of(comm[i]);
            succeed(strata_iallreduce(&mine, &sum[2], 1, MPI_INT, MPI_SUM, comm[i], &again));
        }
        REQUIRE_CMP(plans_of(comm[i]), >, before);
        succeed(strata_wait(&again, MPI_STATUS_IGNORE));
        succeed(strata_wait(&open, MPI_STATUS_IGNORE));
        succeed(strata_wait(&early, MPI_STATUS_IGNORE));
        REQUIRE_CMP(sum[0], ==, ranks);
        REQUIRE_CMP(sum[1], ==, ranks);
        REQUIRE_CMP(sum[2], ==, ranks);
        if (again) {
            succeed(strata_request_free(&again));
        }
        MPI_Comm_free(&comm[i]);
    }
    MPI_Comm_free(&other);
}

static MPI_Datatype seen; /* by the program's operator */

static void combine(void *from, void *into, int *count, MPI_Datatype *type)
{
    seen = *type;
    for (int i = 0; i < *count; i++) {
        ((int *)into)[i] += ((int *)from)[i];
    }
}

/* MPI's own serves a communicator before it is attached, and calls with the program's operator. */
static void test_mpis_own(int rank, int ranks)
{
    struct strata_request *request;
    MPI_Comm comm;
    MPI_Op op;
    int sum = 0, mine = rank + 1;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    succeed(strata_iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, &request));
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    REQUIRE_CMP(sum, ==, ranks * (ranks + 1) / 2);
    REQUIRE_CMP(report_of(comm).calls_native, ==, 1);
    REQUIRE(strstr(report_of(comm).why, "not attached"));
    succeed(strata_comm_attach(comm, NULL));
    MPI_Op_create(combine, 1, &op);
    succeed(strata_iallreduce(&mine, &sum, 1, MPI_INT, op, comm, &request));
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    MPI_Op_free(&op);
    REQUIRE_CMP(sum, ==, ranks * (ranks + 1) / 2);
    REQUIRE_CMP(report_of(comm).calls_native, ==, 2);
    succeed(strata_comm_force(comm, "barrier", "native"));
    succeed(strata_ibarrier(comm, &request));
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    REQUIRE_CMP(report_of(comm).calls_native, ==, 3);
    REQUIRE_CMP(report_of(comm).calls, ==, 0);
    REQUIRE(strstr(report_of(comm).why, "forced by strata_comm_force"));
    MPI_Comm_free(&comm);
}

/* One rank waits for a request, while another is in a later blocking call of MPI's own. */
static void test_beside_mpis_own(int rank)
{
    struct strata_request *request;
    MPI_Comm comm;
    int sum, mine = 1;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    succeed(strata_comm_attach(comm, NULL));
    succeed(strata_comm_force(comm, "allreduce", "rabenseifner"));
    succeed(strata_comm_force(comm, "barrier", "native"));
    for (int i = 0; i < 20; i++) {
        succeed(strata_iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, &request));
        if (rank % 2) {
            succeed(strata_wait(&request, MPI_STATUS_IGNORE));
        }
        succeed(strata_barrier(comm));
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    }
    REQUIRE_CMP(report_of(comm).calls, ==, 20);
    REQUIRE_CMP(report_of(comm).calls_native, ==, 20);
    MPI_Comm_free(&comm);
}

/* Some of Open MPI's nonblocking calls give wrong results here, so its blocking call is not built
 * on them. Some blocks are empty. */
static void test_in_place_beside_mpis_own(int rank, int ranks)
{
    int sum, mine = 1, counts[MOST_RANKS], displs[MOST_RANKS], block[MOST_RANKS * 9];
    MPI_Datatype types[MOST_RANKS];
    struct strata_request *request;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    succeed(strata_comm_attach(comm, NULL));
    succeed(strata_comm_force(comm, "alltoallv", "native"));
    succeed(strata_comm_force(comm, "alltoallw", "native"));
    succeed(strata_iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, &request));
    for (int call = 0; call < 20; call++) {
        bool typed = call % 2;
        for (int i = 0; i < ranks; i++) {
            counts[i] = (call + i + rank) % 3 > 0 ? 0 : 5 + (i * rank + call) % 5;
            displs[i] = i * 9 * (typed ? (int)sizeof(int) : 1);
            types[i] = MPI_INT;
            block[9 * i] = 100 * rank + i;
        }
        succeed(typed ? strata_alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, block, counts, displs,
                                         types, comm)
                      : strata_alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, block, counts,
                                         displs, MPI_INT, comm));
        for (int i = 0; i < ranks; i++) {
            REQUIRE_CMP(block[9 * i], ==, counts[i] > 0 ? 100 * i + rank : 100 * rank + i);
        }
    }
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    REQUIRE_CMP(sum, ==, ranks);
    REQUIRE_CMP(report_of(comm).calls_native, ==, 20);
    MPI_Comm_free(&comm);
}

static FILE *nowhere;
static void *shared;

static int ask_same_bits(MPI_Comm comm)
{
    return strata_comm_same_bits(comm, 0);
}

static int describe(MPI_Comm comm)
{
    return strata_comm_describe(comm, nowhere);
}

static int allocate(MPI_Comm comm)
{
    return strata_alloc(8, comm, &shared);
}

static int release(MPI_Comm comm)
{
    (void)comm;
    return strata_free(shared);
}

static int bcast_large(MPI_Comm comm)
{
    int data = 0;
    return strata_bcast_c(&data, 1, MPI_INT, 1, comm);
}

/* A rank that remembers the last call, and one that does not, make the next call in one form. So do
 * ranks that call either of two forms that are one procedure in MPI-4. */
static void test_forms(int rank, int ranks)
{
    struct strata_request *request;
    MPI_Comm comm;
    int sum = 0, mine = 1;
    const bool mixed = MPI_VERSION >= 4 && rank == 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    succeed(strata_comm_attach(comm, NULL));
    succeed(strata_iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, &request));
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    succeed(strata_comm_force(comm, "allreduce", "recursive_doubling"));
    succeed(strata_allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm));
    if (rank == 1) {
        succeed(strata_allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF));
    }
    succeed(strata_comm_force(comm, "allreduce", "native"));
    sum = 0;
    succeed(mixed ? strata_allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm)
                  : strata_allreduce_c(&mine, &sum, 1, MPI_INT, MPI_SUM, comm));
    REQUIRE_CMP(sum, ==, ranks);
    MPI_Comm_free(&comm);
}

/* One rank waits for a request, while others are in other collective calls. */
static void test_beside_others(int rank, int ranks)
{
    static int (*const others[])(MPI_Comm) = {ask_same_bits, describe, allocate, release,
                                              bcast_large};
    struct strata_request *request;
    MPI_Comm comm;
    int sum, mine = 1;

    nowhere = fopen("/dev/null", "w");
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    succeed(strata_comm_attach(comm, NULL));
    succeed(strata_comm_force(comm, "allreduce", "rabenseifner"));
    succeed(strata_comm_force(comm, "bcast", "native"));
    for (int i = 0; i < 50 && ranks > 1; i++) {
        succeed(strata_iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, &request));
        if (rank % 2 == i / 5 % 2) {
            succeed(strata_wait(&request, MPI_STATUS_IGNORE));
        }
        succeed(others[i % 5](comm));
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    }
    MPI_Comm_free(&comm);
    fclose(nowhere);
}

/* Each start hands the program's datatype to the program's operator. */
static void test_own_operator(int ranks)
{
    struct strata_request *request;
    MPI_Datatype type;
    MPI_Op op;
    int sum = 0, mine = 3;
    MPI_Type_contiguous(1, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(combine, 1, &op);
    succeed(
        strata_allreduce_init(&mine, &sum, 1, type, op, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    for (int i = 0; i < 3; i++) {
        seen = type;
        succeed(strata_start(&request));
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
        REQUIRE_CMP(sum, ==, 3 * ranks);
        REQUIRE_CMP(seen, ==, type);
    }
    succeed(strata_request_free(&request));
    MPI_Op_free(&op);
    MPI_Type_free(&type);
}

/* A reduction's datatype that is predefined but has no name. */
static void test_precision(int rank, int ranks)
{
    struct strata_request *request;
    MPI_Datatype type;
    MPI_Comm comm;
    double sum = 0, mine = rank + 1;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    succeed(strata_comm_attach(comm, NULL));
    MPI_Type_create_f90_real(10, MPI_UNDEFINED, &type);
    for (int native = 0; native < 2; native++) {
        succeed(strata_comm_force(comm, "allreduce", native ? "native" : "auto"));
        succeed(
            strata_allreduce_init(&mine, &sum, 1, type, MPI_SUM, comm, MPI_INFO_NULL, &request));
        succeed(strata_start(&request));
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
        REQUIRE_CMP(2 * sum, ==, ranks * (ranks + 1));
        succeed(strata_request_free(&request));
    }
    REQUIRE_CMP(report_of(comm).calls, ==, 1);
    REQUIRE_CMP(report_of(comm).calls_native, ==, 1);
    MPI_Comm_free(&comm);
}

/* More calls than can run beside each other. No communicator is attached meanwhile. */
static void test_many(int rank)
{
    enum { MANY = 200 };
    struct strata_request *requests[MANY];
    int got[MANY];
    MPI_Comm comm, other;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    succeed(strata_comm_attach(comm, NULL));
    struct strata_report before = report_of(comm);
    for (int i = 0; i < MANY; i++) {
        got[i] = rank == 0 ? i : -1;
        succeed(strata_ibcast(&got[i], 1, MPI_INT, 0, comm, &requests[i]));
        succeed(strata_progress());
    }
    succeed(strata_barrier(other));
    succeed(strata_comm_attach(other, NULL));
    MPI_Comm_free(&comm);
    for (int i = MANY - 1; i >= 0; i--) {
        succeed(strata_wait(&requests[i], MPI_STATUS_IGNORE));
        REQUIRE_CMP(got[i], ==, i);
        REQUIRE(!requests[i]);
    }
    succeed(strata_barrier(other));
    REQUIRE_CMP(report_of(other).standing, ==, STRATA_STANDING_ATTACHED);
    REQUIRE_CMP(report_of(other).private_communicators, <=, before.private_communicators + 1);
    MPI_Comm_free(&other);
}

/* Makes, uses and frees 5000 persistent calls. Sanitizers look for lost memory themselves. */
static void make_and_free(MPI_Comm comm)
{
    struct strata_request *one;
    for (int i = 0; i < long_drawn(5000); i++) {
        MPI_Datatype type; /* without gaps, of which MPICH 4.0 keeps 192 bytes each when it sends */
        int four[4] = {1, 2, 3, 4}, all[4 * MOST_RANKS];
        MPI_Type_contiguous(4, MPI_INT, &type);
        MPI_Type_commit(&type);
        succeed(strata_allgather_init(four, 1, type, all, 1, type, comm, MPI_INFO_NULL, &one));
        MPI_Type_free(&type);
        succeed(strata_start(&one));
        succeed(strata_wait(&one, MPI_STATUS_IGNORE));
        succeed(strata_request_free(&one));
    }
}

/* 1000 requests are open at once. */
static void open_and_wait(MPI_Comm comm)
{
    enum { OPEN = 1000 };
    static struct strata_request *requests[OPEN];
    static int got[OPEN];
    int mine = 1, ranks;

    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < OPEN; i++) {
        succeed(strata_ireduce(&mine, &got[i], 1, MPI_INT, MPI_BOR, i % ranks, comm, &requests[i]));
    }
    succeed(strata_waitall(OPEN, requests, MPI_STATUSES_IGNORE));
}

/* Repeats the calls. Lost memory would add up each time. MPI's memory for early messages is as much
 * as the most of them so far took, and grows in leaps. Communicators and windows never grow in
 * number. */
static void test_flat(void)
{
    static void (*const many[])(MPI_Comm) = {make_and_free, open_and_wait};
    static const int rounds[] = {3, 8};
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    succeed(strata_comm_attach(comm, NULL));
    make_and_free(comm);
    struct strata_report first = report_of(comm);
    for (int k = 0; k < 2; k++) {
        int flat = 0, all_flat = 0;
        for (int round = 0; round < rounds[k] && !all_flat; round++) {
            size_t before = mallinfo2().uordblks;
            many[k](comm);
            flat |= mallinfo2().uordblks < before + FLAT;
            MPI_Allreduce(&flat, &all_flat, 1, MPI_INT, MPI_MIN, comm);
        }
        REQUIRE(flat);
    }
    REQUIRE_CMP(report_of(comm).private_communicators, ==, first.private_communicators);
    REQUIRE_CMP(report_of(comm).arenas, ==, first.arenas);
    MPI_Comm_free(&comm);
}

/* A mistake is reported at once, or with the request, as the blocking call reports it. */
static void test_errors(int rank, int ranks)
{
    struct strata_request *request = NULL;
    struct strata_request *none[2] = {NULL, NULL};
    MPI_Status status, statuses[2];
    MPI_Comm comm;
    int data[4] = {0}, flag = 0, index = 0, class;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    succeed(strata_comm_attach(comm, NULL));
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    REQUIRE_CMP(strata_start(&request), ==, MPI_ERR_REQUEST);
    succeed(strata_barrier_init(comm, MPI_INFO_NULL, &request));
    succeed(strata_start(&request));
    REQUIRE_CMP(strata_request_free(&request), ==, MPI_ERR_REQUEST);
    REQUIRE_CMP(strata_start(&request), ==, MPI_ERR_REQUEST);
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
    succeed(strata_request_free(&request));
    REQUIRE_CMP(strata_ibcast(data, -1, MPI_INT, 0, comm, &request), ==, MPI_ERR_COUNT);
    REQUIRE(!request);
    REQUIRE_CMP(strata_ibcast(data, 1, MPI_INT, ranks, comm, &request), ==, MPI_ERR_ROOT);
    REQUIRE(!request);
    REQUIRE_CMP(strata_ibcast(data, 1, MPI_INT, 0, comm, NULL), ==, MPI_ERR_ARG);
    succeed(strata_wait(&request, &status));
    REQUIRE_CMP(status.MPI_SOURCE, ==, MPI_ANY_SOURCE);
    succeed(strata_testall(2, none, &flag, statuses));
    REQUIRE(flag);
    succeed(strata_waitany(2, none, &index, &status));
    REQUIRE_CMP(index, ==, MPI_UNDEFINED);
    if (ranks > 1) { /* the last rank expects more: sizes of one plan, four ints and three */
        int error;
        succeed(strata_ibcast(data, rank == ranks - 1 ? 4 : 3, MPI_INT, 0, comm, &request));
        error = strata_wait(&request, MPI_STATUS_IGNORE);
        MPI_Error_class(error, &class);
        int found = class == MPI_ERR_TRUNCATE, any;
        REQUIRE(found || error == MPI_SUCCESS);
        MPI_Allreduce(&found, &any, 1, MPI_INT, MPI_MAX, comm);
        REQUIRE_CMP(any, ==, 1);
        data[0] = rank == 0 ? 7 : 0;
        succeed(strata_ibcast(data, 1, MPI_INT, 0, comm, &request));
        succeed(strata_wait(&request, MPI_STATUS_IGNORE));
        REQUIRE_CMP(data[0], ==, 7);
    }
    MPI_Comm_free(&comm);
}

/* So many bytes with a gap before each: too many for a map. */
enum { PIECES = (int)STRATA_MOST_PIECES + 5 };

static MPI_Datatype unmapped_type(void)
{
    MPI_Datatype type;
    MPI_Type_vector(PIECES, 1, 2, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    return type;
}

/* Makes a call, or its second start, with memory for so many allocations. */
static int call_with(long allowed, bool persistent, MPI_Comm comm, struct strata_request **request)
{
    static char in[2 * PIECES], out[2 * PIECES];
    int one = 1, at = 0, error;
    MPI_Datatype type = unmapped_type();
    if (persistent) {
        succeed(strata_alltoallv_init(in, &one, &at, type, out, &one, &at, type, comm,
                                      MPI_INFO_NULL, request));
        succeed(strata_start(request));
        succeed(strata_wait(request, MPI_STATUS_IGNORE));
    }
    strata_memory_fail_after(allowed + 1);
    error = persistent
                ? strata_start(request)
                : strata_ialltoallv(in, &one, &at, type, out, &one, &at, type, comm, request);
    strata_memory_fail_after(-1);
    MPI_Type_free(&type);
    return error == MPI_SUCCESS ? strata_wait(request, MPI_STATUS_IGNORE) : error;
}

/* Other ranks go on without a rank that had no memory, so the later calls of that rank are errors
 * too. The rank is alone here, because nobody else waits for it. */
static bool try_without_memory(long allowed, bool persistent)
{
    struct strata_request *request = NULL, *later = NULL;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    succeed(strata_comm_attach(comm, NULL));
    succeed(strata_comm_force(comm, "alltoallv", "linear"));
    int error = call_with(allowed, persistent, comm, &request);
    REQUIRE(error == MPI_SUCCESS || error == MPI_ERR_NO_MEM);
    REQUIRE_CMP(strata_ibarrier(comm, &later), ==,
                error == MPI_SUCCESS ? MPI_SUCCESS : MPI_ERR_OTHER);
    succeed(strata_wait(&later, MPI_STATUS_IGNORE));
    if (request) {
        succeed(strata_request_free(&request));
    }
    succeed(strata_comm_detach(comm)); /* with the tags that must not be used again */
    MPI_Comm_free(&comm);
    return error == MPI_SUCCESS;
}

static void test_without_memory(bool persistent)
{
    long allowed = 0;
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > 1) {
        return;
    }

    while (!try_without_memory(allowed, persistent)) {
        allowed++;
    }
    printf("%ld allocations failed in turn\n", allowed);
    REQUIRE(persistent ? allowed == 0 : allowed > 0); /* a start takes no memory, though it packs */
}

static void run_cases(void)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    test_mpis_own(rank, ranks);
    test_attaches(rank, ranks);
    test_own_operator(ranks);
    test_precision(rank, ranks);
    test_beside_mpis_own(rank);
    test_in_place_beside_mpis_own(rank, ranks);
    test_forms(rank, ranks);
    test_beside_others(rank, ranks);
    test_many(rank);
    test_flat();
    test_errors(rank, ranks);
}

/* Each thread has its own communicator, and waits for its own requests. */
static void *run_thread(void *argument)
{
    MPI_Comm comm = *(MPI_Comm *)argument;
    struct strata_request *requests[3];
    int mine[3] = {1, 2, 3}, sum[3], ranks;
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < 300; i++) {
        for (int k = 0; k < 3; k++) {
            succeed(strata_iallreduce(&mine[k], &sum[k], 1, MPI_INT, MPI_SUM, comm, &requests[k]));
        }
        succeed(strata_barrier(comm));
        succeed(strata_waitall(3, requests, MPI_STATUSES_IGNORE));
        REQUIRE_CMP(sum[0], ==, ranks);
        REQUIRE_CMP(sum[1], ==, 2 * ranks);
        REQUIRE_CMP(sum[2], ==, 3 * ranks);
    }
    return NULL;
}

static void test_threads(void)
{
    enum { THREADS = 3 };
    pthread_t thread[THREADS];
    MPI_Comm comm[THREADS];

    for (int i = 0; i < THREADS; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
        succeed(strata_comm_attach(comm[i], NULL));
    }
    for (int i = 0; i < THREADS; i++) {
        REQUIRE_CMP(pthread_create(&thread[i], NULL, run_thread, &comm[i]), ==, 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        REQUIRE_CMP(report_of(comm[i]).calls, >=, 900);
        MPI_Comm_free(&comm[i]);
    }
}

int main(int argc, char **argv)
{
    bool threads = argc > 1 && strcmp(argv[1], "threads") == 0;
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : level, &level);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (threads) {
        REQUIRE_CMP(level, ==, MPI_THREAD_MULTIPLE);
        test_threads();
        MPI_Finalize();
        return 0;
    }
    unattached = argc > 2 && strcmp(argv[2], "unattached") == 0;
    bool soaks = soak_begin(20);
    if (!unattached && !soaks) { /* the same */
        run_cases();
    }
    run_programs(long_drawn(argc > 1 ? (int)strtol(argv[1], NULL, 10) : 300),
                 argc > 2 && !unattached ? strtol(argv[2], NULL, 10) : 0);
    if (!soaks) {
        test_without_memory(true);
        test_without_memory(false);
    }
    MPI_Finalize();
    return 0;
}
