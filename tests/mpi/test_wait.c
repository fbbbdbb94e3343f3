/* Waiting on flags in a real arena: no member goes on early, none sleeps on, a waiting member
 * leaves its core to others, and it gives up where a broken rank sends nothing.
 *
 * run: 1,2,4
 * run: 16
 * timeout: 120
 *
 * With the argument "measure" it prints what one epoch (publish, await all others) costs with
 * several ways of waiting, for docs/waiting.md. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/engine/engine_sizes.h"
#include "core/plan/builder.h"
#include "internode/mpi/transport_mpi.h"
#include "intranode/arena.h"
#include "intranode/wait.h"
#include "tests/mpi/require.h"

struct world {
    int rank, ranks;
    struct strata_arena *arena;
    uint64_t region;
    struct strata_node_memory memory;
    volatile uint64_t *written; /* [ranks] plain memory in the arena, which only the flags order */
    struct strata_topology *topology;
    struct strata_plan *plan;
    struct strata_transport_mpi transport;
    unsigned char scratch[256];
};

/* Rank 0 publishes when all others have arrived. They await its signal or an earlier one. */
static void build_led(struct strata_builder *b, int rank, int ranks, int published, int awaited)
{
    for (int member = 1; member < ranks && rank == 0; member++) {
        strata_build_await(b, member, STRATA_SIGNAL_ARRIVED);
    }
    strata_build_signal(b, rank == 0 ? published : STRATA_SIGNAL_ARRIVED);
    if (rank > 0) {
        strata_build_await(b, 0, awaited);
    }
}

/* A plan for one node of all ranks that no member passes before all have come. With published 0 all
 * await all. */
static struct strata_plan *build(const struct world *w, int published, int awaited)
{
    struct strata_plan *plan;
    struct strata_builder b;
    strata_builder_init(&b, STRATA_ALLTOALLV, "barrier", w->rank, w->topology);
    strata_build_limits(&b, (struct strata_limits){.passes = 1});
    strata_build_exchange(&b, (struct strata_exchange){.staged = true});
    if (published) {
        build_led(&b, w->rank, w->ranks, published, awaited);
    } else {
        strata_build_signal(&b, STRATA_SIGNAL_ARRIVED);
        strata_build_await(&b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
    }
    REQUIRE(!strata_builder_finish(&b, &plan));
    return plan;
}

static void open_world(struct world *w)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &w->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w->ranks);
    const struct strata_node_memory_sizes sizes = {.slot = {STRATA_LINE}};
    size_t memory = strata_node_memory_bytes(w->ranks, &sizes);
    size_t bytes = memory + (size_t)w->ranks * sizeof *w->written;
    REQUIRE(!strata_arena_create(MPI_COMM_WORLD, 1 << 20, true, &w->arena));
    if (w->rank == 0) {
        REQUIRE(!strata_arena_take(w->arena, bytes, bytes, w->ranks, NULL, &w->region));
    }
    MPI_Bcast(&w->region, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    unsigned char *base = strata_arena_at(w->arena, w->region);
    strata_node_memory_init(&w->memory, base, w->ranks, w->rank, &sizes);
    MPI_Barrier(MPI_COMM_WORLD);
    w->written = (void *)(base + memory);
    const struct strata_endpoints each = strata_endpoints_of(MPI_COMM_WORLD, w->rank, w->ranks);
    strata_transport_mpi_init(&w->transport, &each, 0);
    int *colours = calloc((size_t)w->ranks, sizeof *colours);
    REQUIRE(colours);
    REQUIRE(!strata_topology_from_colours(w->ranks, colours, NULL, &w->topology));
    free(colours);
    w->plan = build(w, 0, 0);
}

static void close_world(struct world *w)
{
    strata_arena_drop(w->arena, w->region);
    strata_plan_destroy(w->plan);
    strata_topology_destroy(w->topology);
    strata_transport_mpi_fini(&w->transport);
    MPI_Barrier(MPI_COMM_WORLD);
    strata_arena_destroy(w->arena);
}

