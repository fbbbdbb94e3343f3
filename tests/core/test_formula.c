/* Counts from plans over blocks, made by hand, whose figures are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/cost/formula_cost.h"
#include "core/plan/builder.h"
#include "sim/trace/formula_count.h"
#include "tests/assert_cmp.h"

enum { MOST = 8 };

/* Appends the rank's steps. */
typedef void write_plan(struct strata_builder *b, int rank, int ranks);

struct call {
    struct strata_topology *topology;
    struct strata_plan *plans[MOST];
    int ranks;
};

static void make(struct call *call, enum strata_collective collective, int ranks, write_plan *write)
{
    struct strata_diagnostic message;
    call->ranks = ranks;
    assert_int_equal(strata_topology_parse("node:1", ranks, &call->topology, &message), STRATA_OK);
    for (int r = 0; r < ranks; r++) {
        struct strata_builder b;
        strata_builder_init(&b, collective, "by_hand", r, call->topology);
        write(&b, r, ranks);
        assert_int_equal(strata_builder_finish(&b, &call->plans[r]), STRATA_OK);
    }
}

static int count(const struct call *call, struct strata_formula *formula)
{
    return strata_formula_count((const struct strata_plan *const *)call->plans, call->ranks,
                                formula);
}

static void drop(struct call *call)
{
    for (int r = 0; r < call->ranks; r++) {
        strata_plan_destroy(call->plans[r]);
    }
    strata_topology_destroy(call->topology);
}

static void require(enum strata_collective collective, int ranks, write_plan *write,
                    struct strata_formula expected)
{
    struct call call;
    struct strata_formula found = {-1, -1, -1, -1, .copied = -1};
    make(&call, collective, ranks, write);
    assert_int_equal(count(&call, &found), STRATA_OK);
    if (found.rounds != expected.rounds || found.messages != expected.messages ||
        found.blocks != expected.blocks || found.reduced != expected.reduced ||
        found.copied != expected.copied) {
        fail_msg("found %g rounds, %g messages, %g blocks, %g reduced, %g copied", found.rounds,
                 found.messages, found.blocks, found.reduced, found.copied);
    }
    drop(&call);
}

static void refuse(enum strata_collective collective, int ranks, write_plan *write)
{
    struct call call;
    struct strata_formula found = {.rounds = -1};
    make(&call, collective, ranks, write);
    assert_int_equal(count(&call, &found), STRATA_ERR_PLAN);
    ASSERT_CMP(found.rounds, ==, -1);
    drop(&call);
}

static int blocks(struct strata_builder *b, enum strata_store store, int first, int number)
{
    int count = b->plan->blocks.count;
    return strata_build_set(b, strata_box_in(store, strata_box_range(count, first, number)));
}

static int output(struct strata_builder *b, int block)
{
    return blocks(b, STRATA_OUTPUT, block, 1);
}

