/* Costs of plans over blocks, step by step, on a machine whose figures keep the parts of a cost
 * apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/cost/plan_cost.h"
#include "core/plan/builder.h"
#include "tests/assert_cmp.h"

#define BYTES 100.0

static const struct strata_machine machine = {.name = "units",
                                              .alpha = 1e6,
                                              .beta = 1,
                                              .alpha_node = 1e5,
                                              .beta_node = 0.5,
                                              .overhead = 0,
                                              .copy = 1e-3,
                                              .copy_block = 1e-6,
                                              .reduce = 1e-2,
                                              .ports = 8,
                                              .contenders = 1};

/* Begins a plan for rank 0 of six ranks, which have nodes of their own or two nodes together. */
static struct strata_builder begin(enum strata_collective collective, const char *nodes,
                                   struct strata_blocks blocks, struct strata_topology **topology)
{
    struct strata_builder b;
    assert_int_equal(strata_topology_parse(nodes, 6, topology, NULL), STRATA_OK);
    strata_builder_init(&b, collective, "by-hand", 0, *topology);
    strata_build_blocks(&b, blocks);
    return b;
}

static struct strata_cost cost_on(struct strata_builder *b, struct strata_topology *topology,
                                  double bytes, const struct strata_machine *on)
{
    struct strata_plan *plan = NULL;
    assert_int_equal(strata_builder_finish(b, &plan), STRATA_OK);
    struct strata_cost cost = strata_plan_cost(plan, bytes, on);
    strata_plan_destroy(plan);
    strata_topology_destroy(topology);
    return cost;
}

static struct strata_cost cost_of(struct strata_builder *b, struct strata_topology *topology,
                                  double bytes)
{
    return cost_on(b, topology, bytes, &machine);
}

static void assert_near(double value, double expected)
{
    ASSERT_CMP(value, >, expected * (1 - 1e-9) - 1e-12);
    ASSERT_CMP(value, <, expected * (1 + 1e-9) + 1e-12);
}

static int blocks_of(struct strata_builder *b, enum strata_store store, int first, int count)
{
    return strata_build_set(b, strata_box_in(store, strata_box_range(6, first, count)));
}

/* A set of two runs of two blocks each. */
static int split_set(struct strata_builder *b, enum strata_store store)
{
    struct strata_box boxes[2] = {strata_box_in(store, strata_box_range(6, 0, 2)),
                                  strata_box_in(store, strata_box_range(6, 3, 2))};
    return strata_build_set_of(b, boxes, 2);
}

/* Messages between two waits overlap, and the times of two stages add up. Received bytes count
 * where they are more than the sent ones. */
static void test_stages(void **state)
{
    (void)state;
    struct strata_topology *t;
    struct strata_builder b =
        begin(STRATA_ALLGATHER, "node:6", (struct strata_blocks){.count = 6}, &t);
    strata_build_recv_blocks(&b, 1, blocks_of(&b, STRATA_OUTPUT, 1, 2), STRATA_AS_FITS);
    strata_build_send_blocks(&b, 2, blocks_of(&b, STRATA_OUTPUT, 0, 1), STRATA_AS_FITS);
    strata_build_send_blocks(&b, 3, blocks_of(&b, STRATA_OUTPUT, 0, 1), STRATA_AS_FITS);
    strata_build_wait(&b, 0);
    strata_build_recv_blocks(&b, 4, blocks_of(&b, STRATA_OUTPUT, 3, 3), STRATA_AS_FITS);
    strata_build_wait(&b, 0);
    strata_build_wait(&b, 0); /* no message is open */
    struct strata_cost cost = cost_of(&b, t, BYTES);
    assert_near(cost.time_start, 2e6);
    /* Two messages on two ports, then one message. */
    assert_near(cost.time_wire, 2 * BYTES / 2 + 3 * BYTES);
    assert_near(cost.messages, 2);
    assert_near(cost.bytes, 2 * BYTES);
    assert_near(cost.messages_node + cost.copied + cost.blocks, 0);
}

/* A message to a local peer has the costs of messages inside a node. It is on its way while the
 * other one is. */
static void test_inside_a_node(void **state)
{
    (void)state;
    struct strata_topology *t;
    struct strata_builder b =
        begin(STRATA_ALLGATHER, "node:2", (struct strata_blocks){.count = 6}, &t);
    strata_build_recv_blocks(&b, 2, blocks_of(&b, STRATA_OUTPUT, 2, 1), STRATA_AS_FITS);
    strata_build_send_blocks(&b, 1, blocks_of(&b, STRATA_OUTPUT, 0, 2), STRATA_AS_FITS);
    strata_build_send_blocks(&b, 5, blocks_of(&b, STRATA_OUTPUT, 0, 1), STRATA_AS_FITS);
    strata_build_wait(&b, 0);
    struct strata_cost cost = cost_of(&b, t, BYTES);
    assert_near(cost.time_start, 1e6);
    assert_near(cost.time_wire, BYTES);
    assert_near(cost.messages, 1);
    assert_near(cost.messages_node, 1);
    assert_near(cost.bytes_node, 2 * BYTES);
}

