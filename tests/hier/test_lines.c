/* Transfers of cache lines between members, one after another, are known for small plans. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/cost/plan_cost.h"
#include "hier/registry.h"
#include "sim/trace/formula_count.h"
#include "tests/assert_cmp.h"
#include "tests/hier/instances.h"

struct known {
    const char *algorithm;
    enum strata_collective collective;
    const char *nodes;
    int ranks;
    double bytes;
    int lines;
    int parameter[STRATA_PARAMETERS]; /* 0: the algorithm's first choice */
};

static const struct known known[] = {
    /* All in the signal's line; then the blocks behind it; then the table, too. */
    {"leaders", STRATA_ALLTOALL, "node:1", 2, 8, 1, {1, 2, 1}},
    {"leaders", STRATA_ALLTOALLV, "node:1", 2, 8, 1, {1, 2, 1}},
    {"leaders", STRATA_ALLTOALL, "node:1", 2, 1024, 2, {1, 2, 1}},
    {"leaders", STRATA_ALLTOALL, "node:1", 4, 8, 2, {1, 2, 1}},
    {"leaders", STRATA_ALLTOALL, "node:1", 16, 8, 3, {1, 2, 1}},
    /* Up the tree of four ranks and down again. */
    {"leaders", STRATA_ALLTOALL, "node:1", 4, 8, 4, {1, 2, 2}},
    {"node_allgather", STRATA_ALLGATHER, "node:1", 2, 8, 1, {1, 1, 1}},
    {"node_allgather", STRATA_ALLGATHER, "node:1", 16, 48, 1, {1, 1, 1}},
    {"node_allgather", STRATA_ALLGATHER, "node:1", 16, 49, 2, {1, 1, 1}},
    {"node_allgather", STRATA_ALLGATHER, "node:1", 4, 8, 3, {1, 1, 1, 2}},
    /* the leader hears its members, the others read what it got from the other node; in slots of
     * which it finds the tables, and then the blocks, behind the signal */
    {"node_allgather", STRATA_ALLGATHER, "node:2", 4, 8, 3, {1, 1, 1}},
    {"leaders", STRATA_ALLTOALL, "node:2", 4, 8, 6, {1, 2, 1}},
    {"node_bcast", STRATA_BCAST, "node:1", 8, 8, 1, {0}},
    {"node_bcast", STRATA_BCAST, "node:1", 8, 512, 2, {0}},
    {"node_bcast", STRATA_BCAST, "node:2", 8, 8, 1, {0}},
    {"lane_bcast", STRATA_BCAST, "node:2", 8, 8, 1, {1}},
    {"node_reduce", STRATA_REDUCE, "node:1", 8, 8, 1, {0}},
    {"node_allreduce", STRATA_ALLREDUCE, "node:1", 8, 8, 1, {0}},
    /* All lead, and hear each other at once twice; few leaders do so one after another. */
    {"dpml", STRATA_ALLREDUCE, "node:1", 8, 4096, 4, {8, 1, 128}},
    {"dpml", STRATA_ALLREDUCE, "node:1", 8, 4096, 8, {3, 1, 128}},
    {"node_barrier", STRATA_BARRIER, "node:1", 8, 0, 1, {0}},
    {"node_barrier", STRATA_BARRIER, "node:2", 8, 0, 2, {0}},
    /* Up in three hops and down in one; with two packages, in one more. */
    {"node_barrier", STRATA_BARRIER, "node:1", 8, 0, 4, {1, 1, 2}},
    {"node_barrier", STRATA_BARRIER, "node:2", 8, 0, 3, {1, 1, 2}},
    {"node_barrier", STRATA_BARRIER, "node:1 package:2", 8, 0, 5, {1, 1, 2}},
    /* The same with operands in the signals' lines; each way alone; vectors behind the lines. */
    {"node_levels", STRATA_ALLREDUCE, "node:1 package:2", 8, 8, 5, {0}},
    {"node_levels", STRATA_REDUCE, "node:1 package:2", 8, 8, 3, {0}},
    {"node_levels", STRATA_BCAST, "node:1 package:2", 8, 8, 2, {0}},
    {"node_levels", STRATA_BCAST, "node:1 package:2", 8, 512, 4, {0}},
    {"node_levels", STRATA_BCAST, "node:1", 8, 8, 1, {0}},
    /* The signals where the block lies, the block itself, and that all have it. */
    {"single_copy", STRATA_ALLGATHER, "node:1", 2, 8192, 4, {0}},
    /* The node shares nothing. */
    {"linear", STRATA_ALLTOALL, "node:1", 4, 8, 0, {0}},
    {"recursive_doubling", STRATA_ALLREDUCE, "node:1", 4, 8, 0, {0}},
};

static void begin(const struct known *k, struct instance *x,
                  const struct strata_algorithm **algorithm)
{
    *x = instance_of(k->nodes, k->ranks);
    *algorithm = strata_registry_find(k->algorithm);
    assert_non_null(*algorithm);
    assert_int_equal(instance_divide(x, (size_t)1 << 26, 8192, 4, false), STRATA_OK);
    x->problem.collective = k->collective;
    x->problem.block_bytes = k->bytes;
    x->problem.most_bytes = (size_t)k->bytes;
    x->problem.commutative = true;
    x->problem.capacity.longest = x->problem.most_bytes;
    for (int i = 0; i < STRATA_PARAMETERS; i++) {
        const struct strata_parameter *parameter = &(*algorithm)->parameters[i];
        x->problem.parameter[i] = k->parameter[i]   ? k->parameter[i]
                                  : parameter->name ? parameter->least
                                                    : 0;
    }
}

static int count(const struct known *k, double *estimated)
{
    struct strata_plan *plan[16] = {NULL};
    struct strata_diagnostic message = {""};
    const struct strata_algorithm *algorithm;
    struct instance x;
    int lines = -1;
    begin(k, &x, &algorithm);
    for (int rank = 0; rank < k->ranks; rank++) {
        x.problem.rank = rank;
        if (strata_algorithm_plan(algorithm, &x.problem, &plan[rank], &message) != STRATA_OK) {
            fail_msg("%s: %s", k->algorithm, message.text);
        }
    }
    assert_int_equal(
        strata_line_count((const struct strata_plan *const *)plan, k->ranks, k->bytes, &lines),
        STRATA_OK);
    *estimated = 0;
    for (int rank = 0; rank < k->ranks; rank++) {
        struct strata_cost cost = strata_plan_cost(plan[rank], k->bytes, strata_machine_at(0));
        *estimated = cost.lines > *estimated ? cost.lines : *estimated;
        strata_plan_destroy(plan[rank]);
    }
    instance_fini(&x);
    return lines;
}

static void test_known_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct known *k = &known[i];
        double estimated;
        int lines = count(k, &estimated);
        if (lines != k->lines) {
            fail_msg("%s of %s on %d ranks, %s, %g bytes: %d lines one after another, not %d",
                     k->algorithm, strata_collective_name(k->collective), k->ranks, k->nodes,
                     k->bytes, lines, k->lines);
        }
    }
}

/* Where nobody waits for something that another member waited for, the lines are those of a rank's
 * cost. */
static void test_estimated(void **state)
{
    (void)state;
    for (size_t i = 0; i < 5; i++) {
        double estimated;
        int lines = count(&known[i], &estimated);
        ASSERT_CMP(estimated, ==, lines);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_counts),
        cmocka_unit_test(test_estimated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
