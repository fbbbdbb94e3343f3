/* Reductions from left to right. For all nodes, lengths and threads, all ranks get the bits of a
 * loop over the ranks' data: sums of doubles of mixed sign and size, and a program's operator that
 * neither commutes nor may be regrouped. STRATA_SAME_BITS asks for it from the first call on, and
 * strata_comm_same_bits on layouts with ranks in turn. A forced algorithm gives way where it
 * combines otherwise.
 *
 * run: 8 STRATA_THREADS=2 STRATA_TEAM_BYTES=1K -- layouts
 * run: 8 STRATA_TOPO=node:3:cyclic STRATA_SAME_BITS=1 STRATA_ATTACH_AFTER=3 STRATA_CHECK=1
 * run: 1 STRATA_SAME_BITS=1
 * timeout: 120
 */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "api/attach/state.h"
#include "api/life/life.h"
#include "api/process/process.h"
#include "include/strata.h"
#include "tests/mpi/require.h"
#include "tests/random.h"

enum { LONGEST = 10000, MOST_RANKS = 8, NUMBERS = LONGEST + MOST_RANKS };

typedef int chunks_runner(strata_chunk_body *body, void *argument, int chunks);

static int rank, ranks;
static MPI_Op blend; /* the program's: neither commutative nor associative */

/* Numbers of either sign, from 2^-20 to 2^20. */
static double number(int of_rank, int i)
{
    uint64_t bits = random_mix(1000003 * (uint64_t)of_rank + (uint64_t)i);
    double fraction = (double)(bits >> 11) / (double)(UINT64_C(1) << 52) - 1;
    return ldexp(fraction, (int)(bits % 41) - 20);
}

static double combine(MPI_Op op, double left, double right)
{
    return op == MPI_SUM ? left + right : 0.75 * left - right;
}

static void blend_all(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++) {
        ((double *)inout)[i] = combine(blend, ((double *)in)[i], ((double *)inout)[i]);
    }
}

static void nothing(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)count, (void)type;
}

/* The result at number i over ranks 0 .. last. */
static double from_the_left(MPI_Op op, int i, int last)
{
    double sum = number(0, i);
    for (int r = 1; r <= last; r++) {
        sum = combine(op, sum, number(r, i));
    }
    return sum;
}

static double from_the_right(MPI_Op op, int i)
{
    double sum = number(ranks - 1, i);
    for (int r = ranks - 2; r >= 0; r--) {
        sum = combine(op, number(r, i), sum);
    }
    return sum;
}

/* One call, and this rank's expected result: numbers first .. first+count-1 over ranks 0 .. last;
 * last -1: no result. */
struct call {
    MPI_Comm comm;
    MPI_Op op;
    int length, root;
    bool in_place;
    double *sent, *received;
    int first, count, last;
};

static const void *sent(const struct call *c)
{
    return c->in_place ? MPI_IN_PLACE : c->sent;
}

static int call_reduce(struct call *c)
{
    const void *buffer = rank == c->root ? sent(c) : c->in_place ? c->received : c->sent;
    c->last = rank == c->root ? ranks - 1 : -1;
    return strata_reduce(buffer, c->received, c->length, MPI_DOUBLE, c->op, c->root, c->comm);
}

static int call_allreduce(struct call *c)
{
    return strata_allreduce(sent(c), c->received, c->length, MPI_DOUBLE, c->op, c->comm);
}

static int call_reduce_scatter(struct call *c)
{
    int counts[MOST_RANKS], before = 0;
    for (int r = 0; r < ranks; r++) { /* longer and longer */
        int end = (int)((long)c->length * (r + 1) * (r + 1) / ((long)ranks * ranks));
        counts[r] = end - before;
        c->first = r == rank ? before : c->first;
        before = end;
    }
    c->count = counts[rank];
    return strata_reduce_scatter(sent(c), c->received, counts, MPI_DOUBLE, c->op, c->comm);
}

static int call_reduce_scatter_block(struct call *c)
{
    c->count = (c->length + ranks - 1) / ranks;
    c->first = rank * c->count;
    return strata_reduce_scatter_block(sent(c), c->received, c->count, MPI_DOUBLE, c->op, c->comm);
}

static int call_scan(struct call *c)
{
    c->last = rank;
    return strata_scan(sent(c), c->received, c->length, MPI_DOUBLE, c->op, c->comm);
}