/* What rank 0 takes that sends a block to one rank of its node, and receives one from another. */
static double swap_seconds(int to, int from, const struct strata_machine *on)
{
    struct strata_topology *t;
    struct strata_builder b =
        begin(STRATA_ALLGATHER, "node:1 package:2 cache:2", (struct strata_blocks){.count = 6}, &t);
    strata_build_recv_blocks(&b, from, blocks_of(&b, STRATA_OUTPUT, 2, 1), STRATA_AS_FITS);
    strata_build_send_blocks(&b, to, blocks_of(&b, STRATA_OUTPUT, 0, 1), STRATA_AS_FITS);
    strata_build_wait(&b, 0);
    const struct strata_cost cost = cost_on(&b, t, BYTES, on);
    return strata_cost_time(&cost);
}

/* Ranks 0 and 1 share a cache, 2 is in another one, 3 to 5 are in another package. The farther one
 * of two decides. */
static void test_distances(void **state)
{
    (void)state;
    struct strata_machine told = machine;
    assert_near(swap_seconds(1, 5, &machine), 1e5 + BYTES * 0.5);
    told.alpha_cache = 10;
    told.beta_domain = 2;
    told.alpha_apart = 3e5;
    told.beta_apart = 4;
    assert_near(swap_seconds(1, 1, &told), 10 + BYTES * 0.5);
    assert_near(swap_seconds(2, 2, &told), 1e5 + BYTES * 2);
    assert_near(swap_seconds(3, 3, &told), 3e5 + BYTES * 4);
    assert_near(swap_seconds(1, 3, &told), 3e5 + BYTES * 4);
    assert_near(swap_seconds(4, 1, &told), 3e5 + BYTES * 4);
    told.eager_cache = BYTES - 1;
    told.rendezvous_cache = 7;
    assert_near(swap_seconds(1, 1, &told), 10 + BYTES * 0.5 + 7);
    told.beta_eager_cache = 3;
    told.eager_cache = BYTES;
    assert_near(swap_seconds(1, 1, &told), 10 + BYTES * 3);
    told.overhead_cache = 2;
    assert_near(swap_seconds(1, 1, &told), 10 + BYTES * 3 + 4);
    assert_near(swap_seconds(2, 2, &told), 1e5 + BYTES * 2);
}

/* A set that is not one run is packed and unpacked run by run, by the sender and by the
 * receiver. */
