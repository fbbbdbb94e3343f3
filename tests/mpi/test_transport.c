/* The transport on MPI: order, sizes, datatypes, errors, and whole plans.
 *
 * run: 1,3
 * long: 2,4
 * run: 9
 * timeout: 120
 *
 * With the argument "measure" it prints what SLOAV with blocks of 8 bytes costs with several ways
 * of waiting for messages, for docs/waiting.md. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/engine/engine.h"
#include "core/engine/engine_sizes.h"
#include "internode/algorithms.h"
#include "internode/mpi/notices_mpi.h"
#include "internode/mpi/transport_mpi.h"
#include "intranode/wait.h"
#include "tests/mpi/require.h"
#include "tests/random.h"

static const struct strata_transport *const mpi = &strata_transport_mpi;

struct world {
    int rank, ranks, next, previous;
    MPI_Comm comm;
    struct strata_endpoints endpoints;
    struct strata_topology *topology;
};

static void open_world(struct world *w)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &w->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w->ranks);
    w->next = (w->rank + 1) % w->ranks;
    w->previous = (w->rank + w->ranks - 1) % w->ranks;
    MPI_Comm_split(MPI_COMM_WORLD, 0, w->rank, &w->comm);
    MPI_Comm_set_errhandler(w->comm, MPI_ERRORS_RETURN);
    w->endpoints = strata_endpoints_of(w->comm, w->rank, w->ranks);
    REQUIRE(!strata_topology_flat(w->ranks, &w->topology));
}

static void wait_for(struct strata_transport_mpi *t, enum strata_traffic kind)
{
    int open;
    do {
        REQUIRE(!mpi->test(t, kind, &open));
    } while (open > 0);
}

/* Lengths that are easily confused, up to half as many bytes again and more, have tags of their
 * own, which MPI allows. No length has the tag of a notice. */
static void test_tags(const struct world *w)
{
    struct strata_transport_mpi t;
    int *most = NULL, known = 0;
    strata_transport_mpi_init(&t, &w->endpoints, 0);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &known);
    for (int power = 3; power < 40; power++) {
        size_t bytes = (size_t)1 << power;
        int tag = strata_tag_of(&t.kind[STRATA_LANE_TRAFFIC].tags, bytes);
        REQUIRE_CMP(tag, >=, 0);
        REQUIRE(!known || tag <= *most);
        for (size_t more = bytes / 8; more <= bytes; more += bytes / 8) {
            REQUIRE_CMP(strata_tag_of(&t.kind[STRATA_LANE_TRAFFIC].tags, bytes + more), !=, tag);
        }
    }
    for (size_t bytes = 0; bytes < 1 << 20; bytes++) {
        const struct strata_tags *tags = &t.kind[STRATA_LANE_TRAFFIC].tags;
        REQUIRE(!strata_notices_is(tags, strata_tag_of(tags, bytes)));
    }
    strata_transport_mpi_fini(&t);
}

/* Many messages go round the ring, of lengths from 0 up. They arrive in order, and the list of
 * requests holds only the open ones. */
static void test_order(struct world *w)
{
    enum { MESSAGES = 64, MOST = MESSAGES * 97 };
    static unsigned char out[MESSAGES][MOST], in[MESSAGES][MOST];
    struct strata_transport_mpi t;
    strata_transport_mpi_init(&t, &w->endpoints, 0);
    REQUIRE(!mpi->reserve(&t, 2 * MESSAGES, 0));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < MESSAGES; i++) {
            memset(in[i], 0, MOST);
            memset(out[i], 1 + (i + round + w->rank) % 255, 97 * (size_t)i);
            REQUIRE(!mpi->recv(&t, w->previous, in[i], MOST));
        }
        for (int i = 0; i < MESSAGES; i++) {
            REQUIRE(!mpi->send(&t, w->next, out[i], 97 * (size_t)i));
        }
        wait_for(&t, STRATA_LANE_TRAFFIC);
        for (int i = 1; i < MESSAGES; i++) {
            int expected = 1 + (i + round + w->previous) % 255;
            REQUIRE_CMP(in[i][0], ==, expected);
            REQUIRE_CMP(in[i][97 * i - 1], ==, expected);
            REQUIRE_CMP(in[i][97 * i], ==, 0);
        }
    }
    strata_transport_mpi_fini(&t);
}

