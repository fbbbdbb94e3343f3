/* The limits of plans never exceed the capacity, and use as much of it as they may. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/plan/limits.h"
#include "core/plan/plan_sizes.h"
#include "tests/assert_cmp.h"
#include "tests/random.h"

struct below {
    size_t bound;
};

static bool is_below(const void *argument, size_t n)
{
    const struct below *b = argument;
    return n < b->bound;
}

static void test_largest_fitting(void **state)
{
    (void)state;
    for (size_t most = 0; most < 70; most++) {
        for (size_t bound = 0; bound < 80; bound++) {
            struct below b = {bound};
            size_t right = bound == 0 ? 0 : bound - 1 < most ? bound - 1 : most;
            assert_int_equal(strata_largest_fitting(most, is_below, &b), right);
        }
    }
    struct below all = {SIZE_MAX};
    ASSERT_CMP(strata_largest_fitting(SIZE_MAX, is_below, &all), ==, SIZE_MAX - 1);
    ASSERT_CMP(strata_largest_fitting(SIZE_MAX / 2, is_below, &all), ==, SIZE_MAX / 2);
}

struct instance {
    struct strata_topology *topology;
    struct strata_exchange exchange;
    int stage_messages;
    int64_t stage_items;
    struct strata_capacity capacity;
};

/* A number whose length in bits is random, so that small and large numbers are equally likely. */
static size_t random_size(struct random *r, int bits)
{
    return random_next(r) >> (64 - random_between(r, 1, bits));
}

static struct strata_topology *random_topology(struct random *r)
{
    struct strata_topology *t = NULL;
    int ranks = random_between(r, 1, 48), nodes = random_between(r, 1, ranks);
    int *colour = malloc((size_t)ranks * sizeof *colour);
    assert_non_null(colour);
    for (int i = 0; i < ranks; i++) {
        colour[i] = random_below(r, nodes);
    }
    assert_int_equal(strata_topology_from_colours(ranks, colour, NULL, &t), STRATA_OK);
    free(colour);
    return t;
}

static struct instance random_instance(struct random *r)
{
    struct instance x = {.topology = random_topology(r)};
    bool staged = random_one_in(r, 2);
    x.exchange.staged = staged;
    x.exchange.lanes = staged ? random_between(r, 1, x.topology->largest + 2) : 1;
    x.exchange.lane_items = random_below(r, 200);
    x.exchange.lane_messages = random_below(r, (int)x.exchange.lane_items + 1);
    x.stage_items = random_below(r, (int)x.exchange.lane_items + 1);
    x.stage_messages = random_below(r, (int)x.exchange.lane_messages + 1);
    x.capacity =
        (struct strata_capacity){.slot = random_size(r, 34),
                                 .landing = random_size(r, 38),
                                 .scratch = random_size(r, 38),
                                 .threshold = random_one_in(r, 20) ? 0 : random_size(r, 30),
                                 .passes = random_between(r, 1, 9),
                                 .check = random_one_in(r, 2)};
    return x;
}

/* Computes from the engine's sizes whether the node memory holds this slice. */
static bool holds(const struct instance *x, size_t slice)
{
    const struct strata_topology *t = x->topology;
    const struct strata_exchange *e = &x->exchange;
    const struct strata_capacity *c = &x->capacity;
    bool staged = e->staged;
    int largest = staged ? t->largest : 1, nodes = staged ? t->nodes : t->ranks;
    int width = (largest + e->lanes - 1) / e->lanes;
    int leaders = e->lanes < t->smallest ? e->lanes : t->smallest;
    size_t landing = (size_t)e->lanes * strata_lane_bytes_at(nodes, largest * width, e->lane_items,
                                                             e->lane_messages, slice, c->check);
    size_t pack = strata_lane_bytes_at(0, largest * width, x->stage_items, x->stage_messages, slice,
                                       c->check);
    size_t slot = strata_slot_bytes_at(t->ranks, t->nodes, e->lanes, slice);
    if (pack >= STRATA_MOST_ITEM) {
        return false;
    }
    if (!staged) {
        return (size_t)t->largest * (landing + pack) <= c->scratch;
    }
    return slot <= c->slot && slot < STRATA_MOST_ITEM && landing <= c->landing &&
           (size_t)leaders * pack <= c->scratch;
}

/* As `holds`, but with less scratch, because `holds` leaves the engine's bookkeeping out. */
static bool surely_holds(const struct instance *x, size_t slice)
{
    const struct strata_exchange *e = &x->exchange;
    struct instance less = *x;
    size_t messages = (size_t)e->lanes * (64 * (size_t)e->lane_messages + 64);
    size_t lengths = 8 * (size_t)x->topology->ranks + 16;
    size_t bookkeeping = (size_t)x->topology->largest * (messages + lengths);
    less.capacity.scratch -=
        bookkeeping < less.capacity.scratch ? bookkeeping : less.capacity.scratch;
    return holds(&less, slice);
}