static void test_gathering(void **state)
{
    (void)state;
    static const struct {
        enum strata_how how;
        bool split, receives;
        double copied, pieces;
    } rows[] = {
        {STRATA_AS_FITS, false, false, 0, 0}, {STRATA_AS_FITS, true, false, 4, 2},
        {STRATA_PACKED, false, false, 4, 1},  {STRATA_PACKED, true, false, 4, 2},
        {STRATA_TYPED, false, false, 0, 0},   {STRATA_TYPED, true, false, 4, 2},
        {STRATA_AS_FITS, false, true, 0, 0},  {STRATA_AS_FITS, true, true, 4, 2},
        {STRATA_PACKED, false, true, 0, 0},   {STRATA_PACKED, true, true, 4, 2},
        {STRATA_TYPED, false, true, 0, 0},    {STRATA_TYPED, true, true, 4, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct strata_topology *t;
        struct strata_builder b =
            begin(STRATA_ALLTOALL, "node:6", (struct strata_blocks){.count = 6}, &t);
        int set = rows[i].split ? split_set(&b, STRATA_OUTPUT) : blocks_of(&b, STRATA_OUTPUT, 1, 4);
        if (rows[i].receives) {
            strata_build_recv_blocks(&b, 1, set, rows[i].how);
        } else {
            strata_build_send_blocks(&b, 1, set, rows[i].how);
        }
        strata_build_wait(&b, 0);
        struct strata_cost cost = cost_of(&b, t, BYTES);
        assert_near(cost.copied, rows[i].copied * BYTES);
        assert_near(cost.blocks, rows[i].pieces);
        assert_near(cost.time_copy, cost.copied * 1e-3 + rows[i].pieces * 1e-6);
        assert_near(cost.time_wire, 4 * BYTES);
    }
}

/* A copy is cut where either side has a gap. Blocks of the work store have the greatest length. */
static void test_copies(void **state)
{
    (void)state;
    struct strata_topology *t;
    struct strata_builder b =
        begin(STRATA_ALLTOALL, "node:6", (struct strata_blocks){.count = 6, .work = 4}, &t);
    int four = strata_build_set(&b, strata_box_in(STRATA_WORK, strata_box_all(4)));
    int down = strata_build_set(&b, strata_box_in(STRATA_OUTPUT, strata_box_down(6, 5, 4)));
    strata_build_copy(&b, split_set(&b, STRATA_INPUT), four);
    strata_build_copy(&b, four, down);
    struct strata_cost cost = cost_of(&b, t, BYTES);
    assert_near(cost.copied, 8 * BYTES);
    assert_near(cost.blocks, 2 + 4);
    assert_near(strata_cost_time(&cost), 0.8 + 6e-6);
}

/* Segments are parts of the vector whose length is given. */
static void test_segments(void **state)
{
    (void)state;
    struct strata_topology *t;
    struct strata_builder b =
        begin(STRATA_ALLREDUCE, "node:6", (struct strata_blocks){.count = 6, .work = 6}, &t);
    int from = blocks_of(&b, STRATA_WORK, 0, 3), into = blocks_of(&b, STRATA_OUTPUT, 3, 3);
    strata_build_recv_blocks(&b, 1, from, STRATA_AS_FITS);
    strata_build_send_blocks(&b, 1, blocks_of(&b, STRATA_OUTPUT, 0, 3), STRATA_AS_FITS);
    strata_build_wait(&b, 0);
    strata_build_reduce(&b, from, into);
    strata_build_copy(&b, blocks_of(&b, STRATA_INPUT, 0, 1), blocks_of(&b, STRATA_OUTPUT, 0, 1));
    struct strata_cost cost = cost_of(&b, t, 1200);
    assert_near(cost.bytes, 600);
    assert_near(cost.reduced, 600);
    assert_near(cost.time_reduce, 6);
    assert_near(cost.copied, 200);
    assert_near(strata_cost_time(&cost), 1e6 + 600 + 6 + 0.2 + 1e-6);
}

/* Every iteration of a repeat counts. */
static void test_repeats(void **state)
{
    (void)state;
    struct strata_topology *t;
    struct strata_builder b =
        begin(STRATA_ALLGATHER, "node:6", (struct strata_blocks){.count = 6}, &t);
    strata_build_repeat(&b, 5);
    strata_build_recv_blocks(&b, 5, blocks_of(&b, STRATA_OUTPUT, 5, 1), STRATA_AS_FITS);
    strata_build_send_blocks(&b, 1, blocks_of(&b, STRATA_OUTPUT, 0, 1), STRATA_AS_FITS);
    strata_build_wait(&b, 0);
    strata_build_end(&b);
    struct strata_cost cost = cost_of(&b, t, BYTES);
    assert_near(cost.messages, 5);
    assert_near(strata_cost_time(&cost), 5e6 + 5 * BYTES);
}

/* The cost of a plan that packs two blocks for a message, and of one whose message MPI's library
 * packs. */
static struct strata_cost packed_on(enum strata_how how, double bytes,
                                    const struct strata_machine *on)
{
    struct strata_topology *t;
    struct strata_builder b =
        begin(STRATA_ALLGATHER, "node:6", (struct strata_blocks){.count = 6}, &t);
    strata_build_send_blocks(&b, 2, split_set(&b, STRATA_OUTPUT), how);
    strata_build_wait(&b, 0);
    return cost_on(&b, t, bytes, on);
}

/* A plan's long copies fall by the threads' share. Its call opens a team, once, where that saves
 * twice what it takes. */
static void test_team(void **state)
{
    (void)state;
    struct strata_machine team = machine;
    team.threads = 4;
    team.team = 1000;
    team.opening = 0.25;
    const double offering = 1000 * 1e-3 * (0.85 - 0.25);
    struct strata_cost alone = packed_on(STRATA_PACKED, 1000, &machine);
    struct strata_cost shared = packed_on(STRATA_PACKED, 1000, &team);
    assert_near(shared.time_copy, alone.time_copy / 4 + offering);
    assert_near(shared.time_start, alone.time_start + team.opening);
    team.opening = 3; /* 4000 bytes save three seconds, which is not twice as much */
    shared = packed_on(STRATA_PACKED, 1000, &team);
    assert_near(strata_cost_time(&shared), strata_cost_time(&alone));
    alone = packed_on(STRATA_PACKED, 249, &machine);
    shared = packed_on(STRATA_PACKED, 249, &team);
    assert_near(strata_cost_time(&shared), strata_cost_time(&alone));
    team.opening = 0;
    alone = packed_on(STRATA_TYPED, 1000, &machine);
    shared = packed_on(STRATA_TYPED, 1000, &team);
    assert_near(strata_cost_time(&shared), strata_cost_time(&alone));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stages),    cmocka_unit_test(test_inside_a_node),
        cmocka_unit_test(test_gathering), cmocka_unit_test(test_copies),
        cmocka_unit_test(test_segments),  cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_team),      cmocka_unit_test(test_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