/* Completed requests make room for others while some stay open. */
static void test_reuse(struct world *w)
{
    enum { ROOM = 4, MESSAGES = 200 };
    struct strata_transport_mpi t;
    int late = -1, open = 0;
    strata_transport_mpi_init(&t, &w->endpoints, 0);
    REQUIRE(!mpi->reserve(&t, ROOM, 0));
    int in[MESSAGES], out[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
        out[i] = i * w->ranks + w->rank;
        REQUIRE(!mpi->recv(&t, w->previous, &in[i], sizeof in[i]));
        REQUIRE(!mpi->send(&t, w->next, &out[i], sizeof out[i]));
        do {
            REQUIRE(!mpi->test(&t, STRATA_LANE_TRAFFIC, &open));
        } while (open > ROOM - 2);
    }
    wait_for(&t, STRATA_LANE_TRAFFIC);
    for (int i = 0; i < MESSAGES; i++) {
        REQUIRE_CMP(in[i], ==, i * w->ranks + w->previous);
    }
    REQUIRE(!mpi->recv(&t, w->previous, &late, sizeof late));
    mpi->abandon(&t); /* no rank sends the message */
    REQUIRE(!mpi->test(&t, STRATA_LANE_TRAFFIC, &open));
    REQUIRE_CMP(open, ==, 0);
    REQUIRE_CMP(late, ==, -1);
    strata_transport_mpi_fini(&t);
}

/* One side has every second int of a block, the other has the same ints packed. Direct and lane
 * messages pass each other. */
static void test_blocks(struct world *w)
{
    enum { INTS = 5000 };
    struct strata_piece pair[2] = {{0, 4}, {8, 4}}, one = {0, 4};
    struct strata_type gaps, close;
    MPI_Datatype handle, resized, plain = MPI_INT;
    REQUIRE(!strata_type_init(&gaps, pair, 2, 16));
    REQUIRE(!strata_type_init(&close, &one, 1, 4));
    MPI_Type_vector(2, 1, 2, MPI_INT, &handle);
    MPI_Type_create_resized(handle, 0, 16, &resized);
    MPI_Type_commit(&resized);
    int *out = calloc(2 * INTS, sizeof *out), *in = calloc(2 * INTS, sizeof *in), word = -1;
    REQUIRE(out);
    REQUIRE(in);
    for (int i = 0; i < 2 * INTS; i++) {
        out[i] = i % 2 ? -1 : i / 2 + w->rank;
    }
    int send_counts[2] = {0, INTS / 2}, send_displs[2] = {0, 0};
    int recv_counts[2] = {0, INTS}, recv_displs[2] = {0, 10};
    struct strata_layout from = {.base = (void *)out,
                                 .type = &gaps,
                                 .counts = send_counts,
                                 .displs = send_displs,
                                 .handle = &resized};
    struct strata_layout to = {.base = (void *)in,
                               .type = &close,
                               .counts = recv_counts,
                               .displs = recv_displs,
                               .handle = &plain};
    struct strata_transport_mpi t;
    strata_transport_mpi_init(&t, &w->endpoints, 6);
    REQUIRE(!mpi->reserve(&t, 2, 2));
    REQUIRE(!mpi->recv(&t, w->previous, &word, sizeof word));
    REQUIRE(!mpi->recv_block(&t, w->previous, &to, 1));
    REQUIRE(!mpi->send_block(&t, w->next, &from, 1));
    REQUIRE(!mpi->send(&t, w->next, &w->rank, sizeof w->rank));
    wait_for(&t, STRATA_DIRECT_TRAFFIC);
    wait_for(&t, STRATA_LANE_TRAFFIC);
    REQUIRE_CMP(word, ==, w->previous);
    REQUIRE_CMP(in[9], ==, 0);
    REQUIRE_CMP(in[10 + INTS], ==, 0);
    for (int i = 0; i < INTS; i++) {
        REQUIRE_CMP(in[10 + i], ==, i + w->previous);
    }
    strata_transport_mpi_fini(&t);
    MPI_Type_free(&handle);
    MPI_Type_free(&resized);
    strata_type_fini(&gaps);
    strata_type_fini(&close);
    free(out);
    free(in);
}