static void check_limits(const struct instance *x, const struct strata_limits *l)
{
    size_t threshold = x->capacity.threshold, passes = (size_t)l->passes;
    size_t most = threshold > 0 ? threshold : 1;
    assert_true(holds(x, l->slice));
    ASSERT_CMP(l->slice, <=, most);
    assert_true(l->slice == most || l->slice % STRATA_LEAST_SLICE == 0);
    ASSERT_CMP(l->slice, >=, (most < STRATA_LEAST_SLICE ? most : STRATA_LEAST_SLICE));
    ASSERT_IN_RANGE(l->passes, 1, x->capacity.passes);
    ASSERT_CMP(l->threshold, ==, (threshold < passes * l->slice ? threshold : passes * l->slice));
    assert_true(l->passes == 1 || (passes - 1) * l->slice < l->threshold);
    assert_true(l->threshold == threshold || l->passes == x->capacity.passes);
    if (l->slice < most) {
        size_t more = l->slice + STRATA_LEAST_SLICE;
        assert_false(surely_holds(x, more < most ? more : most));
    }
}

static void test_random(void **state)
{
    (void)state;
    struct random r = {11};
    int fitted = 0, several = 0, refused = 0;
    for (int round = 0; round < 6000; round++) {
        struct instance x = random_instance(&r);
        struct strata_limits limits = {0, 0, 0};
        int status = strata_limits_find(x.topology, &x.exchange, x.stage_messages, x.stage_items,
                                        &x.capacity, &limits);
        if (status == STRATA_OK) {
            check_limits(&x, &limits);
            fitted++;
            several += limits.passes > 1;
        } else {
            size_t most = x.capacity.threshold > 0 ? x.capacity.threshold : 1;
            assert_int_equal(status, STRATA_ERR_CAPACITY);
            assert_false(surely_holds(&x, most < STRATA_LEAST_SLICE ? most : STRATA_LEAST_SLICE));
            refused++;
        }
        strata_topology_destroy(x.topology);
    }
    ASSERT_CMP(fitted, >, 300);
    ASSERT_CMP(several, >, 60);
    ASSERT_CMP(refused, >, 300);
}

/* With a threshold of 0 all blocks go directly, and the plan still has one pass. */
static void test_no_threshold(void **state)
{
    (void)state;
    struct strata_topology *t = NULL;
    struct strata_exchange exchange = {.lanes = 1, .lane_items = 4, .lane_messages = 2};
    struct strata_capacity capacity = {.scratch = 1 << 20, .threshold = 0, .passes = 4};
    struct strata_limits limits;
    assert_int_equal(strata_topology_flat(4, &t), STRATA_OK);
    assert_int_equal(strata_limits_find(t, &exchange, 1, 2, &capacity, &limits), STRATA_OK);
    assert_int_equal(limits.threshold, 0);
    assert_int_equal(limits.slice, 1);
    assert_int_equal(limits.passes, 1);
    strata_topology_destroy(t);
}

/* There are no more passes than the longest block needs, where its length is known. */
static void test_longest(void **state)
{
    (void)state;
    struct strata_topology *t = NULL;
    struct strata_exchange exchange = {.lanes = 1, .lane_items = 8, .lane_messages = 3};
    struct strata_capacity capacity = {.scratch = 1 << 14, .threshold = 4096, .passes = 4};
    struct strata_limits all, one, two;
    assert_int_equal(strata_topology_flat(8, &t), STRATA_OK);
    assert_int_equal(strata_limits_find(t, &exchange, 1, 4, &capacity, &all), STRATA_OK);
    assert_int_equal(all.passes, 4);
    capacity.longest = all.slice;
    assert_int_equal(strata_limits_find(t, &exchange, 1, 4, &capacity, &one), STRATA_OK);
    assert_int_equal(one.passes, 1);
    assert_int_equal(one.slice, all.slice);
    assert_int_equal(one.threshold, all.slice);
    capacity.longest++;
    assert_int_equal(strata_limits_find(t, &exchange, 1, 4, &capacity, &two), STRATA_OK);
    assert_int_equal(two.passes, 2);
    capacity.longest = SIZE_MAX;
    assert_int_equal(strata_limits_find(t, &exchange, 1, 4, &capacity, &two), STRATA_OK);
    assert_int_equal(two.passes, all.passes);
    strata_topology_destroy(t);
}

/* Messages and slots stay below the greatest value of a length word. */
static void test_counters(void **state)
{
    (void)state;
    struct strata_topology *t = NULL;
    struct strata_exchange exchange = {
        .lanes = 1, .staged = true, .lane_items = 12, .lane_messages = 3};
    struct strata_capacity capacity = {.slot = SIZE_MAX / 4,
                                       .landing = SIZE_MAX / 4,
                                       .scratch = SIZE_MAX / 4,
                                       .threshold = 1 << 30,
                                       .passes = 1};
    struct strata_limits limits;
    assert_int_equal(strata_topology_parse("node:8", 16, &t, NULL), STRATA_OK);
    assert_int_equal(strata_limits_find(t, &exchange, 1, 4, &capacity, &limits), STRATA_OK);
    ASSERT_CMP(4 * 4 * limits.slice, <, STRATA_MOST_ITEM);
    ASSERT_CMP(4 * 4 * limits.slice, >, STRATA_MOST_ITEM - 1024);
    assert_int_equal(strata_limits_find(t, &exchange, 0, 0, &capacity, &limits), STRATA_OK);
    ASSERT_CMP(16 * limits.slice, <, STRATA_MOST_ITEM);
    ASSERT_CMP(16 * limits.slice, >, STRATA_MOST_ITEM - 1024);
    strata_topology_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_largest_fitting), cmocka_unit_test(test_random),
        cmocka_unit_test(test_no_threshold),    cmocka_unit_test(test_longest),
        cmocka_unit_test(test_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
