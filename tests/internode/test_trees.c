/* Properties of trees, pipelines and exchanges by bits: figures computed by hand, small memory, few
 * steps in their plans, and costs of whole paths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/cost/algorithm_cost.h"
#include "internode/algorithms.h"
#include "tests/assert_cmp.h"

struct instance {
    struct strata_topology *flat;
    struct strata_problem problem;
};

static struct instance instance_of(enum strata_collective collective, int ranks)
{
    struct instance x = {.problem = {.collective = collective, .commutative = true}};
    assert_int_equal(strata_topology_flat(ranks, &x.flat), STRATA_OK);
    x.problem.topology = x.problem.flat = x.flat;
    return x;
}

static struct strata_plan *plan_of(const struct strata_algorithm *algorithm, struct instance *x,
                                   int rank)
{
    struct strata_plan *plan = NULL;
    struct strata_diagnostic message;
    x->problem.rank = rank;
    if (strata_algorithm_plan(algorithm, &x->problem, &plan, &message) != STRATA_OK) {
        fail_msg("%s", message.text);
    }
    return plan;
}

/* Figures of the papers. Another test compares formulas and plans for every number of ranks. */
static const struct figure {
    const struct strata_algorithm *algorithm;
    enum strata_collective collective;
    int ranks, root, parameter;
    bool ordered;
    double rounds, messages, blocks, reduced, copied;
} figures[] = {
    {&strata_binomial, STRATA_BCAST, 13, 0, 0, false, 4, 4, 4, 0, 0},
    {&strata_binomial, STRATA_GATHER, 13, 7, 0, false, 4, 1, 5, 0, 1},
    {&strata_binomial, STRATA_GATHERV, 16, 7, 0, false, 4, 1, 8, 0, 1},
    {&strata_binomial, STRATA_SCATTER, 13, 7, 0, false, 4, 4, 12, 0, 1},
    {&strata_binomial, STRATA_REDUCE, 13, 5, 0, false, 4, 1, 1, 4, 0},
    {&strata_binomial, STRATA_REDUCE, 13, 5, 0, true, 5, 1, 1, 4, 0},
    {&strata_binomial, STRATA_REDUCE, 13, 0, 0, true, 4, 1, 1, 4, 0},
    {&strata_knomial, STRATA_BCAST, 13, 0, 3, false, 3, 5, 5, 0, 0},
    {&strata_knomial, STRATA_SCATTERV, 13, 0, 4, false, 2, 6, 12, 0, 1},
    {&strata_linear_rooted, STRATA_SCATTER, 13, 2, 5, false, 3, 12, 12, 0, 1},
    {&strata_linear_rooted, STRATA_GATHER, 13, 2, 64, false, 1, 1, 1, 0, 1},
    {&strata_pipeline, STRATA_BCAST, 13, 5, 8, false, 19, 8, 1, 0, 0},
    {&strata_pipeline, STRATA_REDUCE, 13, 5, 8, false, 19, 8, 1, 1, 0},
    {&strata_pipeline, STRATA_REDUCE, 13, 5, 8, true, 14, 8, 1, 2, 1},
    {&strata_recursive_doubling, STRATA_ALLGATHER, 16, 0, 0, false, 4, 4, 15, 0, 1},
    {&strata_recursive_doubling, STRATA_ALLREDUCE, 16, 0, 0, false, 4, 4, 4, 4, 0},
    {&strata_recursive_doubling, STRATA_ALLREDUCE, 13, 0, 0, false, 5, 4, 4, 4, 0},
    {&strata_recursive_doubling, STRATA_ALLREDUCE, 13, 0, 0, true, 5, 4, 4, 4, 1},
    {&strata_recursive_halving, STRATA_REDUCE_SCATTER, 16, 0, 0, false, 4, 4, 15, 15, 0},
    {&strata_recursive_halving, STRATA_REDUCE_SCATTER, 13, 0, 0, false, 5, 4, 13, 27, 1},
    {&strata_recursive_halving, STRATA_REDUCE_SCATTER_BLOCK, 16, 0, 0, true, 4, 4, 15, 15, 9},
    {&strata_rabenseifner, STRATA_ALLREDUCE, 16, 0, 0, false, 8, 8, 1.875, 0.9375, 0},
    {&strata_rabenseifner, STRATA_ALLREDUCE, 13, 0, 0, false, 8, 7, 2.75, 1.875, 0},
    {&strata_rabenseifner, STRATA_REDUCE, 16, 3, 0, true, 8, 5, 1.4375, 0.9375, 0.5},
    {&strata_doubling_scan, STRATA_SCAN, 13, 0, 0, true, 4, 4, 4, 4, 1},
    {&strata_doubling_scan, STRATA_EXSCAN, 13, 0, 0, true, 4, 4, 4, 5, 1},
    {&strata_fold_shares, STRATA_REDUCE_SCATTER, 13, 0, 0, false, 1, 12, 12, 12, 2},
    {&strata_fold_shares, STRATA_SCAN, 16, 0, 0, false, 2, 30, 1.875, 0.9375, 0.125},
    {&strata_fold_vectors, STRATA_ALLREDUCE, 13, 0, 0, false, 4, 4, 12, 12, 2},
    {&strata_fold_vectors, STRATA_SCAN, 9, 0, 0, false, 4, 4, 7, 8, 2},
    {&strata_dissemination, STRATA_BARRIER, 13, 0, 2, false, 4, 4, 0, 0, 0},
    {&strata_dissemination, STRATA_BARRIER, 13, 0, 4, false, 2, 6, 0, 0, 0},
};