/* Sends a message round the ring. Returns the result of its test. */
static int exchange_words(struct world *w, int tag, size_t sent, size_t expected, bool direct,
                          bool exact)
{
    enum { MOST = 100000 };
    static char out[MOST], in[MOST];
    memset(out, 'a', MOST);
    memset(in, 0, MOST);
    struct strata_piece piece = {0, 1};
    struct strata_type byte;
    MPI_Datatype plain = MPI_BYTE;
    REQUIRE(!strata_type_init(&byte, &piece, 1, 1));
    struct strata_layout from = {
        .base = (void *)out, .type = &byte, .count = sent, .handle = &plain};
    struct strata_layout to = {
        .base = (void *)in, .type = &byte, .count = expected, .handle = &plain};
    struct strata_transport_mpi t;
    strata_transport_mpi_init(&t, &w->endpoints, tag);
    REQUIRE(!mpi->reserve(&t, 2, 2));
    int open = 1, error = STRATA_OK;
    if (direct) {
        REQUIRE(!mpi->recv_block(&t, w->previous, &to, 0));
        REQUIRE(!mpi->send_block(&t, w->next, &from, 0));
    } else {
        REQUIRE(!(exact ? mpi->recv_exactly : mpi->recv)(&t, w->previous, in, expected));
        REQUIRE(!(exact ? mpi->send_exactly : mpi->send)(&t, w->next, out, sent));
    }
    while (open > 0) {
        error = mpi->test(&t, direct ? STRATA_DIRECT_TRAFFIC : STRATA_LANE_TRAFFIC, &open);
    }
    for (size_t i = 0; i < MOST; i++) { /* the part that fits arrived, and nothing behind it */
        bool came = i < expected && i < sent;
        REQUIRE(came ? direct || in[i] == out[i] : i < expected || in[i] == 0);
    }
    if (error) { /* the kind keeps the error until the next call, and nothing stops */
        REQUIRE_CMP(mpi->test(&t, direct ? STRATA_LANE_TRAFFIC : STRATA_DIRECT_TRAFFIC, &open), ==,
                    STRATA_OK);
        REQUIRE(!mpi->reserve(&t, 2, 2));
        REQUIRE_CMP(mpi->test(&t, direct ? STRATA_DIRECT_TRAFFIC : STRATA_LANE_TRAFFIC, &open), ==,
                    STRATA_OK);
    }
    strata_transport_mpi_fini(&t);
    strata_type_fini(&byte);
    MPI_Barrier(w->comm);
    return error;
}

/* Messages of any length, on both sides of MPI's eager limit and of the lengths that a tag
 * tells. */
static void test_lengths(struct world *w)
{
    static const size_t lengths[] = {0, 4, 8, 3000, 20000, 70000, 90000};
    enum { LENGTHS = sizeof lengths / sizeof *lengths };
    REQUIRE_CMP(exchange_words(w, 10, 8, 8, false, false), ==, STRATA_OK);
    REQUIRE_CMP(exchange_words(w, 12, 8, 8, true, true), ==, STRATA_OK);
    REQUIRE_CMP(exchange_words(w, 14, 4, 8, false, false), ==,
                STRATA_OK); /* posted at the worst size */
    if (w->ranks == 1) {
        return; /* plans send nothing to the rank itself, where MPIs differ */
    }
    for (int i = 0; i < LENGTHS * LENGTHS; i++) {
        size_t sent = lengths[i % LENGTHS], expected = lengths[i / LENGTHS];
        int error = sent == expected ? STRATA_OK : STRATA_ERR_TRUNCATE;
        REQUIRE_CMP(exchange_words(w, 16, sent, expected, true, true), ==, error);
        REQUIRE_CMP(exchange_words(w, 18, sent, expected, false, true), ==, error);
    }
}