static void run_epoch(struct world *w, struct strata_waiter *waiter)
{
    static const struct strata_type byte = {.size = 1, .extent = 1, .contiguous = true};
    struct strata_execution x = {.plan = w->plan,
                                 .nodes = w->topology,
                                 .input = {.type = &byte}, /* blocks of no bytes */
                                 .output = {.type = &byte},
                                 .memory = &w->memory,
                                 .transport = &strata_transport_mpi,
                                 .transport_self = &w->transport,
                                 .scratch = w->scratch};
    REQUIRE(!strata_engine_start(&x));
    REQUIRE(!strata_wait_run(waiter, &x));
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* No member passes before all have come, epoch after epoch. */
static void test_order(struct world *w, struct strata_waiter waiter, int epochs)
{
    strata_node_memory_wake(&w->memory, waiter.crowded ? strata_wait_wake : NULL);
    uint64_t begin = w->written[w->rank];
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 1; i <= epochs; i++) {
        w->written[w->rank] = begin + (uint64_t)i;
        run_epoch(w, &waiter);
        for (int rank = 0; rank < w->ranks; rank++) {
            REQUIRE_CMP(w->written[rank], >=, begin + (uint64_t)i);
            REQUIRE_CMP(w->written[rank], <=, begin + (uint64_t)i + 1);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Members sleep at once, without a limit: one lost wake-up and the job hangs. Each signal has its
 * bell, and a later signal rings the bells of earlier ones. */
static void test_bells(struct world *w)
{
    static const int signals[][2] = {{0, 0},
                                     {STRATA_SIGNAL_RELEASED, STRATA_SIGNAL_RELEASED},
                                     {STRATA_SIGNAL_DONE, STRATA_SIGNAL_DONE},
                                     {STRATA_SIGNAL_DONE, STRATA_SIGNAL_ARRIVED}};
    struct strata_wait_parameters parameters = strata_wait_usual;
    parameters.flag_yields = 0;
    parameters.bell_first = parameters.bell_least = parameters.bell_most = 3600u * 1000000u;
    struct strata_plan *usual = w->plan;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        w->plan = build(w, signals[i][0], signals[i][1]);
        test_order(w, (struct strata_waiter){.crowded = true, .parameters = &parameters}, 500);
        strata_plan_destroy(w->plan);
    }
    w->plan = usual;
}

/* The last rank comes late, and the others leave the core to other work. */
static void test_idle(struct world *w)
{
    struct strata_waiter waiter = {.crowded = true};
    strata_node_memory_wake(&w->memory, strata_wait_wake);
    MPI_Barrier(MPI_COMM_WORLD);
    double wall = seconds(CLOCK_MONOTONIC), used = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (w->rank == w->ranks - 1) {
        nanosleep(&(struct timespec){.tv_nsec = 500 * 1000 * 1000}, NULL);
    }
    run_epoch(w, &waiter);
    wall = seconds(CLOCK_MONOTONIC) - wall;
    used = seconds(CLOCK_PROCESS_CPUTIME_ID) - used;
    REQUIRE_CMP(used, <, 0.15 * wall);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A rank that waits for a flag lets its own messages leave. Rank 0 publishes only after it has
 * received a message that rank 1, already waiting for the flag, has begun to send. */
static void test_progress(struct world *w, bool crowded)
{
    enum { LARGE = 4 << 20 };
    struct strata_waiter waiter = {.crowded = crowded};
    unsigned char *buffer = malloc(LARGE);
    MPI_Request request = MPI_REQUEST_NULL;
    REQUIRE(buffer);
    strata_node_memory_wake(&w->memory, crowded ? strata_wait_wake : NULL);
    if (w->rank == 1) {
        memset(buffer, 7, LARGE);
        MPI_Isend(buffer, LARGE, MPI_BYTE, 0, 9, MPI_COMM_WORLD, &request);
    } else if (w->rank == 0) {
        memset(buffer, 0, LARGE);
        MPI_Recv(buffer, LARGE, MPI_BYTE, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        REQUIRE_CMP(buffer[0], ==, 7);
        REQUIRE_CMP(buffer[LARGE - 1], ==, 7);
    }
    run_epoch(w, &waiter);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(buffer);
}

/* A plan of one message, which rank 0 never sends: it takes no part any more, and has said so in
 * the node memory. The waiting rank gives up, and the message is withdrawn. */
static void test_broken_peer(struct world *w, bool crowded)
{
    static unsigned char scratch[4096], block[8];
    struct strata_layout layout = {.base = block, .type = &strata_byte_type, .count = sizeof block};
    struct strata_waiter waiter = {.crowded = crowded, .peers = &w->memory};
    struct strata_plan *plan;
    struct strata_builder b;
    strata_builder_init(&b, STRATA_BCAST, "silent", w->rank, w->topology);
    strata_build_blocks(&b, (struct strata_blocks){.count = 1});
    strata_build_recv_blocks(
        &b, 0, strata_build_set(&b, strata_box_in(STRATA_OUTPUT, strata_box_item(1, 0))),
        STRATA_AS_FITS);
    strata_build_wait(&b, 0);
    REQUIRE(!strata_builder_finish(&b, &plan));
    struct strata_execution x = {.plan = plan,
                                 .nodes = w->topology,
                                 .input = layout,
                                 .output = layout,
                                 .work = layout,
                                 .transport = &strata_transport_mpi,
                                 .transport_self = &w->transport,
                                 .scratch = scratch};
    REQUIRE_CMP(strata_engine_scratch(&x), <=, sizeof scratch);
    if (w->rank > 0) {
        REQUIRE(!strata_engine_start(&x));
        REQUIRE_CMP(strata_wait_run(&waiter, &x), ==, STRATA_ERR_TRANSPORT);
        REQUIRE(x.abandoned);
    } else {
        strata_node_memory_break(&w->memory);
    }
    strata_plan_destroy(plan);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The microseconds of one epoch; on rank 0 also the cores that all ranks kept busy meanwhile. */
static double measure_epoch(struct world *w, struct strata_waiter waiter, double *busy)
{
    enum { WARM = 50, EPOCHS = 400 };
    strata_node_memory_wake(&w->memory, waiter.crowded ? strata_wait_wake : NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = 0, used = 0;
    for (int i = -WARM; i < EPOCHS; i++) {
        begin = i == 0 ? seconds(CLOCK_MONOTONIC) : begin;
        used = i == 0 ? seconds(CLOCK_PROCESS_CPUTIME_ID) : used;
        run_epoch(w, &waiter);
    }
    double time = 1e6 * (seconds(CLOCK_MONOTONIC) - begin) / EPOCHS;
    used = (seconds(CLOCK_PROCESS_CPUTIME_ID) - used) / (seconds(CLOCK_MONOTONIC) - begin);
    MPI_Reduce(&used, busy, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    return time;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Measures several ways of waiting in turn, five times, and prints the medians. */
static void measure(struct world *w)
{
    enum { WAYS = 7, TIMES = 5 };
    static const unsigned yields[WAYS] = {0, 1, 4, 16, 64, 256, 100000000};
    double time[WAYS][TIMES], busy[WAYS] = {0};
    for (int i = 0; i < TIMES; i++) {
        for (int way = 0; way < WAYS; way++) {
            struct strata_wait_parameters parameters = strata_wait_usual;
            parameters.flag_yields = yields[way];
            struct strata_waiter waiter = {.crowded = true, .parameters = &parameters};
            time[way][i] = measure_epoch(w, waiter, &busy[way]);
        }
    }
    for (int way = 0; way < WAYS && w->rank == 0; way++) {
        qsort(time[way], TIMES, sizeof(double), by_value);
        printf("%2d ranks, %9u yields: %8.1f us (%.1f .. %.1f), %.2f cores busy\n", w->ranks,
               yields[way], time[way][TIMES / 2], time[way][0], time[way][TIMES - 1], busy[way]);
    }
}

static void test(struct world *w)
{
    test_order(w, (struct strata_waiter){.crowded = true}, 500);
    test_order(w, (struct strata_waiter){.crowded = false}, w->ranks > 4 ? 50 : 500);
    test_bells(w);
    if (w->ranks > 1) {
        test_idle(w);
        test_progress(w, true);
        test_progress(w, false);
        test_broken_peer(w, false); /* nothing works with this memory any more */
        test_broken_peer(w, true);
    }
    if (w->rank == 0) {
        printf("wait: %d ranks: ok\n", w->ranks);
    }
}

int main(int argc, char **argv)
{
    struct world world = {0};
    MPI_Init(&argc, &argv);
    open_world(&world);
    if (argc > 1 && strcmp(argv[1], "measure") == 0) {
        measure(&world);
    } else {
        test(&world);
    }
    close_world(&world);
    MPI_Finalize();
    return 0;
}