static void test_figures(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        const struct figure *f = &figures[i];
        struct instance x = instance_of(f->collective, f->ranks);
        x.problem.root = f->root;
        x.problem.commutative = !f->ordered;
        x.problem.parameter[0] = f->parameter;
        struct strata_formula is = f->algorithm->formula(&x.problem);
        if (is.rounds != f->rounds || is.messages != f->messages || is.blocks != f->blocks ||
            is.reduced != f->reduced || is.copied != f->copied) {
            fail_msg("%s of %d by %s: %g rounds, %g messages, %g blocks, %g reduced, %g copied",
                     strata_collective_name(f->collective), f->ranks, f->algorithm->name, is.rounds,
                     is.messages, is.blocks, is.reduced, is.copied);
        }
        strata_topology_destroy(x.flat);
    }
}

/* The blocks of the one message with rank's parent: the last send of a gather, the first receive of
 * a scatter. */
static int64_t with_parent(const struct strata_plan *plan)
{
    bool gather = plan->collective == STRATA_GATHER;
    enum strata_op op = gather ? STRATA_STEP_SEND_BLOCKS : STRATA_STEP_RECV_BLOCKS;
    struct strata_cursor cursor;
    const struct strata_step *step;
    int64_t blocks = 0;
    for (strata_cursor_begin(&cursor, plan); (step = strata_cursor_step(&cursor));
         strata_cursor_advance(&cursor)) {
        if (step->op == op) {
            assert_int_equal(blocks, 0);
            blocks = strata_set_count(strata_cursor_set(&cursor));
        }
    }
    return blocks;
}

/* A rank holds the data that it forwards; the root and the leaves hold none. */
static void require_parts(struct instance *x, int radix)
{
    int ranks = x->flat->ranks;
    int64_t held = 0;
    x->problem.parameter[0] = radix;
    for (int rank = 0; rank < ranks; rank++) {
        struct strata_plan *plan = plan_of(&strata_knomial, x, rank);
        int64_t blocks = rank == x->problem.root ? 0 : with_parent(plan);
        assert_true(rank == x->problem.root || blocks > 0);
        assert_int_equal(plan->blocks.work, blocks > 1 ? blocks : 0);
        assert_true(blocks <= 1 || plan->blocks.work_first == rank);
        held += blocks;
        strata_plan_destroy(plan);
    }
    /* Each block is passed on once for each digit of its rank's number that is not 0. */
    int64_t digits = 0;
    for (int number = 0; number < ranks; number++) {
        for (int left = number; left > 0; left /= radix) {
            digits += left % radix != 0;
        }
    }
    assert_int_equal(held, digits);
}

static void test_parts_of_trees(void **state)
{
    (void)state;
    for (int ranks = 1; ranks < 300; ranks += ranks < 40 ? 1 : 61) {
        for (int radix = 2; radix < 7; radix++) {
            struct instance gather = instance_of(STRATA_GATHER, ranks);
            struct instance scatter = instance_of(STRATA_SCATTER, ranks);
            gather.problem.root = ranks / 3;
            scatter.problem.root = ranks - 1;
            require_parts(&gather, radix);
            require_parts(&scatter, radix);
            strata_topology_destroy(gather.flat);
            strata_topology_destroy(scatter.flat);
        }
    }
}

/* Every block of the work store is received into, so none is unused. */
static void require_places(const struct strata_plan *plan)
{
    bool used[64] = {false};
    struct strata_cursor cursor;
    const struct strata_step *step;
    ASSERT_CMP(plan->blocks.work, <=, 64);
    for (strata_cursor_begin(&cursor, plan); (step = strata_cursor_step(&cursor));
         strata_cursor_advance(&cursor)) {
        struct strata_set_iterator it;
        struct strata_run run;
        strata_set_begin(&it, strata_cursor_set(&cursor));
        if (step->op == STRATA_STEP_RECV_BLOCKS && strata_set_next(&it, &run) &&
            run.store == STRATA_WORK) {
            used[run.first] = true;
        }
    }
    for (int i = 0; i < plan->blocks.work; i++) {
        assert_true(used[i]);
    }
}

static void test_places_of_reductions(void **state)
{
    (void)state;
    for (int ranks = 1; ranks < 70; ranks++) {
        struct instance x = instance_of(STRATA_REDUCE, ranks);
        for (int radix = 2; radix < 9; radix++) {
            x.problem.parameter[0] = radix;
            x.problem.commutative = radix % 2;
            x.problem.root = ranks / 2;
            for (int rank = 0; rank < ranks; rank++) {
                struct strata_plan *plan = plan_of(&strata_knomial, &x, rank);
                ASSERT_CMP(plan->blocks.work, <=, radix);
                require_places(plan);
                strata_plan_destroy(plan);
            }
        }
        strata_topology_destroy(x.flat);
    }
}

