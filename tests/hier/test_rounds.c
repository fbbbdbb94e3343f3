/* The rounds by which the costs of flat algorithms tell nodes apart, against all ranks' plans: as
 * many bytes leave the busiest node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/cost/algorithm_cost.h"
#include "core/cost/round_cost.h"
#include "core/plan/actions.h"
#include "hier/registry.h"
#include "tests/algorithms.h"
#include "tests/assert_cmp.h"
#include "tests/hier/instances.h"

#define BYTES 1024.0

/* Only bytes between nodes cost anything, a second each. */
static const struct strata_machine bytes_between = {.beta = 1, .ports = 1, .contenders = 1};

/* The bytes of one unit of a plan over blocks, or over items that are blocks. */
static double unit_bytes(const struct strata_plan *plan)
{
    bool ranked = strata_collective_info[plan->collective].ranked;
    return ranked ? BYTES : BYTES / plan->blocks.count;
}

/* The bytes that a rank's plan sends to other nodes. */
static double bytes_leaving(const struct instance *x, const struct strata_plan *plan)
{
    const struct strata_topology *t = x->topology;
    const struct strata_action *a;
    struct strata_actions walk;
    double bytes = 0;
    strata_actions_begin(&walk, plan, true);
    while ((a = strata_actions_next(&walk))) {
        if (a->kind == STRATA_ACT_SEND && t->node_of[a->peer] != t->node_of[plan->rank]) {
            bytes += (double)strata_action_units(plan, a) * unit_bytes(plan);
        }
    }
    return bytes;
}

/* Those of the node from which most leave. */
static double most_leaving(struct instance *x, const struct strata_algorithm *row)
{
    double of_node[64] = {0}, most = 0;
    for (int rank = 0; rank < x->topology->ranks; rank++) {
        struct strata_plan *plan = NULL;
        struct strata_diagnostic message;
        struct strata_problem problem = x->problem;
        problem.rank = rank;
        if (strata_algorithm_plan(row, &problem, &plan, &message) != STRATA_OK) {
            fail_msg("%s", message.text);
        }
        double *sum = &of_node[x->topology->node_of[rank]];
        *sum += bytes_leaving(x, plan);
        most = *sum > most ? *sum : most;
        strata_plan_destroy(plan);
    }
    return most;
}

/* Whether the cost comes from rounds. Those of buckets are means of their steps, and in the last
 * one of bine's contiguous blocks all ranks count that may send home. */
static bool has_rounds(const struct strata_algorithm *row, const struct strata_problem *problem)
{
    static const char *const of_alltoall[] = {"linear", "pairwise", "bruck_index", "modified"};
    struct strata_flat_round round = {STRATA_ONWARD};
    bool home = strcmp(row->name, "bine") == 0 && problem->parameter[0] == 3 &&
                strata_collective_scatters(problem->collective);
    bool found =
        row->round && strcmp(row->name, "bucket") != 0 && !home && row->round(problem, 0, &round);
    for (size_t i = 0; i < sizeof of_alltoall / sizeof *of_alltoall; i++) {
        found = found ||
                (problem->collective == STRATA_ALLTOALL && strcmp(row->name, of_alltoall[i]) == 0);
    }
    return found;
}

/* Messages of a round count as equally long, which those of digits nearly are. */
static void compare(struct instance *x, const struct strata_algorithm *row, const char *nodes)
{
    struct strata_cost cost = strata_algorithm_cost(row, &x->problem, &bytes_between);
    double counted = most_leaving(x, row);
    if (cost.time_wire < counted * 0.95 || cost.time_wire > counted * 1.05) {
        char name[96];
        strata_algorithm_name(row, x->problem.parameter, name, sizeof name);
        fail_msg("%s by %s on %s: %g B by its rounds, %g by the plans",
                 strata_collective_name(x->problem.collective), name, nodes, cost.time_wire,
                 counted);
    }
}

