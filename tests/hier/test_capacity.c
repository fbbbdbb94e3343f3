/* The budget is hard: with every capacity a node's memory stays below it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/engine/engine_sizes.h"
#include "hier/capacity.h"
#include "hier/registry.h"
#include "internode/alltoall/sloav_rounds.h"
#include "tests/algorithms.h"
#include "tests/assert_cmp.h"
#include "tests/hier/instances.h"

static size_t node_memory_bytes(const struct instance *x)
{
    const struct strata_capacity *c = &x->problem.capacity;
    const struct strata_node_memory_sizes sizes = {
        .slot = {c->slot, c->small, c->middle}, .landing = c->landing, .depth = c->depth};
    return strata_node_memory_bytes(x->topology->largest, &sizes);
}

/* Checks the private memory of each node's ranks with all plans of the communicator built. */
static void check_plans(struct instance *x, const struct strata_algorithm *algorithm)
{
    const struct strata_capacity *c = &x->problem.capacity;
    for (int node = 0; node < x->topology->nodes; node++) {
        size_t scratch = 0;
        for (int i = 0; i < strata_topology_node_size(x->topology, node); i++) {
            struct strata_plan *plan = NULL;
            struct strata_diagnostic message;
            x->problem.rank = strata_topology_rank(x->topology, node, i);
            if (strata_algorithm_plan(algorithm, &x->problem, &plan, &message) != STRATA_OK) {
                fail_msg("%s", message.text);
            }
            const struct strata_limits *l = &plan->limits;
            int lanes = plan->exchange.lanes;
            scratch += strata_engine_fixed_scratch(plan, c->check);
            ASSERT_CMP(l->threshold, <=, (size_t)l->passes * l->slice);
            ASSERT_CMP(l->threshold, <=, c->threshold);
            ASSERT_CMP(l->passes, <=, c->passes);
            if (plan->exchange.staged) {
                ASSERT_CMP((size_t)lanes * strata_lane_bytes(plan, c->check), <=, c->landing);
                ASSERT_CMP(strata_plan_slot_bytes(plan), <=, c->slot);
            }
            strata_plan_destroy(plan);
        }
        ASSERT_CMP(scratch, <=, c->scratch);
    }
}

static void test_hard_budget(void **state)
{
    (void)state;
    struct random r = {3};
    int built = 0, refused = 0, several = 0, middle = 0;
    for (int round = 0; round < 500; round++) {
        struct instance x = instance_random(&r, 40);
        size_t budget = random_next(&r) % (8192u << random_below(&r, 13));
        size_t threshold = random_next(&r) % (16u << random_below(&r, 16));
        if (instance_divide(&x, budget, threshold, random_between(&r, 1, 6),
                            random_one_in(&r, 2)) != STRATA_OK) {
            refused++;
            instance_fini(&x);
            continue;
        }
        strata_capacity_add_middle(x.topology, budget, &x.problem.capacity);
        middle += x.problem.capacity.middle > 0;
        ASSERT_CMP(node_memory_bytes(&x) + x.problem.capacity.scratch, <=, budget);
        const struct strata_algorithm *algorithm;
        for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
            instance_parameters(&x, &r, algorithm);
            if (algorithm_over_items(algorithm) && !algorithm->applicable(&x.problem)) {
                check_plans(&x, algorithm);
                built++;
            }
        }
        several += node_memory_bytes(&x) > budget / 2;
        instance_fini(&x);
    }
    ASSERT_CMP(built, >, 800);
    ASSERT_CMP(refused, >, 20);
    ASSERT_CMP(several, >, 50);
    ASSERT_CMP(middle, >, 50);
}

/* An exchange with so many lanes and radix 2. */
static struct strata_exchange_shape shape_of(const struct instance *x, int lanes, bool exposes)
{
    struct strata_exchange_shape shape = {
        .topology = x->topology, .exchange = {.lanes = lanes, .staged = true, .exposes = exposes}};
    struct strata_stage stage;
    struct strata_sloav sloav = {.nodes = x->topology->nodes, .radix = 2};
    int led = (lanes + x->topology->smallest - 1) / x->topology->smallest;
    strata_sloav_volume(&sloav, &shape.exchange, &stage);
    shape.stage_messages = stage.messages * led;
    shape.stage_items = stage.items * led;
    return shape;
}

/* The lanes that the division provides for. */
static int least_lanes(const struct instance *x)
{
    return x->topology->nodes == 1 ? x->topology->largest : 1;
}

/* Whether exposing takes at most a quarter of the budget, so that the division includes it. */
static bool exposes(const struct instance *x, size_t budget)
{
    const size_t small = x->problem.capacity.small;
    const unsigned depth = x->problem.capacity.depth;
    const struct strata_node_memory_sizes
        without = {.slot = {0, small}, .depth = depth},
        with = {.slot = {strata_exposed_table_bytes(x->topology->largest), small}, .depth = depth};
    return x->topology->largest > 1 &&
           strata_node_memory_bytes(x->topology->largest, &with) -
                   strata_node_memory_bytes(x->topology->largest, &without) <=
               budget / 4;
}

