/* The builder makes plans as arrays, and the cursor unrolls them as they run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/plan/builder.h"
#include "tests/assert_cmp.h"

static struct strata_topology *topology; /* 7 ranks on nodes of 3, 2 and 2 */

static int set_up(void **state)
{
    (void)state;
    struct strata_diagnostic message;
    return strata_topology_parse("node:3,2,2", 7, &topology, &message);
}

static int tear_down(void **state)
{
    (void)state;
    strata_topology_destroy(topology);
    return 0;
}

static void begin(struct strata_builder *b)
{
    strata_builder_init(b, STRATA_ALLTOALLV, "test:radix=2", 4, topology);
    strata_build_exchange(b, (struct strata_exchange){.lanes = 2, .staged = true});
}

static struct strata_plan *finish(struct strata_builder *b)
{
    struct strata_plan *plan = NULL;
    assert_int_equal(strata_builder_finish(b, &plan), STRATA_OK);
    assert_non_null(plan);
    return plan;
}

/* Uses every function of the builder. */
static int build_everything(struct strata_plan **plan)
{
    struct strata_builder b;
    begin(&b);
    strata_build_limits(&b, (struct strata_limits){.threshold = 90, .slice = 30, .passes = 3});
    struct strata_box halves[] = {strata_box_range(3, 0, 1), strata_box_range(3, 2, 1)};
    int ranks = strata_build_set(&b, strata_box_all(7));
    int distance = strata_build_set(&b, strata_box_item(7, 1));
    int nodes = strata_build_set_of(&b, halves, 2);
    strata_build_phase(&b, "begin %d", 1);
    strata_build_passes(&b);
    strata_build_copy_in(&b, strata_box_all(7));
    strata_build_signal(&b, STRATA_SIGNAL_ARRIVED);
    strata_build_await(&b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_RELEASED);
    strata_build_phase(&b, "exchange");
    strata_build_index(&b, 1);
    strata_build_recv(&b, 6, 0, nodes, STRATA_WHOLE);
    strata_build_send(&b, 0, 1, nodes, STRATA_WHOLE);
    strata_build_wait(&b, 0);
    strata_build_copy_out(&b, 1, 1, ranks);
    strata_build_end(&b);
    strata_build_repeat(&b, 6);
    strata_build_direct(&b, distance, 1);
    strata_build_wait_direct(&b, 4);
    strata_build_end(&b);
    strata_build_native(&b);
    return strata_builder_finish(&b, plan);
}

static void test_what_is_built(void **state)
{
    (void)state;
    struct strata_plan *plan = NULL;
    assert_int_equal(build_everything(&plan), STRATA_OK);
    assert_string_equal(plan->name, "test:radix=2");
    assert_int_equal(plan->collective, STRATA_ALLTOALLV);
    assert_int_equal(plan->rank, 4);
    assert_ptr_equal(plan->topology, topology);
    assert_int_equal(plan->limits.slice, 30);
    assert_int_equal(plan->exchange.lanes, 2);
    assert_int_equal(plan->nsets, 5);
    assert_int_equal(plan->nboxes, 6);
    const struct strata_step expected[] = {
        {.op = STRATA_STEP_PHASE, .set = -1, .label = 0},
        {.op = STRATA_STEP_REPEAT, .set = -1},
        {.op = STRATA_STEP_COPY, .set = 4, .from = 3, .workshare = 1},
        {.op = STRATA_STEP_SIGNAL, .set = -1, .count = STRATA_SIGNAL_ARRIVED},
        {.op = STRATA_STEP_AWAIT,
         .set = -1,
         .peer = STRATA_ALL_MEMBERS,
         .count = STRATA_SIGNAL_RELEASED},
        {.op = STRATA_STEP_PHASE, .set = -1, .label = (int)sizeof "begin 1"},
        {.op = STRATA_STEP_INDEX, .set = -1, .lane = 1},
        {.op = STRATA_STEP_RECV_BLOCKS, .set = 2, .peer = 6},
        {.op = STRATA_STEP_SEND_BLOCKS, .set = 2, .lane = 1, .workshare = 1},
        {.op = STRATA_STEP_WAIT, .set = -1},
        {.op = STRATA_STEP_COPY_OUT, .set = 0, .peer = 1, .lane = 1, .workshare = 1},
        {.op = STRATA_STEP_END, .set = -1},
        {.op = STRATA_STEP_REPEAT, .set = -1, .count = 6},
        {.op = STRATA_STEP_DIRECT, .set = 1, .set_step = 1},
        {.op = STRATA_STEP_WAIT, .set = -1, .count = 4, .direct = 1},
        {.op = STRATA_STEP_END, .set = -1},
        {.op = STRATA_STEP_NATIVE, .set = -1},
    };
    assert_int_equal(plan->nsteps, sizeof expected / sizeof *expected);
    for (int i = 0; i < plan->nsteps; i++) {
        assert_int_equal(plan->steps[i].op, expected[i].op);
        assert_int_equal(plan->steps[i].workshare, expected[i].workshare);
        assert_int_equal(plan->steps[i].direct, expected[i].direct);
        assert_int_equal(plan->steps[i].how, expected[i].how);
        assert_int_equal(plan->steps[i].lane, expected[i].lane);
        assert_int_equal(plan->steps[i].peer, expected[i].peer);
        assert_int_equal(plan->steps[i].count, expected[i].count);
        assert_int_equal(plan->steps[i].set, expected[i].set);
        assert_int_equal(plan->steps[i].set_step, expected[i].set_step);
        assert_int_equal(plan->steps[i].label, expected[i].label);
    }
    strata_plan_destroy(plan);
    strata_plan_destroy(NULL);
}