static void ring(struct strata_builder *b, int rank, int ranks)
{
    strata_build_blocks(b, (struct strata_blocks){.count = ranks});
    strata_build_copy(b, blocks(b, STRATA_INPUT, rank, 1), output(b, rank));
    for (int i = 1; i < ranks; i++) {
        strata_build_recv_blocks(b, (rank + ranks - 1) % ranks,
                                 output(b, (rank + ranks - i) % ranks), STRATA_AS_FITS);
        strata_build_send_blocks(b, (rank + 1) % ranks, output(b, (rank + ranks - i + 1) % ranks),
                                 STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
}

/* Passes the segments of a vector on from rank to rank in `segments` messages, one a stage. */
static void pass_segments(struct strata_builder *b, int rank, int ranks, int segments)
{
    strata_build_blocks(b, (struct strata_blocks){.count = segments});
    for (int s = 0; s <= segments; s++) {
        if (rank > 0 && s < segments) {
            strata_build_recv_blocks(b, rank - 1, output(b, s), STRATA_AS_FITS);
        }
        if (rank < ranks - 1 && s > 0) {
            strata_build_send_blocks(b, rank + 1, output(b, s - 1), STRATA_AS_FITS);
        }
        strata_build_wait(b, 0);
    }
}

static void pipeline(struct strata_builder *b, int rank, int ranks)
{
    pass_segments(b, rank, ranks, 4);
}

/* Sends all vectors to rank 0, which receives them in one stage and combines them in turn. */
static void star(struct strata_builder *b, int rank, int ranks)
{
    strata_build_blocks(b, (struct strata_blocks){.count = 1, .work = ranks});
    for (int r = 1; r < ranks && rank == 0; r++) {
        int set = strata_build_set(b, strata_box_in(STRATA_WORK, strata_box_item(ranks, r)));
        strata_build_recv_blocks(b, r, set, STRATA_AS_FITS);
    }
    if (rank > 0) {
        strata_build_send_blocks(b, 0, blocks(b, STRATA_INPUT, 0, 1), STRATA_AS_FITS);
    } else {
        strata_build_copy(b, blocks(b, STRATA_INPUT, 0, 1), output(b, 0));
    }
    strata_build_wait(b, 0);
    for (int r = 1; r < ranks && rank == 0; r++) {
        int set = strata_build_set(b, strata_box_in(STRATA_WORK, strata_box_item(ranks, r)));
        strata_build_reduce(b, set, output(b, 0));
    }
}

static void nothing(struct strata_builder *b, int rank, int ranks)
{
    (void)rank;
    strata_build_blocks(b, (struct strata_blocks){.count = ranks});
    strata_build_wait(b, 0);
}

/* Each rank posts its receive first, but the sender posts only after this rank's own message has
 * arrived. */
static void there_and_back(struct strata_builder *b, int rank, int ranks)
{
    strata_build_blocks(b, (struct strata_blocks){.count = ranks});
    int none = strata_build_set_of(b, NULL, 0);
    if (rank == 0) {
        strata_build_recv_blocks(b, 1, none, STRATA_AS_FITS);
        strata_build_send_blocks(b, 1, none, STRATA_AS_FITS);
        strata_build_wait(b, 0);
    } else {
        strata_build_recv_blocks(b, 0, none, STRATA_AS_FITS);
        strata_build_wait(b, 0);
        strata_build_send_blocks(b, 0, none, STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
}

/* Sends one message after another, with at most two open: a wait completes the oldest. */
static void window(struct strata_builder *b, int rank, int ranks)
{
    strata_build_blocks(b, (struct strata_blocks){.count = ranks});
    for (int i = 1; i < ranks; i++) {
        strata_build_recv_blocks(b, (rank + ranks - i) % ranks,
                                 blocks(b, STRATA_OUTPUT, (rank + ranks - i) % ranks, 1),
                                 STRATA_AS_FITS);
        strata_build_send_blocks(b, (rank + i) % ranks,
                                 blocks(b, STRATA_INPUT, (rank + i) % ranks, 1), STRATA_AS_FITS);
        strata_build_wait(b, 4);
    }
    strata_build_wait(b, 0);
}

static void members_tell_each_other(struct strata_builder *b, int rank, int ranks)
{
    strata_build_blocks(b, (struct strata_blocks){.count = ranks, .shared = true});
    int none = strata_build_set_of(b, NULL, 0);
    if (rank == 0) {
        strata_build_send_blocks(b, 0, none, STRATA_AS_FITS);
        strata_build_recv_blocks(b, 0, none, STRATA_AS_FITS);
        strata_build_wait(b, 0);
        strata_build_signal(b, STRATA_SIGNAL_DONE);
    } else {
        strata_build_await(b, 0, STRATA_SIGNAL_ARRIVED);
        strata_build_send_blocks(b, rank, none, STRATA_AS_FITS);
        strata_build_recv_blocks(b, rank, none, STRATA_AS_FITS);
        strata_build_wait(b, 0);
    }
}

static void test_figures(void **state)
{
    (void)state;
    require(STRATA_ALLGATHER, 5, ring, (struct strata_formula){4, 4, 4, 0, .copied = 1});
    require(STRATA_ALLGATHER, 1, ring, (struct strata_formula){0, 0, 0, 0, .copied = 1});
    /* segment s leaves rank r in stage r + s + 1 */
    require(STRATA_BCAST, 5, pipeline, (struct strata_formula){7, 4, 1, .copied = 0});
    require(STRATA_REDUCE, 6, star, (struct strata_formula){1, 1, 1, 5, .copied = 1});
    require(STRATA_BARRIER, 3, nothing, (struct strata_formula){0, 0, 0, .copied = 0});
    require(STRATA_BARRIER, 2, there_and_back, (struct strata_formula){2, 1, 0, .copied = 0});
    require(STRATA_ALLTOALL, 6, window, (struct strata_formula){4, 5, 5, .copied = 0});
    require(STRATA_BARRIER, 3, members_tell_each_other,
            (struct strata_formula){2, 1, 0, .copied = 0});
}

static void nobody_sends(struct strata_builder *b, int rank, int ranks)
{
    strata_build_blocks(b, (struct strata_blocks){.count = ranks});
    strata_build_recv_blocks(b, (rank + 1) % ranks, strata_build_set_of(b, NULL, 0),
                             STRATA_AS_FITS);
    strata_build_wait(b, 0);
}

static void nobody_receives(struct strata_builder *b, int rank, int ranks)
{
    strata_build_blocks(b, (struct strata_blocks){.count = ranks});
    strata_build_send_blocks(b, (rank + 1) % ranks, strata_build_set_of(b, NULL, 0),
                             STRATA_AS_FITS);
    strata_build_wait(b, 0);
}

static void nobody_waits(struct strata_builder *b, int rank, int ranks)
{
    strata_build_blocks(b, (struct strata_blocks){.count = ranks});
    int none = strata_build_set_of(b, NULL, 0);
    strata_build_recv_blocks(b, (rank + 1) % ranks, none, STRATA_AS_FITS);
    strata_build_send_blocks(b, (rank + ranks - 1) % ranks, none, STRATA_AS_FITS);
}

/* Each rank waits for the other before it sends. */
static void deadlock(struct strata_builder *b, int rank, int ranks)
{
    nobody_sends(b, rank, ranks);
    strata_build_send_blocks(b, (rank + ranks - 1) % ranks, strata_build_set_of(b, NULL, 0),
                             STRATA_AS_FITS);
    strata_build_wait(b, 0);
}

static void over_items(struct strata_builder *b, int rank, int ranks)
{
    (void)rank;
    strata_build_direct(b, strata_build_set(b, strata_box_all(ranks)), 0);
    strata_build_wait_direct(b, 0);
}

static void test_plans_that_do_not_fit(void **state)
{
    (void)state;
    refuse(STRATA_BARRIER, 3, nobody_sends);
    refuse(STRATA_BARRIER, 3, nobody_receives);
    refuse(STRATA_BARRIER, 3, nobody_waits);
    refuse(STRATA_BARRIER, 3, deadlock);
    refuse(STRATA_ALLTOALL, 3, over_items);
}

static void test_every_allocation_fails(void **state)
{
    (void)state;
    struct call call;
    struct strata_formula found;
    int status = STRATA_ERR_MEMORY, k = 0;
    make(&call, STRATA_ALLGATHER, MOST, ring);
    while (status != STRATA_OK && k < 100) {
        strata_memory_fail_after(++k);
        status = count(&call, &found);
        strata_memory_fail_after(-1);
        assert_true(status == STRATA_OK || status == STRATA_ERR_MEMORY);
    }
    assert_int_equal(status, STRATA_OK);
    ASSERT_CMP(k, >, 5);
    drop(&call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_plans_that_do_not_fit),
        cmocka_unit_test(test_every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