/* Each algorithm with the first value of each parameter, and with the others of its first one. */
static int compare_all(struct instance *x, const char *nodes)
{
    const struct strata_algorithm *row;
    int compared = 0;
    for (int i = 0; (row = strata_registry_at(i)); i++) {
        memset(x->problem.parameter, 0, sizeof x->problem.parameter);
        for (int p = 0; p < STRATA_PARAMETERS && row->parameters[p].name; p++) {
            x->problem.parameter[p] = strata_parameter_choice(&row->parameters[p], 0);
        }
        for (int choice = 0; algorithm_serves(row, x->problem.collective); choice++) {
            int first = row->parameters[0].name
                            ? strata_parameter_choice(&row->parameters[0], choice)
                            : choice == 0;
            if (first == 0) {
                break;
            }
            x->problem.parameter[0] = row->parameters[0].name ? first : 0;
            if (!strata_algorithm_refusal(row, &x->problem) && has_rounds(row, &x->problem)) {
                compare(x, row, nodes);
                compared++;
            }
        }
    }
    return compared;
}

static void test_bytes_between_nodes(void **state)
{
    (void)state;
    static const char *const nodes[] = {"node:8", "node:4", "node:2", "node:16", "node:8:cyclic"};
    static const enum strata_collective collectives[] = {
        STRATA_ALLTOALL, STRATA_ALLGATHER, STRATA_ALLREDUCE, STRATA_REDUCE_SCATTER_BLOCK};
    int compared = 0;
    for (size_t n = 0; n < sizeof nodes / sizeof *nodes; n++) {
        struct instance x = instance_of(nodes[n], 32);
        x.problem.commutative = true;
        x.problem.block_bytes = BYTES;
        for (int c = 0; c < 4; c++) {
            x.problem.collective = collectives[c];
            compared += compare_all(&x, nodes[n]);
        }
        instance_fini(&x);
    }
    ASSERT_CMP(compared, >, 100);
}

/* Where each rank has a node of its own, and where no adapter is shared, rounds change nothing. */
static void test_nodes_not_told(void **state)
{
    (void)state;
    struct instance x = instance_of("node:4", 8);
    struct strata_machine none = *strata_machine_at(0);
    assert_true(strata_cost_tells_nodes(x.topology, &none));
    assert_false(strata_cost_tells_nodes(x.problem.flat, &none));
    none.ports = 0;
    assert_false(strata_cost_tells_nodes(x.topology, &none));
    instance_fini(&x);
}

/* A window of MPI's own alltoall makes it wait more often. */
static void test_native_window(void **state)
{
    (void)state;
    struct instance x = instance_of("node:4", 16);
    struct strata_machine machine = {.alpha = 1, .ports = 1, .gap = 1e-9, .contenders = 1};
    struct strata_cost all = strata_native_cost(x.topology, 8, &machine);
    machine.native_window = 5;
    struct strata_cost windows = strata_native_cost(x.topology, 8, &machine);
    ASSERT_CMP(strata_cost_time(&all), <, 1.001);
    ASSERT_CMP(strata_cost_time(&all), >, 0.999);
    ASSERT_CMP(strata_cost_time(&windows), <, 3.001);
    ASSERT_CMP(strata_cost_time(&windows), >, 2.999);
    instance_fini(&x);
}

/* Messages inside a node are on their way while others are; as many at once as the machine says. */
static void test_overlap(void **state)
{
    (void)state;
    struct strata_machine machine = {.alpha = 10,
                                     .alpha_node = 4,
                                     .beta = 1,
                                     .beta_node = 2,
                                     .overhead = 0.5,
                                     .ports = 1,
                                     .gap = 1e-9,
                                     .contenders = 1};
    struct strata_posted posted = {1, 100, 2, 10};
    struct strata_cost cost = {0}, slower = {0}, beside = {0};
    strata_cost_posted(&cost, &posted, &machine);
    /* The other two take 1 s each of the 3 s of processor time, in which the first bytes travel. */
    ASSERT_CMP(strata_cost_time(&cost), ==, 3 * 2 * 0.5 + 10 + 100);
    posted.bytes_node = 1000;
    strata_cost_posted(&slower, &posted, &machine);
    ASSERT_CMP(strata_cost_time(&slower), ==, 3 * 2 * 0.5 + 2 * 4 + 1000 * 2);
    machine.ports_node = 2;
    strata_cost_posted(&beside, &posted, &machine);
    ASSERT_CMP(strata_cost_time(&beside), ==, 3 * 2 * 0.5 + 4 + 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_between_nodes),
        cmocka_unit_test(test_nodes_not_told),
        cmocka_unit_test(test_native_window),
        cmocka_unit_test(test_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