static void test_cursor_unrolls(void **state)
{
    (void)state;
    struct strata_plan *plan = NULL;
    assert_int_equal(build_everything(&plan), STRATA_OK);
    static const int body[] = {STRATA_STEP_COPY,  STRATA_STEP_SIGNAL,      STRATA_STEP_AWAIT,
                               STRATA_STEP_INDEX, STRATA_STEP_RECV_BLOCKS, STRATA_STEP_SEND_BLOCKS,
                               STRATA_STEP_WAIT,  STRATA_STEP_COPY_OUT};
    struct strata_cursor cursor;
    strata_cursor_begin(&cursor, plan);
    assert_string_equal(strata_cursor_label(&cursor), "");
    for (int pass = 0; pass < 3; pass++) {
        for (int i = 0; i < 8; i++) {
            const struct strata_step *step = strata_cursor_step(&cursor);
            assert_ptr_equal(step, strata_cursor_step(&cursor));
            assert_int_equal(step->op, body[i]);
            assert_int_equal(cursor.pass, pass);
            /* "begin 1" is not passed again: it lies before the repeat. */
            assert_string_equal(strata_cursor_label(&cursor),
                                i < 3 && pass == 0 ? "begin 1" : "exchange");
            strata_cursor_advance(&cursor);
        }
    }
    for (int i = 0; i < 6; i++) {
        assert_int_equal(strata_cursor_step(&cursor)->op, STRATA_STEP_DIRECT);
        assert_int_equal(cursor.pass, 2);
        assert_true(strata_set_contains(strata_cursor_set(&cursor), (1 + i) % 7));
        assert_int_equal(strata_set_count(strata_cursor_set(&cursor)), 1);
        strata_cursor_advance(&cursor);
        assert_int_equal(strata_cursor_step(&cursor)->op, STRATA_STEP_WAIT);
        assert_int_equal(strata_cursor_set(&cursor).nboxes, 0);
        strata_cursor_advance(&cursor);
    }
    assert_int_equal(strata_cursor_step(&cursor)->op, STRATA_STEP_NATIVE);
    strata_cursor_advance(&cursor);
    assert_null(strata_cursor_step(&cursor));
    strata_cursor_advance(&cursor);
    assert_null(strata_cursor_step(&cursor));
    assert_int_equal(cursor.at, plan->nsteps);
    strata_plan_destroy(plan);
}

/* Advances over nested repeats without asking for the step, as often as the product of their
 * counts. */