/* A rank that is out of step in one stream leaves messages there, and tells all ranks. Messages of
 * a wrong length are found behind these, in another stream. */
static void test_hidden(struct world *w)
{
    struct strata_transport_mpi lost;
    const bool tells = w->rank == 0;
    strata_transport_mpi_init(&lost, &w->endpoints, 64);
    REQUIRE(!mpi->reserve(&lost, 1, 0));
    if (tells && w->ranks > 1) {
        REQUIRE(!mpi->send_exactly(&lost, w->next, &w->rank, sizeof w->rank));
        wait_for(&lost, STRATA_LANE_TRAFFIC);
    }
    if (tells) {
        strata_transport_mpi_break(&lost);
    }
    while (!mpi->lost(&lost)) {
    }
    REQUIRE(w->ranks == 1 || exchange_words(w, 66, 4, 8, false, true) == STRATA_ERR_TRUNCATE);
    REQUIRE(mpi->lost(&lost));
    strata_transport_mpi_fini(&lost);
}

/* Forbidden calls are refused, not posted. */
static void test_refusals(struct world *w)
{
    struct strata_transport_mpi t;
    char byte = 0;
    strata_transport_mpi_init(&t, &w->endpoints, 30);
    REQUIRE(!mpi->reserve(&t, 1, 0));
    REQUIRE_CMP(mpi->send(&t, w->next, &byte, SIZE_MAX), ==, STRATA_ERR_TRANSPORT);
    mpi->abandon(&t);
    REQUIRE(!mpi->recv(&t, w->previous, &byte, 1));
    REQUIRE_CMP(mpi->recv(&t, w->previous, &byte, 1), ==, STRATA_ERR_TRANSPORT); /* no room */
    mpi->abandon(&t);
    strata_transport_mpi_fini(&t);
}

/* One rank's buffers of a call; block d of rank s begins with byte mark(s, d). */
struct call {
    int *send_counts, *send_displs, *recv_counts, *recv_displs;
    unsigned char *out, *in;
};

static unsigned char mark(int from, int to, int call)
{
    return (unsigned char)(1 + (from * 31 + to * 7 + call) % 255);
}

static int length_of(int from, int to, int call, int most)
{
    return most < 0 ? -most
                    : (int)(random_mix((uint64_t)(from * 1009 + to) * 31 + (uint64_t)call) %
                            (uint64_t)(most + 1));
}

/* Fills in lengths up to `most`, or all of length -most. */
static void fill(struct world *w, struct call *c, int call, int most)
{
    int out = 0, in = 0;
    for (int i = 0; i < w->ranks; i++) {
        c->send_displs[i] = out;
        c->recv_displs[i] = in;
        out += c->send_counts[i] = length_of(w->rank, i, call, most);
        in += c->recv_counts[i] = length_of(i, w->rank, call, most);
        memset(c->out + c->send_displs[i], mark(w->rank, i, call), (size_t)c->send_counts[i]);
    }
    memset(c->in, 0, (size_t)in);
}

static void check(struct world *w, const struct call *c, int call)
{
    for (int i = 0; i < w->ranks; i++) {
        for (int j = 0; j < c->recv_counts[i]; j++) {
            REQUIRE_CMP(c->in[c->recv_displs[i] + j], ==, mark(i, w->rank, call));
        }
    }
}