/* From four ranks on a commuting operator needs no copy of the input, not even in place. */
static void test_input_is_not_saved(void **state)
{
    (void)state;
    const struct strata_algorithm *algorithms[] = {&strata_recursive_doubling,
                                                   &strata_rabenseifner};
    for (int ranks = 1; ranks < 40; ranks++) {
        struct instance x = instance_of(STRATA_ALLREDUCE, ranks);
        for (int i = 0; i < 2; i++) {
            struct strata_plan *plan = plan_of(algorithms[i], &x, ranks - 1);
            assert_int_equal(plan->blocks.keeps_input, ranks == 2 || ranks == 3);
            strata_plan_destroy(plan);
        }
        strata_topology_destroy(x.flat);
    }
}

static void test_steps_of_pipelines(void **state)
{
    (void)state;
    static const enum strata_collective collectives[] = {STRATA_BCAST, STRATA_REDUCE};
    for (int i = 0; i < 4; i++) {
        struct instance x = instance_of(collectives[i / 2], 9);
        x.problem.commutative = i % 2;
        x.problem.root = 4;
        for (int rank = 0; rank < 9; rank++) {
            x.problem.parameter[0] = 2;
            struct strata_plan *few = plan_of(&strata_pipeline, &x, rank);
            x.problem.parameter[0] = 5000;
            struct strata_plan *many = plan_of(&strata_pipeline, &x, rank);
            assert_int_equal(few->nsteps, many->nsteps);
            ASSERT_CMP(few->nsteps, <, 20);
            strata_plan_destroy(few);
            strata_plan_destroy(many);
        }
        strata_topology_destroy(x.flat);
    }
}

static struct strata_cost cost(const struct strata_algorithm *algorithm,
                               enum strata_collective collective, int ranks, int parameter)
{
    static const struct strata_machine machine = {
        .alpha = 1e-6, .beta = 1e-9, .reduce = 1e-10, .ports = 1};
    struct instance x = instance_of(collective, ranks);
    x.problem.parameter[0] = parameter;
    x.problem.block_bytes = 1000;
    struct strata_cost cost = strata_algorithm_cost(algorithm, &x.problem, &machine);
    strata_topology_destroy(x.flat);
    return cost;
}

static void require_times(struct strata_cost cost, double start, double wire, double reduce)
{
    double difference[] = {cost.time_start / start - 1, cost.time_wire / wire - 1,
                           reduce > 0 ? cost.time_reduce / reduce - 1 : cost.time_reduce};
    for (int i = 0; i < 3; i++) {
        ASSERT_CMP(difference[i], <, 1e-9);
        ASSERT_CMP(difference[i], >, -1e-9);
    }
}

/* A kilobyte takes 1 us to start, 1 us on the wire, and 0.1 us to combine. All messages that a rank
 * sends down a tree arrive at once: the root's 4 vectors, or 15 blocks; then 3, 2 and 1, or 7, 3
 * and 1. */
static void test_costs(void **state)
{
    (void)state;
    const double us = 1e-6;
    require_times(cost(&strata_binomial, STRATA_BCAST, 16, 0), 4 * us, 10 * us, 0);
    require_times(cost(&strata_binomial, STRATA_REDUCE, 16, 0), 4 * us, 4 * us, 0.4 * us);
    require_times(cost(&strata_binomial, STRATA_GATHER, 16, 0), 4 * us, 15 * us, 0);
    require_times(cost(&strata_binomial, STRATA_SCATTER, 16, 0), 4 * us, 26 * us, 0);
    require_times(cost(&strata_linear_rooted, STRATA_GATHER, 16, 5), 15 * us, 15 * us, 0);
    require_times(cost(&strata_pipeline, STRATA_BCAST, 16, 10), 24 * us, 2.4 * us, 0);
    require_times(cost(&strata_pipeline, STRATA_REDUCE, 16, 10), 24 * us, 2.4 * us, 0.24 * us);
    require_times(cost(&strata_recursive_doubling, STRATA_ALLREDUCE, 17, 0), 6 * us, 6 * us,
                  0.5 * us);
    require_times(cost(&strata_recursive_halving, STRATA_REDUCE_SCATTER, 17, 0), 6 * us, 33 * us,
                  3.6 * us);
    require_times(cost(&strata_rabenseifner, STRATA_ALLREDUCE, 17, 0), 10 * us, 3.875 * us,
                  0.19375 * us);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_parts_of_trees),
        cmocka_unit_test(test_places_of_reductions),
        cmocka_unit_test(test_input_is_not_saved),
        cmocka_unit_test(test_steps_of_pipelines),
        cmocka_unit_test(test_costs),
    };
    return cmocka_run_group_tests_name("trees", tests, NULL, NULL);
}
