/* The way from an algorithm to a plan: the checks before the plan is built, and the messages where
 * it is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/cost/machine_cost.h"
#include "core/plan/algorithm.h"
#include "tests/assert_cmp.h"

static const char *on_even_ranks(const struct strata_problem *problem)
{
    return problem->topology->ranks % 2 ? "an odd number of ranks" : NULL;
}

static struct strata_cost no_cost(const struct strata_problem *problem,
                                  const struct strata_machine *machine)
{
    (void)problem;
    (void)machine;
    return (struct strata_cost){0};
}

/* Builds one send to the peer that parameter 0 names, which may not exist. */
static void build_send(const struct strata_problem *problem, struct strata_builder *b)
{
    strata_build_limits(b, (struct strata_limits){0, 1, 1});
    strata_build_exchange(b, (struct strata_exchange){.lanes = 1});
    strata_build_send(b, problem->parameter[0], 0, strata_build_set(b, strata_box_item(2, 1)),
                      STRATA_WHOLE);
}

static const struct strata_algorithm algorithm = {
    .name = "row",
    .collectives = 1u << STRATA_ALLTOALL,
    .level = STRATA_NODE_AWARE,
    .summary = "for this test",
    .parameters = {{"peer", 0, 1, 9, {1}, "whom to send to"}},
    .applicable = on_even_ranks,
    .cost = no_cost,
    .build = build_send,
};

struct fixture {
    struct strata_topology *topology, *flat;
    struct strata_problem problem;
};

static int set_up(void **state)
{
    static struct fixture f;
    if (strata_topology_parse("node:2", 4, &f.topology, NULL) || strata_topology_flat(4, &f.flat)) {
        return -1;
    }
    f.problem = (struct strata_problem){.collective = STRATA_ALLTOALL,
                                        .rank = 1,
                                        .topology = f.topology,
                                        .flat = f.flat,
                                        .parameter = {2}};
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    strata_topology_destroy(f->topology);
    strata_topology_destroy(f->flat);
    return 0;
}

static void test_built(void **state)
{
    struct fixture *f = *state;
    struct strata_plan *plan = NULL;
    assert_int_equal(strata_algorithm_plan(&algorithm, &f->problem, &plan, NULL), STRATA_OK);
    assert_string_equal(plan->name, "row:peer=2");
    assert_int_equal(plan->rank, 1);
    assert_int_equal(plan->collective, STRATA_ALLTOALL);
    assert_ptr_equal(plan->topology, f->topology);
    assert_int_equal(plan->nsteps, 1);
    strata_plan_destroy(plan);
}

static void test_flat_topology(void **state)
{
    struct fixture *f = *state;
    struct strata_plan *plan = NULL;
    struct strata_diagnostic message = {""};
    struct strata_algorithm flat = algorithm;
    flat.level = STRATA_FLAT; /* its lane has 4 items, so the set is one of 2 */
    assert_int_equal(strata_algorithm_plan(&flat, &f->problem, &plan, &message), STRATA_ERR_PLAN);
    f->problem.flat = f->topology;
    assert_int_equal(strata_algorithm_plan(&flat, &f->problem, &plan, &message), STRATA_OK);
    f->problem.flat = f->flat;
    assert_ptr_equal(plan->topology, f->topology);
    strata_plan_destroy(plan);
}

static void refused(const struct strata_problem *problem, int status, const char *said)
{
    struct strata_plan *plan = NULL;
    struct strata_diagnostic message = {""};
    assert_int_equal(strata_algorithm_plan(&algorithm, problem, &plan, &message), status);
    assert_null(plan);
    if (!strstr(message.text, said)) {
        fail_msg("said %s", message.text);
    }
}

static void test_refused(void **state)
{
    struct fixture *f = *state;
    struct strata_problem problem = f->problem;
    struct strata_topology *odd = NULL;
    problem.collective = STRATA_ALLTOALLV;
    refused(&problem, STRATA_ERR_UNSUPPORTED, "row does not do alltoallv");
    problem = f->problem;
    problem.parameter[0] = 0;
    refused(&problem, STRATA_ERR_ARGUMENT, "row needs peer (whom to send to) from 1 to 9");
    problem.parameter[0] = 10;
    refused(&problem, STRATA_ERR_ARGUMENT, "from 1 to 9");
    problem.parameter[0] = 7;
    refused(&problem, STRATA_ERR_PLAN, "the plan of row:peer=7 for rank 1: ");
    problem = f->problem;
    assert_int_equal(strata_topology_parse("node:1", 3, &odd, NULL), STRATA_OK);
    problem.topology = odd;
    refused(&problem, STRATA_ERR_UNSUPPORTED, "row is not applicable: an odd number of ranks");
    strata_topology_destroy(odd);
}

static void test_memory(void **state)
{
    struct fixture *f = *state;
    struct strata_plan *plan = NULL;
    struct strata_diagnostic message;
    int status = STRATA_ERR_MEMORY;
    long after = 1;
    for (; status != STRATA_OK && after < 50; after++) {
        strata_memory_fail_after(after);
        status = strata_algorithm_plan(&algorithm, &f->problem, &plan, &message);
        strata_memory_fail_after(-1);
        assert_true(status == STRATA_OK || (status == STRATA_ERR_MEMORY && !plan));
    }
    ASSERT_CMP(status, ==, STRATA_OK);
    ASSERT_CMP(after, >, 3);
    strata_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_built, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_flat_topology, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_memory, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