static void open_call(struct world *w, struct call *c, int most)
{
    size_t ranks = (size_t)w->ranks;
    *c = (struct call){calloc(ranks, sizeof(int)),  calloc(ranks, sizeof(int)),
                       calloc(ranks, sizeof(int)),  calloc(ranks, sizeof(int)),
                       calloc(ranks, (size_t)most), calloc(ranks, (size_t)most)};
    REQUIRE(c->send_counts);
    REQUIRE(c->send_displs);
    REQUIRE(c->recv_counts);
    REQUIRE(c->recv_displs);
    REQUIRE(c->out);
    REQUIRE(c->in);
}

static void close_call(struct call *c)
{
    free(c->send_counts);
    free(c->send_displs);
    free(c->recv_counts);
    free(c->recv_displs);
    free(c->out);
    free(c->in);
}

static struct strata_plan *plan_of(struct world *w, const struct strata_algorithm *algorithm,
                                   size_t threshold)
{
    struct strata_problem problem = {.collective = STRATA_ALLTOALLV,
                                     .rank = w->rank,
                                     .topology = w->topology,
                                     .flat = w->topology,
                                     .parameter = {2}};
    problem.capacity =
        (struct strata_capacity){.scratch = 1 << 20, .threshold = threshold, .passes = 2};
    struct strata_plan *plan = NULL;
    struct strata_diagnostic message = {""};
    int error = strata_algorithm_plan(algorithm, &problem, &plan, &message);
    if (error) {
        fprintf(stderr, "%s: %s\n", algorithm->name, message.text);
    }
    REQUIRE(!error);
    return plan;
}

static void run_plan(struct world *w, const struct strata_plan *plan, const struct call *c,
                     struct strata_transport_mpi *t, struct strata_waiter waiter)
{
    static struct strata_piece piece = {0, 1};
    struct strata_type byte;
    MPI_Datatype plain = MPI_BYTE;
    REQUIRE(!strata_type_init(&byte, &piece, 1, 1));
    struct strata_execution x = {.plan = plan,
                                 .nodes = w->topology,
                                 .input = {.base = c->out,
                                           .type = &byte,
                                           .counts = c->send_counts,
                                           .displs = c->send_displs,
                                           .handle = &plain},
                                 .output = {.base = c->in,
                                            .type = &byte,
                                            .counts = c->recv_counts,
                                            .displs = c->recv_displs,
                                            .handle = &plain},
                                 .transport = mpi,
                                 .transport_self = t};
    x.fixed_scratch = strata_engine_fixed_scratch(plan, false);
    x.scratch = malloc(strata_engine_scratch(&x));
    REQUIRE(x.scratch);
    REQUIRE(!strata_engine_start(&x));
    REQUIRE(!strata_wait_run(&waiter, &x));
    free(x.scratch);
    strata_type_fini(&byte);
}