static void test_nested_repeats(void **state)
{
    (void)state;
    struct strata_builder b;
    begin(&b);
    strata_build_limits(&b, (struct strata_limits){.passes = 5});
    int set = strata_build_set(&b, strata_box_item(7, 6));
    strata_build_repeat(&b, 2);
    strata_build_passes(&b);
    strata_build_repeat(&b, 3);
    strata_build_repeat(&b, 4);
    strata_build_direct(&b, set, -2);
    strata_build_end(&b);
    strata_build_wait_direct(&b, 0);
    strata_build_end(&b);
    strata_build_end(&b);
    strata_build_end(&b);
    strata_build_repeat(&b, 9); /* an empty body */
    strata_build_end(&b);
    strata_build_passes(&b); /* a second one, not inside the first */
    strata_build_end(&b);
    struct strata_plan *plan = finish(&b);
    struct strata_cursor cursor;
    int direct = 0, waits = 0;
    strata_cursor_begin(&cursor, plan);
    for (const struct strata_step *s; (s = strata_cursor_step(&cursor)) != NULL;) {
        if (s->op == STRATA_STEP_DIRECT) {
            assert_int_equal(cursor.pass, direct / 12 % 5);
            assert_true(
                strata_set_contains(strata_cursor_set(&cursor), (6 + 5 * (direct % 4)) % 7));
            direct++;
        } else {
            waits++;
        }
        strata_cursor_advance(&cursor);
    }
    assert_int_equal(direct, 2 * 5 * 3 * 4);
    assert_int_equal(waits, 2 * 5 * 3);
    strata_cursor_begin(&cursor, plan);
    for (int i = 0; i < direct + waits; i++) {
        ASSERT_CMP(cursor.at, <, plan->nsteps);
        strata_cursor_advance(&cursor);
    }
    assert_null(strata_cursor_step(&cursor));
    strata_plan_destroy(plan);
}

/* Shifts are reduced before their product can exceed 32 bits. */
static void test_large_shifts(void **state)
{
    (void)state;
    struct strata_builder b;
    begin(&b);
    int set = strata_build_set(&b, strata_box_item(7, 0));
    strata_build_direct(&b, set, INT32_MAX);
    struct strata_plan *plan = finish(&b);
    int64_t item = (int64_t)INT32_MAX * INT32_MAX % 7;
    struct strata_set shifted = strata_plan_set_of(plan, &plan->steps[0], INT32_MAX);
    assert_true(strata_set_contains(shifted, (int32_t)item));
    strata_plan_destroy(plan);
}

typedef void mistake(struct strata_builder *b);