static int call_exscan(struct call *c)
{
    c->last = rank - 1;
    return strata_exscan(sent(c), c->received, c->length, MPI_DOUBLE, c->op, c->comm);
}

static int (*const calls[])(struct call *) = {call_reduce,         call_allreduce,
                                              call_reduce_scatter, call_reduce_scatter_block,
                                              call_scan,           call_exscan};
enum { CALLS = sizeof calls / sizeof *calls };

/* Compares bits, not values. */
static bool same(double a, double b)
{
    uint64_t one, other;
    memcpy(&one, &a, sizeof one);
    memcpy(&other, &b, sizeof other);
    return one == other;
}

static void check(struct call c, int which)
{
    static double send[NUMBERS], recv[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
        send[i] = number(rank, i);
    }
    memcpy(recv, send, sizeof recv);
    c.sent = send;
    c.received = recv;
    c.count = c.length;
    c.last = ranks - 1;
    succeed(calls[which](&c));
    for (int i = 0; i < c.count && c.last >= 0; i++) {
        REQUIRE(same(recv[i], from_the_left(c.op, c.first + i, c.last)));
    }
}

static void check_all(MPI_Comm comm)
{
    static const int lengths[] = {1, 7, LONGEST};
    struct strata_report report = {.size = sizeof report};
    for (int i = 0; i < 3 * CALLS; i++) {
        struct call c = {.comm = comm, .length = lengths[i / CALLS], .root = i % ranks};
        for (int j = 0; j < 4; j++) {
            c.op = j & 1 ? blend : MPI_SUM;
            c.in_place = j & 2;
            check(c, i % CALLS);
        }
    }
    succeed(strata_comm_report(comm, &report));
    REQUIRE(ranks == 1 || report.calls_native == 0);
}

/* The data differ when combined from the right. */
static void test_numbers(void)
{
    int differ = 0;
    for (int i = 0; i < LONGEST; i++) {
        differ += !same(from_the_left(MPI_SUM, i, ranks - 1), from_the_right(MPI_SUM, i));
    }
    REQUIRE(ranks < 3 || differ > LONGEST / 4);
}

/* Counts the chunks that a group's calls share, and which threads run them. */
static chunks_runner *team_runs;
static pthread_t first_thread;
static _Atomic int on_others; /* chunks on other threads */

struct noted {
    strata_chunk_body *body;
    void *argument;
};

static void note_chunk(void *argument, int chunk, int chunks)
{
    const struct noted *n = argument;
    if (!pthread_equal(pthread_self(), first_thread)) {
        atomic_fetch_add_explicit(&on_others, 1,
                                  memory_order_relaxed); /* read after the team's end */
    }
    while (chunks > 1 && atomic_load_explicit(&on_others, memory_order_relaxed) == 0) {
        sched_yield(); /* the other thread comes for the next chunk, however late */
    }
    n->body(n->argument, chunk, chunks);
}

/* An open team has two threads, though one may be late. */
static int count_noted(size_t bytes)
{
    (void)bytes;
    return strata_helpers_here ? 2 : 1;
}

static int run_noted(strata_chunk_body *body, void *argument, int chunks)
{
    struct noted n = {body, argument};
    return team_runs(note_chunk, &n, chunks);
}

/* Attaches a communicator whose team has the threads that the environment asks for. */
static void watch_team(MPI_Comm comm)
{
    struct strata_group *g = strata_state_find(strata_process(), comm)->group;
    REQUIRE(g);
    REQUIRE_CMP(g->helping.threads, ==, 2);
    REQUIRE(g->workers.run);
    if (g->workers.run != run_noted) {
        team_runs = g->workers.run;
        g->workers.run = run_noted;
        g->workers.count = count_noted;
    }
    first_thread = pthread_self();
    atomic_store_explicit(&on_others, 0, memory_order_relaxed); /* no team is open */
}

