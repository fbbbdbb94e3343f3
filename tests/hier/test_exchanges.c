/* The exchanges by digits of the distance: the number of their messages, of messages at once and of
 * items, and the parts that they send. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/assert_cmp.h"
#include "tests/hier/plans.h"

/* The messages and items that one rank sends in a pass. */
struct sent {
    int whole, lengths, data; /* messages */
    int64_t items;            /* in whole messages and data */
    int together;             /* the most messages between two waits */
};

static struct sent sent_by(const struct strata_plan *plan)
{
    struct strata_cursor cursor;
    const struct strata_step *step;
    struct sent sent = {0};
    int open = 0;
    for (strata_cursor_begin(&cursor, plan); (step = strata_cursor_step(&cursor));
         strata_cursor_advance(&cursor)) {
        if (step->op == STRATA_STEP_WAIT) {
            open = 0;
        } else if (step->op == STRATA_STEP_SEND_BLOCKS) {
            sent.whole += step->how == STRATA_WHOLE;
            sent.lengths += step->how == STRATA_LENGTHS;
            sent.data += step->how == STRATA_DATA;
            sent.items +=
                step->how == STRATA_LENGTHS ? 0 : strata_set_count(strata_cursor_set(&cursor));
            open++;
            sent.together = open > sent.together ? open : sent.together;
        }
    }
    assert_int_equal(plan->limits.passes, 1);
    return sent;
}

/* Counts the non-zero digits of 1 .. nodes-1 in base radix. *rounds is the number of pairs of
 * position and value that occur. */
static int64_t count_digits(int nodes, int radix, int *rounds)
{
    int64_t digits = 0;
    *rounds = 0;
    for (int k = 1; k < nodes; k++) {
        int positive = 0;
        for (int rest = k; rest > 0; rest /= radix) {
            digits += rest % radix > 0;
            positive += rest % radix > 0;
        }
        *rounds += positive == 1; /* the least item of each message has one digit */
    }
    return digits;
}

static int at_most(int value, int most)
{
    return value < most ? value : most;
}

/* Each digit has the messages of its values, at most `batch` at once. */
static void require_tuna(const struct world *world, int radix, int batch)
{
    struct plans plans;
    int rounds, ranks = world->topology->ranks;
    int64_t items = count_digits(ranks, radix, &rounds);
    int parameter[STRATA_PARAMETERS] = {radix, batch};
    plans_build(strata_registry_find("tuna"), world, parameter, 1, &plans);
    for (int rank = 0; rank < ranks; rank++) {
        struct sent sent = sent_by(plans.of[rank]);
        assert_int_equal(sent.whole, 0);
        assert_int_equal(sent.lengths, rounds);
        assert_int_equal(sent.data, rounds);
        assert_int_equal(sent.items, items);
        assert_int_equal(sent.together, at_most(at_most(radix, ranks) - 1, batch));
    }
    plans_destroy(&plans);
}

static void test_tuna(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 40; ranks++) {
        struct world world;
        world_parse("node:1", ranks, &world);
        for (int radix = 2; radix <= 9; radix++) {
            require_tuna(&world, radix, 1 + (ranks + radix) % 4);
        }
        require_tuna(&world, ranks > 2 ? ranks : 2, 3); /* straight to all ranks */
        world_destroy(&world);
    }
}

/* Two-phase Bruck is TuNA with radix 2. */
static void test_two_phase(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 70; ranks++) {
        struct world world;
        struct plans plans;
        int rounds;
        int64_t items = count_digits(ranks, 2, &rounds);
        world_parse("node:1", ranks, &world);
        plans_build(strata_registry_find("two_phase"), &world, (const int[STRATA_PARAMETERS]){0}, 1,
                    &plans);
        for (int rank = 0; rank < ranks; rank++) {
            struct sent sent = sent_by(plans.of[rank]);
            ASSERT_CMP(sent.whole, ==, 0);
            ASSERT_CMP(sent.lengths, ==, rounds);
            ASSERT_CMP(sent.data, ==, rounds);
            ASSERT_CMP(sent.items, ==, items);
            ASSERT_CMP(sent.together, ==, (ranks > 1));
        }
        plans_destroy(&plans);
        world_destroy(&world);
    }
}

/* What the busiest leader sends: the lanes of the member of node 0 with the first turn. */
static struct sent sent_by_leader(const struct world *world, int lanes, int radix, int between,
                                  int *led)
{
    struct plans plans;
    int parameter[STRATA_PARAMETERS] = {lanes, radix, 1, between};
    plans_build(strata_registry_find("leaders"), world, parameter, 1, &plans);
    struct sent sent = sent_by(plans.of[world->topology->in_turn[0]]);
    int members = strata_topology_node_size(world->topology, 0);
    *led = (plans.of[0]->exchange.lanes + members - 1) / members;
    plans_destroy(&plans);
    return sent;
}

/* On each lane SLOAV's rounds, whole or in two parts; or each item once, a few at a time. */
static void test_between_nodes(void **state)
{
    (void)state;
    enum { SLOAV = 1, PAIRWISE, TWO_PHASE };
    struct random r = {61};
    for (int layout = 0; layout < 300; layout++) {
        struct world world;
        int led, rounds, radix = random_between(&r, 2, 9);
        world_random(&r, random_between(&r, 2, 60), &world);
        int nodes = world.topology->nodes;
        int lanes = nodes > 1 ? random_between(&r, 1, world.topology->largest) : 1;
        int64_t items = count_digits(nodes, radix, &rounds);
        struct sent sent = sent_by_leader(&world, lanes, radix, SLOAV, &led);
        assert_true(nodes == 1 || (sent.whole == led * rounds && sent.items == led * items));
        sent = sent_by_leader(&world, lanes, radix, TWO_PHASE, &led);
        assert_true(nodes == 1 || (sent.data == led * rounds && sent.lengths == led * rounds &&
                                   sent.whole == 0 && sent.items == led * items));
        sent = sent_by_leader(&world, lanes, radix, PAIRWISE, &led);
        assert_true(nodes == 1 || (sent.whole == led * (nodes - 1) && sent.items == sent.whole &&
                                   sent.together == led * at_most(nodes - 1, radix)));
        world_destroy(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tuna),
        cmocka_unit_test(test_two_phase),
        cmocka_unit_test(test_between_nodes),
    };
    return cmocka_run_group_tests_name("exchanges", tests, NULL, NULL);
}