static void unclosed(struct strata_builder *b)
{
    strata_build_repeat(b, 2);
}
static void overclosed(struct strata_builder *b)
{
    strata_build_end(b);
}
static void too_deep(struct strata_builder *b)
{
    for (int i = 0; i <= STRATA_REPEAT_DEPTH; i++) {
        strata_build_repeat(b, 2);
    }
}
static void no_times(struct strata_builder *b)
{
    strata_build_repeat(b, 0);
    strata_build_end(b);
}
static void nested_passes(struct strata_builder *b)
{
    strata_build_passes(b);
    strata_build_repeat(b, 2);
    strata_build_passes(b);
}
static void passes_after_a_repeat_inside(struct strata_builder *b)
{
    strata_build_passes(b);
    strata_build_repeat(b, 2);
    strata_build_end(b);
    strata_build_passes(b);
}
static void wrong_peer(struct strata_builder *b)
{
    strata_build_recv(b, 7, 0, strata_build_set(b, strata_box_all(3)), STRATA_WHOLE);
}
static void wrong_member(struct strata_builder *b)
{
    strata_build_copy_out(b, 2, 0, strata_build_set(b, strata_box_all(7)));
}
static void all_members_out(struct strata_builder *b)
{
    strata_build_copy_out(b, STRATA_ALL_MEMBERS, 0, strata_build_set(b, strata_box_all(7)));
}
static void wrong_lane(struct strata_builder *b)
{
    strata_build_index(b, 2);
}
static void wrong_space(struct strata_builder *b)
{
    strata_build_send(b, 0, 0, strata_build_set(b, strata_box_all(7)), STRATA_WHOLE);
}
static void no_set(struct strata_builder *b)
{
    strata_build_direct(b, 0, 1);
}
static void wrong_signal(struct strata_builder *b)
{
    strata_build_signal(b, (enum strata_signal)4);
}
static void negative_open(struct strata_builder *b)
{
    strata_build_wait(b, -1);
}
static void invalid_box(struct strata_builder *b)
{
    struct strata_box box = strata_box_all(7);
    box.limit = 8;
    strata_build_set(b, box);
}
static void two_spaces(struct strata_builder *b)
{
    struct strata_box boxes[] = {strata_box_all(7), strata_box_all(3)};
    strata_build_set_of(b, boxes, 2);
}
static void empty_set_of_ranks(struct strata_builder *b)
{
    strata_build_direct(b, strata_build_set_of(b, NULL, 0), 0);
}
static void fewer_than_no_boxes(struct strata_builder *b)
{
    strata_build_set_of(b, NULL, -1);
}
static void no_blocks(struct strata_builder *b)
{
    strata_build_blocks(b, (struct strata_blocks){.count = 0});
}
static void work_before_the_first(struct strata_builder *b)
{
    strata_build_blocks(b, (struct strata_blocks){.count = 7, .work = 3, .work_first = -1});
}
static void work_of_one_block_exposed(struct strata_builder *b)
{
    strata_build_blocks(
        b, (struct strata_blocks){
               .count = 7, .work = 7, .work_alike = true, .exposes = STRATA_EXPOSES_WORK});
}
static int one_block(struct strata_builder *b, enum strata_store store, int space)
{
    return strata_build_set(b, strata_box_in(store, strata_box_item(space, 0)));
}
static void blocks_of_no_store(struct strata_builder *b)
{
    strata_build_blocks(b, (struct strata_blocks){.count = 7});
    strata_build_send_blocks(b, 0, one_block(b, STRATA_WORK, 7), STRATA_AS_FITS);
}
static void blocks_shared_by_nobody(struct strata_builder *b)
{
    strata_build_blocks(b, (struct strata_blocks){.count = 7});
    strata_build_send_blocks(b, 0, one_block(b, STRATA_SHARED, 7), STRATA_AS_FITS);
}
static void landing_of_the_small_ring(struct strata_builder *b)
{
    strata_build_blocks(
        b, (struct strata_blocks){.count = 7, .ring = STRATA_SMALL_RING, .shared = true});
    int all = strata_build_set(b, strata_box_in(STRATA_SHARED, strata_box_all(7)));
    strata_build_recv_blocks(b, 0, all, STRATA_AS_FITS);
}
static void blocks_of_another_space(struct strata_builder *b)
{
    strata_build_blocks(b, (struct strata_blocks){.count = 7});
    strata_build_recv_blocks(b, 0, one_block(b, STRATA_OUTPUT, 3), STRATA_AS_FITS);
}
static void items_for_blocks(struct strata_builder *b)
{
    strata_build_blocks(b, (struct strata_blocks){.count = 7});
    strata_build_recv_blocks(b, 0, one_block(b, STRATA_ITEMS, 7), STRATA_AS_FITS);
}
static void two_copied_to_one(struct strata_builder *b)
{
    strata_build_blocks(b, (struct strata_blocks){.count = 7});
    int two = strata_build_set(b, strata_box_in(STRATA_INPUT, strata_box_range(7, 0, 2)));
    strata_build_copy(b, two, one_block(b, STRATA_OUTPUT, 7));
}
static void unknown_way(struct strata_builder *b)
{
    strata_build_blocks(b, (struct strata_blocks){.count = 7});
    strata_build_send_blocks(b, 0, one_block(b, STRATA_INPUT, 7), (enum strata_how)3);
}
static void unknown_part(struct strata_builder *b)
{
    strata_build_send(b, 0, 0, strata_build_set(b, strata_box_all(3)), STRATA_PACKED);
}
static void no_passes(struct strata_builder *b)
{
    strata_build_limits(b, (struct strata_limits){.passes = 0});
}
static void threshold_too_large(struct strata_builder *b)
{
    strata_build_limits(b, (struct strata_limits){.threshold = 31, .slice = 10, .passes = 3});
}
static void negative_lanes(struct strata_builder *b)
{
    strata_build_exchange(b, (struct strata_exchange){.lanes = -1});
}
static void long_label(struct strata_builder *b)
{
    strata_build_phase(b, "%0*d", STRATA_LABEL_SIZE, 0);
}
static void label_of_two_lines(struct strata_builder *b)
{
    strata_build_phase(b, "one\ntwo");
}
static void unknown_step(struct strata_builder *b)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_COUNT});
}

static void test_errors_stick(void **state)
{
    (void)state;
    mistake *const mistakes[] = {
        unclosed,
        overclosed,
        too_deep,
        no_times,
        nested_passes,
        wrong_peer,
        no_set,
        wrong_lane,
        unknown_part,
        wrong_space,
        all_members_out,
        wrong_signal,
        two_spaces,
        wrong_member,
        invalid_box,
        empty_set_of_ranks,
        fewer_than_no_boxes,
        no_blocks,
        work_before_the_first,
        work_of_one_block_exposed,
        blocks_of_no_store,
        blocks_shared_by_nobody,
        landing_of_the_small_ring,
        blocks_of_another_space,
        items_for_blocks,
        two_copied_to_one,
        unknown_way,
        negative_lanes,
        no_passes,
        long_label,
        unknown_step,
        threshold_too_large,
        negative_open,
        label_of_two_lines,
        passes_after_a_repeat_inside,
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct strata_builder b;
        struct strata_plan *plan = NULL;
        begin(&b);
        mistakes[i](&b);
        if (mistakes[i] != unclosed) { /* found when the plan is finished */
            assert_int_equal(b.error, STRATA_ERR_PLAN);
            const char *reason = b.reason;
            int nsteps = b.plan->nsteps;
            strata_build_native(&b);
            strata_build_phase(&b, "later");
            assert_int_equal(strata_build_set(&b, strata_box_all(3)), -1);
            strata_build_limits(&b, (struct strata_limits){.passes = 7});
            assert_int_equal(b.plan->nsteps, nsteps);
            assert_int_not_equal(b.plan->limits.passes, 7);
            assert_ptr_equal(b.reason, reason);
        }
        assert_int_equal(strata_builder_finish(&b, &plan), STRATA_ERR_PLAN);
        ASSERT_CMP(strlen(b.reason), >, 0);
        assert_null(plan);
    }
}

