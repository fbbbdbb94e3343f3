/* Swing's blocks and the sets of Bine butterflies against their definitions, step by step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "internode/butterfly/bine_halves.h"
#include "internode/butterfly/swing_blocks.h"
#include "tests/assert_cmp.h"

enum { MOST = 512 };

/* The value modulo the ranks, in 0 .. ranks-1. */
static int turn(int64_t value, int ranks)
{
    return (int)((value % ranks + ranks) % ranks);
}

static int displacement(int ranks, int rank, int64_t block)
{
    return turn(rank % 2 ? rank - block : block - rank, ranks);
}

/* rho by its definition, a sum. */
static void test_distances(void **state)
{
    (void)state;
    int64_t sum = 0, power = 1;
    for (int step = 0; step < 31; step++, power *= -2) {
        sum += power;
        assert_int_equal(strata_swing_reach(step), sum);
    }
    assert_int_equal(strata_swing_steps(1), 0);
    assert_int_equal(strata_swing_steps(2), 1);
    assert_int_equal(strata_swing_steps(3), 2);
    assert_int_equal(strata_swing_steps(1024), 10);
    assert_int_equal(strata_swing_steps(1025), 11);
}

/* The step in which each displacement travels. In an allgather, from the last step down, a rank
 * takes the blocks that its partner has and it lacks. */
static void spread(int ranks, int *step_of)
{
    int held[MOST] = {0};
    for (int step = strata_swing_steps(ranks); step-- > 0;) {
        int fresh[MOST], count = 0;
        for (int i = 0; i < ranks; i++) {
            int there = turn(strata_swing_reach(step) - i, ranks);
            if (!held[i] && i && (there == 0 || held[there])) {
                fresh[count++] = i;
            }
        }
        ASSERT_CMP(count, >, 0);
        while (count-- > 0) {
            held[fresh[count]] = 1;
            step_of[fresh[count]] = step;
        }
    }
    for (int i = 1; i < ranks; i++) {
        assert_true(held[i]);
    }
    step_of[0] = -1;
}

static void require_sent(int ranks, int rank, int step, const int *step_of)
{
    struct strata_comb sent[2];
    int expected = 0, count = 0;
    char seen[MOST] = {0};
    strata_swing_sent(ranks, rank, step, sent);
    for (int i = 1; i < ranks; i++) {
        expected += step_of[i] == step;
    }
    for (int i = 0; i < 2; i++) {
        for (int64_t k = 0; k < sent[i].count; k++, count++) {
            int block = turn(sent[i].first + k * sent[i].stride, ranks);
            assert_int_equal(step_of[displacement(ranks, rank, block)], step);
            assert_false(seen[block]++);
        }
    }
    assert_int_equal(count, expected);
}

static void require_left(int ranks, int rank, const int *step_of)
{
    struct strata_comb left[4];
    int expected = 0, count = 0;
    strata_swing_left(ranks, rank, left);
    for (int i = 0; i < ranks; i++) {
        expected += step_of[i] != 0 && step_of[turn(1 - i, ranks)] != 0;
    }
    for (int i = 0; i < 4; i++) {
        for (int64_t k = 0; k < left[i].count; k++, count++) {
            int block = turn(left[i].first + k * left[i].stride, ranks);
            int here = displacement(ranks, rank, block);
            ASSERT_CMP(step_of[here], !=, 0);
            ASSERT_CMP(step_of[turn(1 - here, ranks)], !=, 0);
        }
    }
    assert_int_equal(count, expected);
    assert_int_equal(count, strata_swing_left_count(ranks));
}

static void test_blocks(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= MOST; ranks += 2) {
        int step_of[MOST], steps = strata_swing_steps(ranks), returns = 0;
        spread(ranks, step_of);
        for (int step = 0; step < steps; step++) {
            returns += step_of[turn(strata_swing_reach(step), ranks)] == step;
        }
        assert_int_equal(strata_swing_returns(ranks), returns);
        for (int rank = 0; rank<ranks; rank += ranks> 40 ? ranks / 3 : 1) {
            for (int step = 0; step < steps; step++) {
                int partner = strata_swing_partner(ranks, rank, step);
                assert_int_equal(strata_swing_partner(ranks, partner, step), rank);
                require_sent(ranks, rank, step, step_of);
            }
            require_left(ranks, rank, step_of);
        }
    }
}

/* Each place of a store gets the block that belongs there, in the order of the comb. */
static void test_places(void **state)
{
    (void)state;
    const struct strata_comb comb = {5, 5, 4};
    static const int blocks[] = {5, 9, 3, 7, 1}; /* modulo 10 */
    for (int first = 0; first < 11; first++) {
        struct strata_swing_location place = {STRATA_WORK, 30, 11, 12, first};
        struct strata_box_list list = {0};
        struct strata_set_iterator it;
        struct strata_run run;
        int n = 0;
        strata_swing_location_comb(&list, &place, 10, comb);
        for (strata_set_begin(&it, (struct strata_set){list.box, list.count, 0});
             strata_set_next(&it, &run);) {
            assert_int_equal(run.store, STRATA_WORK);
            for (int k = 0; k < run.count; k++, n++) {
                assert_int_equal(run.first + k, 12 + turn(blocks[n] - first, 11));
            }
        }
        assert_int_equal(n, 5);
    }
}

/* Positions number the ranks so that partners of step s share only the first s bits. */
static void test_positions(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 4096; ranks *= 2) {
        for (int rank = 0; rank < ranks; rank++) {
            int position = strata_bine_position(ranks, rank);
            ASSERT_IN_RANGE(position, 0, ranks - 1);
            assert_int_equal(strata_bine_rank_at(ranks, position), rank);
            for (int step = 0, width = ranks / 2; width > 0; step++, width /= 2) {
                int partner = strata_swing_partner(ranks, rank, step);
                int differ = position ^ strata_bine_position(ranks, partner);
                ASSERT_CMP(differ, >=, width);
                ASSERT_CMP(differ, <, 2 * width);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
