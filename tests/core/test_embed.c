/* Embeds a plan in another one. Its repeats are unrolled. Its endpoints and blocks are mapped run
 * by run, in order. Copies of a block to itself disappear, and their phases with them. An endpoint
 * or block that cannot be mapped is an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/plan/embed.h"
#include "core/topology/topology.h"
#include "tests/assert_cmp.h"

enum { INNER = 4, OUTER = 12, WIDTH = 3 };

static int twice(const void *self, int endpoint)
{
    (void)self;
    return 2 * endpoint;
}

/* Maps block n to WIDTH blocks. *self is the number of blocks to take at a time. */
static struct strata_box wide(const void *self, struct strata_run run, int *taken)
{
    int most = *(const int *)self;
    *taken = run.count < most ? run.count : most;
    return strata_box_in(STRATA_SHARED, strata_box_range(OUTER, run.first * WIDTH, *taken * WIDTH));
}

static struct strata_topology *among_inner, *among_outer;

static int make_topologies(void **state)
{
    (void)state;
    return strata_topology_flat(INNER, &among_inner) || strata_topology_flat(OUTER, &among_outer);
}

static int destroy_topologies(void **state)
{
    (void)state;
    strata_topology_destroy(among_inner);
    strata_topology_destroy(among_outer);
    return 0;
}

static void begin(struct strata_builder *b, const struct strata_topology *among)
{
    strata_builder_init(b, STRATA_ALLGATHER, "test", 0, among);
    strata_build_blocks(
        b, (struct strata_blocks){.count = among->ranks, .shared = among == among_outer});
}

/* Copies my block to its place. Sends endpoint 1 the blocks 0, 3, 2, .. one after another, and then
 * 2, 1, 0. */
static struct strata_plan *inner_plan(void)
{
    struct strata_builder b;
    struct strata_plan *plan = NULL;
    begin(&b, among_inner);
    struct strata_box first = strata_box_item(INNER, 0);
    int mine = strata_build_set(&b, strata_box_in(STRATA_OUTPUT, first));
    strata_build_phase(&b, "gone");
    strata_build_copy(&b, strata_build_set(&b, strata_box_in(STRATA_INPUT, first)), mine);
    strata_build_phase(&b, "sent");
    strata_build_repeat(&b, INNER);
    strata_build_step(
        &b,
        (struct strata_step){
            .op = STRATA_STEP_SEND_BLOCKS, .workshare = 1, .peer = 1, .set = mine, .set_step = -1});
    strata_build_end(&b);
    strata_build_send_blocks(
        &b, 1, strata_build_set(&b, strata_box_in(STRATA_OUTPUT, strata_box_down(INNER, 2, 3))),
        STRATA_AS_FITS);
    strata_build_wait(&b, 0);
    assert_int_equal(strata_builder_finish(&b, &plan), STRATA_OK);
    return plan;
}

/* Requires that the next step sends these inner blocks, in this order, to endpoint 2. */
static void require_send(struct strata_cursor *cursor, const int *blocks, int count)
{
    const struct strata_step *step = strata_cursor_step(cursor);
    struct strata_set_iterator it;
    struct strata_run run;
    int at = 0;
    assert_true(step);
    ASSERT_CMP(step->op, ==, STRATA_STEP_SEND_BLOCKS);
    ASSERT_CMP(step->peer, ==, 2);
    assert_int_equal(cursor->depth, 0);
    for (strata_set_begin(&it, strata_cursor_set(cursor)); strata_set_next(&it, &run);) {
        assert_int_equal(run.store, STRATA_SHARED);
        for (int i = 0; i < run.count; i++, at++) {
            ASSERT_CMP(at, <, count * WIDTH);
            assert_int_equal(run.first + i, blocks[at / WIDTH] * WIDTH + at % WIDTH);
        }
    }
    assert_int_equal(at, count * WIDTH);
    strata_cursor_advance(cursor);
}

static void test_embedded(void **state)
{
    (void)state;
    static const int order[] = {0, 3, 2, 1}, down[] = {2, 1, 0};
    struct strata_plan *inner = inner_plan();
    for (int most = 1; most <= INNER; most++) {
        struct strata_builder b;
        struct strata_plan *plan = NULL;
        struct strata_cursor cursor;
        begin(&b, among_outer);
        strata_build_embedded(
            &b, inner, &(struct strata_embedding){.self = &most, .rank = twice, .box = wide});
        assert_int_equal(strata_builder_finish(&b, &plan), STRATA_OK);
        strata_cursor_begin(&cursor, plan);
        for (int i = 0; i < INNER; i++) {
            require_send(&cursor, &order[i], 1);
        }
        assert_string_equal(strata_cursor_label(&cursor), "sent");
        require_send(&cursor, down, 3);
        assert_int_equal(strata_cursor_step(&cursor)->op, STRATA_STEP_WAIT);
        assert_int_equal(plan->nsteps, 1 + INNER + 1 + 1);
        strata_plan_destroy(plan);
    }
    strata_plan_destroy(inner);
}

/* A run becomes one box, if the callback takes the whole run. */
static void test_runs(void **state)
{
    (void)state;
    for (int most = 1; most <= INNER; most++) {
        struct strata_builder b;
        struct strata_plan *plan = NULL;
        struct strata_box all = strata_box_in(STRATA_OUTPUT, strata_box_all(INNER));
        struct strata_embedding e = {.self = &most, .rank = twice, .box = wide};
        begin(&b, among_outer);
        int set = strata_build_embedded_set(&b, &e, (struct strata_set){&all, 1, 0});
        assert_int_equal(strata_builder_finish(&b, &plan), STRATA_OK);
        assert_int_equal(plan->sets[set].nboxes, (INNER + most - 1) / most);
        strata_plan_destroy(plan);
    }
}

static int nobody(const void *self, int endpoint)
{
    (void)self;
    return endpoint + OUTER;
}

static struct strata_box elsewhere(const void *self, struct strata_run run, int *taken)
{
    (void)self;
    *taken = run.count;
    return strata_box_in(STRATA_SHARED, strata_box_item(OUTER + 1, 0));
}

/* Unknown endpoints, and blocks of a store of another size, are refused. */
static void test_refusals(void **state)
{
    (void)state;
    int most = INNER;
    const struct strata_embedding wrong[] = {
        {.self = &most, .rank = nobody, .box = wide},
        {.self = &most, .rank = twice, .box = elsewhere},
    };
    struct strata_plan *inner = inner_plan();
    for (int i = 0; i < 2; i++) {
        struct strata_builder b;
        struct strata_plan *plan = NULL;
        begin(&b, among_outer);
        strata_build_embedded(&b, inner, &wrong[i]);
        assert_int_equal(strata_builder_finish(&b, &plan), STRATA_ERR_PLAN);
        assert_non_null(b.reason);
        assert_null(plan);
    }
    strata_plan_destroy(inner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_embedded),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, make_topologies, destroy_topologies);
}
