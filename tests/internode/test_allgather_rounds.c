/* Properties of single allgathers: Sparbit's messages of each rank and round, the few messages
 * between nodes of the locality-aware Bruck, and the short plans that repeats give. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "internode/algorithms.h"
#include "tests/assert_cmp.h"

struct instance {
    struct strata_topology *topology, *flat;
    struct strata_problem problem;
};

static void instance_init(struct instance *x, const char *topology, int ranks)
{
    *x = (struct instance){.problem = {.collective = STRATA_ALLGATHER}};
    assert_int_equal(strata_topology_parse(topology, ranks, &x->topology, NULL), STRATA_OK);
    assert_int_equal(strata_topology_flat(ranks, &x->flat), STRATA_OK);
    x->problem.topology = x->topology;
    x->problem.flat = x->flat;
}

static void instance_fini(struct instance *x)
{
    strata_topology_destroy(x->topology);
    strata_topology_destroy(x->flat);
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

static const struct strata_step *next_of(struct strata_cursor *cursor, enum strata_op op)
{
    const struct strata_step *step;
    while ((step = strata_cursor_step(cursor)) && step->op != op) {
        strata_cursor_advance(cursor);
    }
    return step;
}

/* Compares the plan of `rank` with Sparbit, algorithm 1 of the paper, in the paper's names. */
static void require_sparbit(struct instance *x, int rank)
{
    unsigned p = (unsigned)x->flat->ranks, data = 1, ignore = 0, steps = 0, last_ignore = 0;
    while (1u << steps < p) {
        steps++;
    }
    while (!(p >> last_ignore & 1)) {
        last_ignore++;
    }
    unsigned ignore_steps = (~(p >> last_ignore) | 1) << last_ignore;
    struct strata_plan *plan = plan_of(&strata_sparbit, x, rank);
    struct strata_cursor cursor;
    strata_cursor_begin(&cursor, plan);
    for (unsigned i = 0, d = p > 1 ? 1u << (steps - 1) : 0; i < steps; i++, d >>= 1) {
        ignore = d & ignore_steps ? 1 : 0;
        for (unsigned j = 0; j < data - ignore; j++) {
            const struct strata_step *step = next_of(&cursor, STRATA_STEP_SEND_BLOCKS);
            assert_non_null(step);
            unsigned block = ((unsigned)rank + p * (2 * j * d / p + 1) - 2 * j * d) % p;
            assert_int_equal(step->peer, ((unsigned)rank + d) % p);
            assert_int_equal(strata_set_count(strata_cursor_set(&cursor)), 1);
            assert_true(strata_set_contains(strata_cursor_set(&cursor), (int32_t)block));
            strata_cursor_advance(&cursor);
        }
        data = (data << 1) - ignore;
    }
    assert_null(next_of(&cursor, STRATA_STEP_SEND_BLOCKS));
    assert_int_equal(data, p);
    strata_plan_destroy(plan);
}

static void test_sparbit_follows_the_paper(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 96; ranks++) {
        struct instance x;
        instance_init(&x, "node:1", ranks);
        x.problem.parameter[0] = 1; /* apart */
        for (int rank = 0; rank < ranks; rank++) {
            require_sparbit(&x, rank);
        }
        instance_fini(&x);
    }
}

/* Prints a line for each round: the distance, and the blocks counted backwards. Five ranks are
 * figure 3. */
static void require_pattern(int ranks, int together, const char *expected)
{
    char text[256] = "";
    struct instance x;
    instance_init(&x, "node:1", ranks);
    x.problem.parameter[0] = 1 + together;
    for (int rank = 0; rank < ranks; rank++) {
        size_t used = 0;
        struct strata_plan *plan = plan_of(&strata_sparbit, &x, rank);
        struct strata_cursor cursor;
        const struct strata_step *step;
        for (strata_cursor_begin(&cursor, plan); (step = next_of(&cursor, STRATA_STEP_SEND_BLOCKS));
             strata_cursor_advance(&cursor)) {
            int distance = (step->peer - rank + ranks) % ranks;
            struct strata_set_iterator it;
            struct strata_run run;
            used += (size_t)sprintf(text + used, "%d:", distance);
            for (strata_set_begin(&it, strata_cursor_set(&cursor)); strata_set_next(&it, &run);) {
                assert_int_equal(run.count, 1);
                used += (size_t)sprintf(text + used, "%d ", (rank - run.first + ranks) % ranks);
            }
        }
        assert_string_equal(text, expected);
        strata_plan_destroy(plan);
    }
    instance_fini(&x);
}