/* Real plans with blocks on both sides of the threshold, some in two passes. */
static void test_plan(struct world *w, const struct strata_algorithm *algorithm, bool crowded)
{
    enum { MOST = 40000, CALLS = 20 };
    struct strata_plan *plan = plan_of(w, algorithm, 8192);
    struct strata_transport_mpi t;
    struct call c;
    strata_transport_mpi_init(&t, &w->endpoints, 40);
    open_call(w, &c, MOST);
    for (int call = 0; call < CALLS; call++) {
        fill(w, &c, call, call % 3 == 0 ? 100 : call % 3 == 1 ? 12000 : MOST);
        run_plan(w, plan, &c, &t, (struct strata_waiter){.crowded = crowded});
        check(w, &c, call);
    }
    strata_transport_mpi_fini(&t);
    strata_plan_destroy(plan);
    close_call(&c);
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The microseconds of one call; on rank 0 also the cores that all ranks kept busy meanwhile. */
static double measure_calls(struct world *w, const struct strata_plan *plan, struct call *c,
                            struct strata_waiter waiter, double *busy)
{
    enum { WARM = 20, CALLS = 100 };
    struct strata_transport_mpi t;
    double begin = 0, used = 0;
    strata_transport_mpi_init(&t, &w->endpoints, 50);
    MPI_Barrier(w->comm);
    for (int i = -WARM; i < CALLS; i++) {
        begin = i == 0 ? seconds(CLOCK_MONOTONIC) : begin;
        used = i == 0 ? seconds(CLOCK_PROCESS_CPUTIME_ID) : used;
        run_plan(w, plan, c, &t, waiter);
    }
    double time = 1e6 * (seconds(CLOCK_MONOTONIC) - begin) / CALLS;
    used = (seconds(CLOCK_PROCESS_CPUTIME_ID) - used) / (1e-6 * CALLS * time);
    MPI_Reduce(&used, busy, 1, MPI_DOUBLE, MPI_SUM, 0, w->comm);
    MPI_Barrier(w->comm);
    strata_transport_mpi_fini(&t);
    return time;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void measure(struct world *w)
{
    enum { WAYS = 10, TIMES = 5 };
    static const struct way {
        unsigned looks, yields, least, most;
    } ways[WAYS] = {{1, 0, 5, 50},       {1, 1, 5, 50},      {1, 1, 20, 100},    {1, 16, 5, 50},
                    {1, 16, 20, 100},    {1, 100000, 5, 50}, {2, 100000, 5, 50}, {4, 100000, 5, 50},
                    {16, 100000, 5, 50}, {64, 100000, 5, 50}};
    double time[WAYS][TIMES], busy[WAYS] = {0};
    struct call c;
    struct strata_plan *plan = plan_of(w, &strata_sloav, 64);
    open_call(w, &c, 8);
    fill(w, &c, 1, -8);
    for (int i = 0; i < TIMES; i++) {
        for (int k = 0; k < WAYS; k++) {
            struct strata_wait_parameters parameters = strata_wait_usual;
            parameters.message_looks = ways[k].looks;
            parameters.message_yields = ways[k].yields;
            parameters.nap_least = ways[k].least;
            parameters.nap_most = ways[k].most;
            struct strata_waiter waiter = {.crowded = true, .parameters = &parameters};
            time[k][i] = measure_calls(w, plan, &c, waiter, &busy[k]);
        }
    }
    for (int k = 0; k < WAYS && w->rank == 0; k++) {
        qsort(time[k], TIMES, sizeof(double), by_value);
        printf("%2d ranks, %6u yields after %2u looks each, naps of %u to %u us: "
               "%8.1f us (%.1f .. %.1f), %.2f cores busy\n",
               w->ranks, ways[k].yields, ways[k].looks, ways[k].least, ways[k].most,
               time[k][TIMES / 2], time[k][0], time[k][TIMES - 1], busy[k]);
    }
    strata_plan_destroy(plan);
    close_call(&c);
}

static void test(struct world *w)
{
    test_tags(w);
    test_order(w);
    test_reuse(w);
    test_blocks(w);
    test_lengths(w);
    test_hidden(w);
    test_refusals(w);
    test_plan(w, &strata_sloav, true);
    test_plan(w, &strata_pairwise, true);
    test_plan(w, &strata_sloav, false);
    if (w->rank == 0) {
        printf("transport: %d ranks: ok\n", w->ranks);
    }
}

/* Receives the messages that were left: MPICH, from 4.1 on, frees no communicator with any. */
static void receive_left(const struct world *w)
{
    int there = 1;
    MPI_Barrier(w->comm);
    while (there) {
        char bytes[64];
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, w->comm, &there, &status);
        if (there) {
            MPI_Recv(bytes, sizeof bytes, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, w->comm,
                     MPI_STATUS_IGNORE);
        }
    }
}

int main(int argc, char **argv)
{
    struct world world;
    MPI_Init(&argc, &argv);
    open_world(&world);
    if (argc > 1 && strcmp(argv[1], "measure") == 0) {
        measure(&world);
    } else {
        test(&world);
    }
    receive_left(&world);
    strata_topology_destroy(world.topology);
    MPI_Comm_free(&world.comm);
    MPI_Finalize();
    return 0;
}