static void test_layouts(void)
{
    static const char *const layouts[] = {"node:1", "node:2",        "node:2:cyclic",
                                          "node:3", "node:3:cyclic", "node:8"};
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        struct strata_report report = {.size = sizeof report};
        struct strata_config *config = &strata_process()->config; /* as the environment's */
        MPI_Comm comm;
        snprintf(config->topo, sizeof config->topo, "%s", layouts[i]);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        succeed(strata_comm_same_bits(comm, 1));
        watch_team(comm);
        check_all(comm);
        REQUIRE_CMP(atomic_load_explicit(&on_others, memory_order_relaxed), >, 0); /* as above */
        succeed(strata_comm_report(comm, &report));
        REQUIRE_CMP(report.nodes, ==, layouts[i][5] - '0');
        succeed(strata_comm_detach(comm)); /* the next layout begins anew */
        MPI_Comm_free(&comm);
    }
}

static struct strata_report sum_one(MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    double mine = number(rank, 0), sum = 0;
    succeed(strata_allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm));
    succeed(strata_comm_report(comm, &report));
    return report;
}

/* A request for the same bits, while another algorithm is forced; then the request is withdrawn. */
static void test_forced(void)
{
    static const char *const forced[] = {"recursive_doubling", "native"};
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < 2 && ranks > 1; i++) {
        succeed(strata_comm_force(comm, "allreduce", forced[i]));
        succeed(strata_comm_same_bits(comm, 1));
        struct strata_report report = sum_one(comm);
        REQUIRE(strcmp(report.algorithm, forced[i]) != 0);
        REQUIRE_CMP(report.calls_native, ==, 0);
        REQUIRE(strstr(report.why, forced[i]));
        REQUIRE(strstr(report.why, "the same bits"));
        succeed(strata_comm_same_bits(comm, 0));
        REQUIRE_TEXT(sum_one(comm).algorithm, forced[i]);
    }
    MPI_Comm_free(&comm);
}

/* Elements of different columns that alternate in memory are served too. */
static void test_columns(void)
{
    double mine[4] = {0}, sum[4] = {0};
    struct strata_report report = {.size = sizeof report};
    MPI_Datatype pair, column;
    MPI_Op op;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Op_create(nothing, 1, &op);
    MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &pair);
    MPI_Type_create_resized(pair, 0, sizeof(double), &column);
    MPI_Type_commit(&column);
    succeed(strata_comm_same_bits(comm, 1));
    succeed(strata_allreduce(mine, sum, 2, column, op, comm));
    succeed(strata_comm_report(comm, &report));
    REQUIRE(ranks == 1 || report.calls_native == 0);
    MPI_Type_free(&column);
    MPI_Type_free(&pair);
    MPI_Op_free(&op);
    MPI_Comm_free(&comm);
}

static void require_missed(MPI_Comm comm, bool missed)
{
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(comm, &report));
    REQUIRE(strstr(report.why, "an intercommunicator"));
    REQUIRE_CMP(!strstr(report.why, "; not the same bits"), ==, !missed);
}

/* The reason of a reduction is not given for the call after it, and the other way round. */
static void test_stands_native(void)
{
    const bool asked = getenv("STRATA_SAME_BITS") != NULL;
    double mine = 1, sum;
    MPI_Comm half, both;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, (rank + 1) % 2, 0, &both);
    for (int i = 0; i < 3; i++) {
        succeed(strata_allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, both));
        require_missed(both, asked);
        succeed(strata_barrier(both));
        require_missed(both, false);
    }
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

static void test_refusals(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    REQUIRE_CMP(strata_comm_same_bits(comm, 2), ==, MPI_ERR_ARG);
    REQUIRE_CMP(strata_comm_same_bits(comm, rank == 0 ? -1 : 1), ==, MPI_ERR_ARG);
    REQUIRE(ranks == 1 || strata_comm_same_bits(comm, rank == 0) == MPI_ERR_ARG);
    REQUIRE_CMP(strata_comm_same_bits(MPI_COMM_NULL, 1), ==, MPI_ERR_COMM);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    REQUIRE_CMP(ranks, <=, MOST_RANKS);
    MPI_Op_create(blend_all, 0, &blend);
    test_numbers();
    if (argc > 1) {
        test_layouts();
    } else {
        check_all(MPI_COMM_WORLD);
    }
    test_forced();
    test_columns();
    if (ranks > 1) {
        test_stands_native();
    }
    test_refusals();
    MPI_Op_free(&blend);
    if (rank == 0) {
        printf("all reductions have the bits of a loop\n");
    }
    MPI_Finalize();
    return 0;
}
