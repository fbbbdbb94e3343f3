/* The rivals of a choice: where the network's latency or bandwidth is off by ten, the plan that the
 * right figures choose is the choice or one of its rivals. They are plans, no two of them alike,
 * and the same on all ranks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/cost/machine.h"
#include "hier/rivals.h"
#include "tests/assert_cmp.h"
#include "tests/hier/instances.h"

enum { RANKS = 24 };

static bool among(const struct strata_choice *choice, const struct strata_rival *rival, int n)
{
    bool found = false;
    for (int i = 0; i < n; i++) {
        found = found || strata_choice_same_plan(choice, &rival[i].choice);
    }
    return found;
}

static struct strata_machine machine_of(double start, double byte)
{
    struct strata_machine m;
    assert_int_equal(strata_machine_parse("cluster:alpha=2e-6,overhead=4e-7", &m, NULL), STRATA_OK);
    m.alpha *= start;
    m.overhead *= start;
    m.beta *= byte;
    return m;
}

/* What was taken has these rivals. */
static int check_rivals(struct strata_problem problem, const struct strata_choice *taken,
                        const struct strata_machine *machine, struct strata_rival *rival)
{
    struct strata_rival others[STRATA_RIVALS];
    const int n = strata_rivals(taken, &problem, machine, rival);
    ASSERT_CMP(n, <=, STRATA_RIVALS);
    for (int i = 0; i < n; i++) {
        assert_true(rival[i].choice.algorithm->level != STRATA_MPI);
        assert_true(rival[i].seconds > 0);
        assert_true(!strata_choice_same_plan(&rival[i].choice, taken));
        assert_true(!among(&rival[i].choice, rival, i));
    }
    problem.rank = RANKS - 1;
    assert_int_equal(strata_rivals(taken, &problem, machine, others), n);
    for (int i = 0; i < n; i++) {
        assert_true(strata_choice_same_plan(&rival[i].choice, &others[i].choice));
    }
    return n;
}

/* Returns whether the wrong machine chooses another plan. */
static bool check_wrong(const struct strata_problem *problem, double start, double byte)
{
    const struct strata_machine right = machine_of(1, 1), wrong = machine_of(start, byte);
    struct strata_selection by_right, by_wrong;
    struct strata_rival rival[STRATA_RIVALS];
    if (!strata_select_plan(problem, &right, &by_right) ||
        !strata_select_plan(problem, &wrong, &by_wrong)) {
        return false;
    }
    const int n = check_rivals(*problem, &by_wrong.choice, &wrong, rival);
    const bool other = !strata_choice_same_plan(&by_right.choice, &by_wrong.choice);
    assert_true(!other || among(&by_right.choice, rival, n));
    return other;
}

static void test_wrong_machines(void **state)
{
    static const char *const nodes[] = {"node:4", "node:8:cyclic", "node:24"};
    static const enum strata_collective collectives[] = {
        STRATA_ALLTOALLV, STRATA_ALLTOALL, STRATA_ALLGATHER,           STRATA_BCAST,
        STRATA_ALLREDUCE, STRATA_GATHER,   STRATA_REDUCE_SCATTER_BLOCK};
    int others = 0;
    (void)state;
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        struct instance x = instance_of(nodes[i], RANKS);
        assert_int_equal(instance_divide(&x, 1 << 24, 4096, 4, false), STRATA_OK);
        for (size_t k = 0; k < sizeof collectives / sizeof collectives[0]; k++) {
            for (size_t bytes = 8; bytes <= 65536; bytes *= 8) {
                x.problem.collective = collectives[k];
                x.problem.block_bytes = (double)bytes;
                x.problem.most_bytes = bytes;
                others += check_wrong(&x.problem, 10, 1) + check_wrong(&x.problem, 0.1, 1) +
                          check_wrong(&x.problem, 1, 10) + check_wrong(&x.problem, 1, 0.1);
            }
        }
        instance_fini(&x);
    }
    ASSERT_CMP(others, >, 50); /* or nothing was tested */
}

/* In one node the machine is measured, and the next algorithm is the only rival. */
static void test_one_node(void **state)
{
    struct instance x = instance_of("node:1", RANKS);
    const struct strata_machine machine = machine_of(1, 1);
    struct strata_selection taken;
    struct strata_rival rival[STRATA_RIVALS];
    int rivals = 0;
    (void)state;
    assert_int_equal(instance_divide(&x, 1 << 24, 4096, 4, false), STRATA_OK);
    x.problem.collective = STRATA_ALLGATHER;
    for (size_t bytes = 8; bytes <= 65536; bytes *= 8) {
        x.problem.block_bytes = (double)bytes;
        x.problem.most_bytes = bytes;
        assert_true(strata_select_plan(&x.problem, &machine, &taken));
        const int n = check_rivals(x.problem, &taken.choice, &machine, rival);
        ASSERT_CMP(n, <=, 1);
        assert_true(n == 0 || rival[0].choice.algorithm != taken.choice.algorithm);
        rivals += n;
    }
    ASSERT_CMP(rivals, >, 0);
    instance_fini(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_machines),
        cmocka_unit_test(test_one_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