static void test_sparbit_patterns(void **state)
{
    (void)state;
    require_pattern(5, 0, "4:0 2:0 1:0 1:2 ");
    require_pattern(8, 0, "4:0 2:0 2:4 1:0 1:2 1:4 1:6 ");
    require_pattern(5, 1, "4:0 2:0 1:2 0 ");
    require_pattern(8, 1, "4:0 2:4 0 1:6 4 2 0 ");
}

/* Messages and blocks that ranks send to other nodes. */
struct traffic {
    int messages; /* of the busiest rank */
    int64_t blocks;
};

static struct traffic between_nodes(const struct strata_algorithm *algorithm, struct instance *x)
{
    struct traffic all = {0, 0};
    for (int rank = 0; rank < x->flat->ranks; rank++) {
        int messages = 0;
        struct strata_plan *plan = plan_of(algorithm, x, rank);
        struct strata_cursor cursor;
        const struct strata_step *step;
        for (strata_cursor_begin(&cursor, plan); (step = next_of(&cursor, STRATA_STEP_SEND_BLOCKS));
             strata_cursor_advance(&cursor)) {
            if (x->topology->node_of[step->peer] != x->topology->node_of[rank]) {
                messages++;
                all.blocks += strata_set_count(strata_cursor_set(&cursor));
            }
        }
        all.messages = messages > all.messages ? messages : all.messages;
        strata_plan_destroy(plan);
    }
    return all;
}

static void test_locality_bruck_between_nodes(void **state)
{
    (void)state;
    static const struct {
        const char *topology;
        int ranks, messages, of_bruck;
    } cases[] = {
        {"node:4", 16, 1, 4},        {"node:16", 64, 2, 6},       {"node:16", 48, 3, 6},
        {"node:8", 16, 3, 4},        {"node:5", 40, 1, 6},        {"node:9", 72, 2, 7},
        {"node:4:cyclic", 16, 1, 2}, {"node:5:cyclic", 20, 2, 5}, {"node:1", 12, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct instance x;
        instance_init(&x, cases[i].topology, cases[i].ranks);
        assert_null(strata_locality_bruck.applicable(&x.problem));
        struct traffic aware = between_nodes(&strata_locality_bruck, &x);
        x.problem.parameter[0] = 2; /* radix */
        struct traffic bruck = between_nodes(&strata_bruck, &x);
        assert_int_equal(aware.messages, cases[i].messages);
        assert_int_equal(bruck.messages, cases[i].of_bruck);
        ASSERT_CMP(aware.blocks, <=, bruck.blocks);
        assert_true(aware.blocks < bruck.blocks || strstr(cases[i].topology, "cyclic") ||
                    cases[i].messages == 0);
        instance_fini(&x);
    }
}

static void test_locality_bruck_refuses(void **state)
{
    (void)state;
    struct instance x;
    instance_init(&x, "node:3,3,2", 8);
    assert_non_null(strata_locality_bruck.applicable(&x.problem));
    instance_fini(&x);
    instance_init(&x, "node:8", 8);
    assert_non_null(strata_locality_bruck.applicable(&x.problem));
    instance_fini(&x);
}

/* Plans of rings and neighbour exchange are as short for a thousand ranks as for ten. */
static void test_short_plans(void **state)
{
    (void)state;
    static const struct strata_algorithm *const algorithms[] = {&strata_ring,
                                                                &strata_neighbor_exchange};
    for (int i = 0; i < 2; i++) {
        int steps[2];
        for (int large = 0; large < 2; large++) {
            struct instance x;
            instance_init(&x, "node:1", large ? 1022 : 10);
            struct strata_plan *plan = plan_of(algorithms[i], &x, 3);
            steps[large] = plan->nsteps;
            strata_plan_destroy(plan);
            instance_fini(&x);
        }
        assert_int_equal(steps[0], steps[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sparbit_follows_the_paper),
        cmocka_unit_test(test_sparbit_patterns),
        cmocka_unit_test(test_locality_bruck_between_nodes),
        cmocka_unit_test(test_locality_bruck_refuses),
        cmocka_unit_test(test_short_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
