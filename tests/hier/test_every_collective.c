/* Each collective has a node-aware algorithm for all roots, operators and layouts: equal and
 * unequal nodes, ranks in turn and in blocks, ranks with a node of their own. The one exception is
 * a reduce_scatter in the order of ranks, where a node's ranks do not follow each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "hier/capacity.h"
#include "tests/algorithms.h"
#include "tests/hier/plans.h"

enum { RANKS = 8, BYTES = 16, BUDGET = 64 << 20, THRESHOLD = 4096 };

static struct strata_problem problem_on(const struct world *world,
                                        enum strata_collective collective)
{
    struct strata_problem problem = {.collective = collective,
                                     .topology = world->topology,
                                     .flat = world->flat,
                                     .block_bytes = BYTES,
                                     .most_bytes = BYTES};
    assert_int_equal(
        strata_capacity_divide(world->topology, BUDGET, THRESHOLD, 1, false, &problem.capacity),
        STRATA_OK);
    problem.capacity.single_copy = false; /* the system may forbid it */
    if (strata_collective_scatters(collective)) {
        problem.most_bytes *= RANKS;
    }
    return problem;
}

/* Whether the algorithm serves the problem with some values of its parameters. */
static bool serves(const struct strata_algorithm *algorithm, struct strata_problem problem)
{
    const struct strata_parameter *between = algorithm->parameters;
    int tried = 1, at = 0;
    algorithm_first_parameters(algorithm, problem.parameter);
    while (at < STRATA_PARAMETERS && between->name && !between->algorithm) {
        between++;
        at++;
    }
    if (at < STRATA_PARAMETERS && between->algorithm) {
        tried = strata_parameter_most(between);
    }
    for (int value = 1; value <= tried; value++) {
        if (tried > 1) {
            problem.parameter[at] = value;
        }
        if (!strata_algorithm_refusal(algorithm, &problem)) {
            return true;
        }
    }
    return false;
}

static const struct strata_algorithm *find_algorithm(const struct strata_problem *problem)
{
    const struct strata_algorithm *algorithm;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        if (algorithm->level == STRATA_NODE_AWARE && !algorithm->once &&
            algorithm_serves(algorithm, problem->collective) &&
            (problem->commutative || algorithm->keeps_order) && serves(algorithm, *problem)) {
            break;
        }
    }
    return algorithm;
}

static bool is_exception(const struct strata_problem *problem, const char *layout)
{
    return strata_collective_scatters(problem->collective) && !problem->commutative &&
           strstr(layout, "cyclic");
}

static void require_algorithms(const struct world *world, const char *layout,
                               enum strata_collective collective)
{
    struct strata_problem problem = problem_on(world, collective);
    bool rooted = strata_collective_rooted(collective);
    bool reduces = strata_collective_reduces(collective);
    for (problem.root = 0; problem.root < (rooted ? RANKS : 1); problem.root++) {
        for (int commutative = !reduces; commutative < 2; commutative++) {
            problem.commutative = commutative;
            const struct strata_algorithm *algorithm = find_algorithm(&problem);
            if (is_exception(&problem, layout)) {
                assert_null(algorithm);
                continue;
            }
            if (!algorithm) {
                fail_msg("%s on %s, root %d%s: no node-aware row",
                         strata_collective_name(collective), layout, problem.root,
                         commutative ? "" : ", keeps order");
            }
            if (problem.root == 0) {
                print_message("             %-20s %-16s %-12s %s\n",
                              strata_collective_name(collective), layout,
                              commutative ? "" : "keeps order", algorithm->name);
            }
        }
    }
}

static void test_every_collective(void **state)
{
    static const char *const layouts[] = {"node:1",        "node:4",     "node:2,1,3,2",
                                          "node:4:cyclic", "node:5,1,2", "node:3:cyclic",
                                          "node:1,7",      "node:1,4,3"};
    (void)state;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        struct world world;
        world_parse(layouts[i], RANKS, &world);
        for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
            require_algorithms(&world, layouts[i], (enum strata_collective)c);
        }
        world_destroy(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_collective)};
    return cmocka_run_group_tests_name("every_collective", tests, NULL, NULL);
}