static int find_limits(const struct instance *x, int lanes, size_t budget,
                       struct strata_limits *limits)
{
    const struct strata_exchange_shape shape = shape_of(x, lanes, exposes(x, budget));
    return strata_limits_find(x->topology, &shape.exchange, shape.stage_messages, shape.stage_items,
                              &x->problem.capacity, limits);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The bytes of a node for slices of that length, and for short slices with a lane for each
 * member. */
static size_t bytes_for(const struct instance *x, size_t slice, bool exposed)
{
    const struct strata_exchange_shape few = shape_of(x, least_lanes(x), exposed),
                                       all = shape_of(x, x->topology->largest, exposed);
    struct strata_need need = strata_need_of(&few, slice), small = strata_need_of(&all, 8);
    const struct strata_node_memory_sizes sizes = {
        .slot = {larger(need.slot, small.slot), x->problem.capacity.small},
        .landing = larger(need.landing, small.landing),
        .depth = x->problem.capacity.depth};
    return strata_node_memory_bytes(x->topology->largest, &sizes) +
           larger(need.scratch, small.scratch);
}

/* No memory is wasted: a shortened slice would not fit if it were 16 bytes longer. */
static void test_tight(void **state)
{
    (void)state;
    struct random r = {5};
    int cut = 0;
    for (int round = 0; round < 600; round++) {
        struct instance x = instance_random(&r, 64);
        struct strata_limits limits;
        size_t budget = 65536 + random_next(&r) % (65536u << random_below(&r, 8));
        size_t threshold = 16 + random_next(&r) % 8192;
        if (instance_divide(&x, budget, threshold, 1, false) == STRATA_OK) {
            assert_int_equal(find_limits(&x, least_lanes(&x), budget, &limits), STRATA_OK);
            if (limits.slice < threshold) {
                ASSERT_CMP(bytes_for(&x, limits.slice + 16, exposes(&x, budget)), >, budget);
                cut++;
            }
        }
        instance_fini(&x);
    }
    ASSERT_CMP(cut, >, 50);
}

/* A small budget with a large threshold leaves room for a lane for each member. */
static void test_all_lanes(void **state)
{
    static const char *const nodes[] = {"node:1", "node:2", "node:4"};
    (void)state;
    for (int n = 0; n < 3; n++) {
        struct instance x = instance_of(nodes[n], 8);
        struct strata_limits limits;
        assert_int_equal(instance_divide(&x, 65536, (size_t)1 << 20, 4, false), STRATA_OK);
        for (int lanes = 1; lanes <= x.topology->largest; lanes++) {
            assert_int_equal(find_limits(&x, lanes, 65536, &limits), STRATA_OK);
        }
        instance_fini(&x);
    }
}

/* With ample room every algorithm moves the threshold in one pass, and a larger budget takes no
 * more memory. */
static void test_plenty(void **state)
{
    (void)state;
    struct random r = {9};
    for (int round = 0; round < 60; round++) {
        struct instance x = instance_random(&r, 48);
        const struct strata_algorithm *algorithm;
        bool check = random_one_in(&r, 2);
        assert_int_equal(instance_divide(&x, (size_t)1 << 40, 1000, 4, check), STRATA_OK);
        struct strata_capacity first = x.problem.capacity;
        for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
            struct strata_plan *plan = NULL;
            if (!algorithm_over_items(algorithm)) {
                continue;
            }
            for (int p = 0; p < STRATA_PARAMETERS; p++) {
                x.problem.parameter[p] = strata_parameter_choice(&algorithm->parameters[p], 0);
            }
            assert_int_equal(strata_algorithm_plan(algorithm, &x.problem, &plan, NULL), STRATA_OK);
            assert_int_equal(plan->limits.passes, 1);
            assert_int_equal(plan->limits.threshold, plan->exchange.lanes > 0 ? 1000 : 0);
            strata_plan_destroy(plan);
        }
        assert_int_equal(instance_divide(&x, (size_t)1 << 41, 1000, 4, check), STRATA_OK);
        assert_memory_equal(&x.problem.capacity, &first, sizeof first);
        ASSERT_CMP(node_memory_bytes(&x) + first.scratch, <, (size_t)1 << 30);
        instance_fini(&x);
    }
}

static void test_too_small(void **state)
{
    (void)state;
    struct instance x = instance_of("node:64", 4096);
    struct strata_capacity untouched = x.problem.capacity;
    assert_int_equal(instance_divide(&x, 65536, 4096, 4, false), STRATA_ERR_CAPACITY);
    assert_memory_equal(&x.problem.capacity, &untouched, sizeof untouched);
    assert_int_equal(instance_divide(&x, (size_t)64 << 20, 4096, 4, false), STRATA_OK);
    instance_fini(&x);
}

/* Without any room no block is staged. */
static void test_none(void **state)
{
    (void)state;
    const char *const nodes[] = {"node:1", "node:2"};
    const struct strata_algorithm *algorithm;
    for (int n = 0; n < 2; n++) {
        struct instance x = instance_of(nodes[n], 4);
        x.problem.capacity = (struct strata_capacity){.passes = 1};
        x.problem.commutative = true;
        for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
            algorithm_first_parameters(algorithm, x.problem.parameter);
            for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
                struct strata_plan *plan = NULL;
                x.problem.collective = (enum strata_collective)c;
                if (strata_algorithm_plan(algorithm, &x.problem, &plan, NULL) == STRATA_OK) {
                    assert_false(plan->exchange.staged);
                    strata_plan_destroy(plan);
                }
            }
        }
        instance_fini(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hard_budget), cmocka_unit_test(test_tight),
        cmocka_unit_test(test_all_lanes),   cmocka_unit_test(test_plenty),
        cmocka_unit_test(test_too_small),   cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
