/* One root after another on 512 virtual ranks, 16 on a node, in blocks. A broadcast and a reduction
 * use each rank as their root in turn, 10,000 calls in all. Each call uses the algorithm that
 * selection takes for its root, in the same memory of the nodes. Every byte is checked. The short
 * form makes some of the calls.
 *
 * long: STRATA_TEST_LONG=1
 * sanitized: long
 * timeout: 600 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/cost/machine.h"
#include "hier/capacity.h"
#include "hier/registry.h"
#include "hier/select.h"
#include "sim/virtual/virtual_run.h"
#include "tests/assert_cmp.h"
#include "tests/long.h"
#include "tests/sim/collective.h"

enum { RANKS = 512, MOST_BYTES = 256, CALLS = 10000, CALLS_SHORT = 60 };

struct program {
    struct random r;
    struct strata_topology *topology, *flat;
    struct strata_capacity capacity;
    struct strata_machine machine;
    struct strata_virtual *world;
    struct strata_plan *plan[RANKS];
    struct strata_virtual_call run[RANKS];
    int node_aware;
};

static void begin(struct program *p)
{
    struct strata_virtual_options options = {.seed = 7};
    *p = (struct program){.r.state = 7};
    assert_int_equal(strata_topology_parse("node:32", RANKS, &p->topology, NULL), STRATA_OK);
    assert_int_equal(strata_topology_flat(RANKS, &p->flat), STRATA_OK);
    assert_int_equal(strata_machine_parse("cluster", &p->machine, NULL), STRATA_OK);
    assert_int_equal(
        strata_capacity_divide(p->topology, (size_t)1 << 22, 256, 1, false, &p->capacity),
        STRATA_OK);
    assert_int_equal(strata_virtual_create(p->topology, p->capacity.slot, p->capacity.landing,
                                           &options, &p->world),
                     STRATA_OK);
}

static void end(struct program *p)
{
    strata_virtual_destroy(p->world);
    strata_topology_destroy(p->topology);
    strata_topology_destroy(p->flat);
}

/* Makes the plans that selection takes for the root, without MPI's own. */
static void make_plans(struct program *p, enum strata_collective collective, int root)
{
    struct strata_problem problem = {.collective = collective,
                                     .topology = p->topology,
                                     .flat = p->flat,
                                     .capacity = p->capacity,
                                     .root = root,
                                     .commutative = true,
                                     .block_bytes = MOST_BYTES,
                                     .most_bytes = MOST_BYTES};
    struct strata_choice forced = {.algorithm = NULL};
    struct strata_selection selection;
    assert_int_equal(strata_select(NULL, &problem, &p->machine, &selection), STRATA_OK);
    if (selection.choice.algorithm->level == STRATA_MPI) {
        forced.algorithm = strata_registry_find(collective == STRATA_BCAST ? "node_bcast" : "dpml");
        assert_int_equal(strata_select(&forced, &problem, &p->machine, &selection), STRATA_OK);
    }
    p->node_aware += selection.choice.algorithm->level == STRATA_NODE_AWARE;
    memcpy(problem.parameter, selection.choice.parameter, sizeof problem.parameter);
    for (problem.rank = 0; problem.rank < RANKS; problem.rank++) {
        assert_int_equal(strata_algorithm_plan(selection.choice.algorithm, &problem,
                                               &p->plan[problem.rank], NULL),
                         STRATA_OK);
    }
}

static void make_call(struct program *p, enum strata_collective collective, int root)
{
    make_plans(p, collective, root);
    struct collective_shape shape = {.collective = collective,
                                     .ranks = RANKS,
                                     .root = root,
                                     .segments = p->plan[0]->blocks.count,
                                     .commutative = true,
                                     .in_place = random_one_in(&p->r, 3),
                                     .most = MOST_BYTES};
    struct collective_call *call = collective_create(&p->r, &shape);
    struct strata_diagnostic message = {""};
    for (int rank = 0; rank < RANKS; rank++) {
        p->run[rank] = (struct strata_virtual_call){.plan = p->plan[rank],
                                                    .input = call->input[rank].layout,
                                                    .output = call->output[rank].layout,
                                                    .work = call->work,
                                                    .op = &call->op,
                                                    .in_place = collective_in_place(call, rank)};
    }
    if (strata_virtual_run(p->world, p->run, 1, &message) || collective_wrong(call) >= 0) {
        fail_msg("%s, root %d, %s: %s", strata_collective_name(collective), root, p->plan[0]->name,
                 message.text);
    }
    collective_destroy(call);
    for (int rank = 0; rank < RANKS; rank++) {
        strata_plan_destroy(p->plan[rank]);
    }
}

static void test_root_after_root(void **state)
{
    static struct program p;
    int calls = long_form() ? CALLS : CALLS_SHORT, step = long_form() ? 1 : 37;
    (void)state;
    begin(&p);
    for (int i = 0; i < calls / 2; i++) {
        make_call(&p, STRATA_BCAST, i * step % RANKS);
        make_call(&p, STRATA_REDUCE, (i * step + RANKS / 2) % RANKS);
    }
    print_message("%d calls, %d by node-aware plans\n", calls, p.node_aware);
    ASSERT_CMP(p.node_aware, >, calls / 4);
    end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_root_after_root)};
    return cmocka_run_group_tests_name("rotating_roots", tests, NULL, NULL);
}