static void test_bad_beginnings(void **state)
{
    (void)state;
    char long_name[100];
    memset(long_name, 'x', sizeof long_name);
    long_name[96] = '\0';
    const struct {
        const char *name;
        int rank;
    } bad[] = {{"", 0}, {"two words", 0}, {"a#b", 0}, {long_name, 0}, {"a", -1}, {"a", 7}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct strata_builder b;
        struct strata_plan *plan = NULL;
        strata_builder_init(&b, STRATA_ALLTOALL, bad[i].name, bad[i].rank, topology);
        strata_build_native(&b);
        assert_int_equal(strata_builder_finish(&b, &plan), STRATA_ERR_PLAN);
        assert_null(plan);
    }
}

static void test_words(void **state)
{
    (void)state;
    assert_string_equal(strata_collective_name(STRATA_ALLTOALL), "alltoall");
    assert_string_equal(strata_collective_name(STRATA_COLLECTIVE_COUNT), "unknown");
    assert_string_equal(strata_step_word(STRATA_STEP_COPY_OUT), "copy_out");
    assert_string_equal(strata_step_word(STRATA_STEP_COUNT), "unknown");
    assert_string_equal(strata_error_text(STRATA_ERR_MEMORY), "out of memory");
    assert_string_equal(strata_error_text(-7), "unknown error");
    struct strata_diagnostic message;
    assert_int_equal(strata_fail(&message, STRATA_ERR_PLAN, "%d of %s", 3, "four"),
                     STRATA_ERR_PLAN);
    assert_string_equal(message.text, "3 of four");
    assert_int_equal(strata_fail(NULL, STRATA_ERR_PLAN, "nobody reads this"), STRATA_ERR_PLAN);
}

static void test_every_allocation_fails(void **state)
{
    (void)state;
    struct strata_plan *plan = NULL;
    int error = STRATA_ERR_MEMORY;
    int k = 1;
    for (; error != STRATA_OK && k < 100; k++) {
        strata_memory_fail_after(k);
        error = build_everything(&plan);
        strata_memory_fail_after(-1);
        assert_int_equal(error, plan ? STRATA_OK : STRATA_ERR_MEMORY);
    }
    assert_int_equal(error, STRATA_OK);
    ASSERT_CMP(k, >, 6); /* it did fail in several places first */
    strata_plan_destroy(plan);
}

static void test_memory(void **state)
{
    (void)state;
    unsigned char *zeroed = strata_allocate(100, 3);
    for (int i = 0; i < 300; i++) {
        assert_int_equal(zeroed[i], 0);
    }
    strata_release(zeroed);
    /* volatile, or the compiler warns of a product that is too large on purpose */
    volatile size_t huge = SIZE_MAX / 2;
    assert_null(strata_allocate(huge, 3));
    void *nothing = strata_allocate(0, 8);
    assert_non_null(nothing);
    assert_null(strata_reallocate(nothing, huge, 3));
    void *still_nothing = strata_reallocate(nothing, 0, 8);
    assert_non_null(still_nothing);
    strata_release(still_nothing);
    strata_release(NULL);
    strata_memory_fail_after(2);
    void *first = strata_allocate(1, 1);
    assert_non_null(first);
    assert_null(strata_allocate(1, 1));
    assert_null(strata_reallocate(first, 2, 1));
    strata_memory_fail_after(-1);
    strata_release(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_built),  cmocka_unit_test(test_cursor_unrolls),
        cmocka_unit_test(test_nested_repeats), cmocka_unit_test(test_large_shifts),
        cmocka_unit_test(test_errors_stick),   cmocka_unit_test(test_bad_beginnings),
        cmocka_unit_test(test_words),          cmocka_unit_test(test_every_allocation_fails),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
