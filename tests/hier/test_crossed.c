/* Short rooted calls on several communicators of the same ranks, which each rank calls in another
 * order. MPIs send short messages ahead, and in their trees a rank waits for ranks that are nearer
 * to the root alone, so such programs end (docs/compatibility.md). For each layout, machine and
 * root the test takes the plans that selection chooses for all collectives and short sizes. The
 * checker says for each pair of ranks whether one ends its call while the other does not begin.
 * With MPI's binomial tree beside them these plans must not have ranks that wait for each other in
 * a circle.
 *
 * sanitized: long */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/check/check.h"
#include "core/cost/machine.h"
#include "hier/registry.h"
#include "hier/select.h"
#include "tests/assert_cmp.h"
#include "tests/hier/instances.h"

enum { MOST = 16, PLANS = 64 };

/* Who waits for whom in one plan: bit y of entry x says that rank x does not end unless rank y
 * begins. */
struct waits {
    char name[120];
    uint32_t of[MOST];
};

/* All plans whose calls may cross, and MPI's tree. */
struct crossing {
    int ranks, count;
    struct waits plan[PLANS];
    char about[160];
};

static struct waits *add(struct crossing *c)
{
    ASSERT_CMP(c->count, <, PLANS);
    struct waits *w = &c->plan[c->count++];
    memset(w, 0, sizeof *w);
    return w;
}

/* A rank's parent has the rank's lowest bit cleared, counted from the root. */
static void add_binomial(struct crossing *c, int root, bool down)
{
    struct waits *w = add(c);
    snprintf(w->name, sizeof w->name, "MPI's binomial tree");
    for (int child = 1; child < c->ranks; child++) {
        for (int above = child & (child - 1);; above &= above - 1) {
            int low = (child + root) % c->ranks, high = (above + root) % c->ranks;
            w->of[down ? low : high] |= 1u << (down ? high : low);
            if (above == 0) {
                break;
            }
        }
    }
}

static void without(struct waits *w, const struct strata_plan *const *plans, int ranks, int absent)
{
    bool ended[MOST];
    struct strata_diagnostic message = {""};
    struct strata_check options = {.seed = 1, .schedule = 1, .absent = absent + 1, .ended = ended};
    if (strata_check_calls(&plans, 1, ranks, &options, &message) != STRATA_OK) {
        fail_msg("%s: %s", w->name, message.text);
    }
    for (int rank = 0; rank < ranks; rank++) {
        w->of[rank] |= rank != absent && !ended[rank] ? 1u << absent : 0;
    }
}

/* The plans of an algorithm with the problem's parameters. */
static void add_plans(struct crossing *c, struct strata_problem problem,
                      const struct strata_algorithm *row)
{
    struct strata_plan *plans[MOST] = {NULL};
    struct strata_diagnostic message = {""};
    for (problem.rank = 0; problem.rank < c->ranks; problem.rank++) {
        if (strata_algorithm_plan(row, &problem, &plans[problem.rank], &message)) {
            fail_msg("%s: %s", c->about, message.text);
        }
    }
    struct waits *w = add(c);
    snprintf(w->name, sizeof w->name, "%s of %.0f bytes by %s",
             strata_collective_name(problem.collective), problem.block_bytes, plans[0]->name);
    for (int absent = 0; absent < c->ranks; absent++) {
        without(w, (const struct strata_plan *const *)plans, c->ranks, absent);
    }
    for (int rank = 0; rank < c->ranks; rank++) {
        strata_plan_destroy(plans[rank]);
    }
}

/* The first plan in which rank x waits for rank y; NULL: none. */
static const struct waits *plan_of(const struct crossing *c, int x, int y)
{
    for (int i = 0; i < c->count; i++) {
        if (c->plan[i].of[x] >> y & 1) {
            return &c->plan[i];
        }
    }
    return NULL;
}

/* The circle goes from the goal by way of ranks next[] back to it. */
static void fail_by(const struct crossing *c, int goal, const int *next)
{
    char text[1200];
    int length = snprintf(text, sizeof text, "%s: ranks wait in a circle", c->about);
    for (int x = goal, y = next[goal]; length < (int)sizeof text - 200; y = next[x = y]) {
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "\n  rank %d for rank %d: %s", x, y, plan_of(c, x, y)->name);
        if (y == goal) {
            break;
        }
    }
    fail_msg("%s", text);
}

/* A search by breadth from each rank back to it. */
static void require_no_circle(const struct crossing *c)
{
    for (int goal = 0; goal < c->ranks; goal++) {
        int queue[MOST], next[MOST], from = 0, to = 0;
        memset(next, -1, sizeof next);
        for (int y = goal;; y = queue[from++]) {
            for (int x = 0; x < c->ranks; x++) {
                if (next[x] < 0 && plan_of(c, x, y)) {
                    next[x] = y;
                    queue[to++] = x;
                }
            }
            if (next[goal] >= 0) {
                fail_by(c, goal, next);
            }
            if (from == to) {
                break;
            }
        }
    }
}

/* MPICH sends a reduce of 2048 bytes ahead, and other calls to 4096; Open MPI those below 4096. */
static const int sizes[] = {8, 64, 512, 2000, 4000};

static void add_sizes(struct crossing *c, struct strata_problem *problem,
                      const struct strata_machine *machine)
{
    const struct strata_choice open = {.algorithm = NULL};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct strata_selection s;
        if (problem->collective == STRATA_REDUCE && sizes[i] > 2048) {
            continue;
        }
        problem->block_bytes = sizes[i];
        problem->most_bytes = problem->capacity.longest = (size_t)sizes[i];
        assert_int_equal(strata_select(&open, problem, machine, &s), STRATA_OK);
        if (s.choice.algorithm->level != STRATA_MPI) {
            memcpy(problem->parameter, s.choice.parameter, sizeof problem->parameter);
            add_plans(c, *problem, s.choice.algorithm);
        }
    }
}

static bool is_of_root(int collective, bool down)
{
    return strata_collective_info[collective].root == (down ? 'i' : 'o');
}

/* All collectives from the root, down the tree, or all to it. */
static void cross(struct instance *x, const struct strata_machine *machine, bool down)
{
    struct crossing c = {.ranks = x->topology->ranks};
    snprintf(c.about, sizeof c.about, "%s, %d ranks on %d nodes, root %d", machine->name, c.ranks,
             x->topology->nodes, x->problem.root);
    add_binomial(&c, x->problem.root, down);
    for (int i = 0; i < STRATA_COLLECTIVE_COUNT; i++) {
        if (is_of_root(i, down)) {
            x->problem.collective = (enum strata_collective)i;
            x->problem.commutative = x->problem.collective == STRATA_REDUCE;
            add_sizes(&c, &x->problem, machine);
        }
    }
    require_no_circle(&c);
}

static void cross_on(struct instance *x, const struct strata_machine *machine)
{
    int ranks = x->topology->ranks, roots[] = {0, 1, ranks - 1};
    for (int i = 0; i < 3; i++) {
        x->problem.root = roots[i];
        cross(x, machine, true);
        cross(x, machine, false);
    }
}

static void test_no_circle(void **state)
{
    (void)state;
    static const struct {
        const char *topology;
        int ranks;
    } of[] = {{"node:1", 2},        {"node:1", 5},  {"node:1", 16},       {"node:2", 4},
              {"node:2:cyclic", 4}, {"node:2", 16}, {"node:3", 6},        {"node:3:cyclic", 9},
              {"node:4", 8},        {"node:4", 16}, {"node:4:cyclic", 8}, {"node:5", 5},
              {"node:7,1,2", 10},   {"node:6", 12}, {"node:8", 8},        {"node:16", 16}};
    const struct strata_machine *machine;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct instance x = instance_of(of[i].topology, of[i].ranks);
        assert_int_equal(instance_divide(&x, 1 << 24, 8192, 4, false), STRATA_OK);
        for (int m = 0; (machine = strata_machine_at(m)); m++) {
            const struct strata_sharing sharing = {.ranks = of[i].ranks, .native_turn = 4e-3};
            struct strata_machine crowded = strata_machine_of_nodes(machine, of[i].ranks, sharing);
            cross_on(&x, machine);
            cross_on(&x, &crowded);
        }
        instance_fini(&x);
    }
}

/* Every plan of an algorithm that says it is outward, beside MPI's tree. Layouts have the root's
 * node first, in blocks: elsewhere node-aware trees and MPI's are in another order. */
static void add_outward(struct crossing *c, const struct instance *x,
                        const struct strata_algorithm *row, struct random *r)
{
    struct instance y = *x;
    for (int i = 0; i < 8; i++) {
        instance_parameters(&y, r, row);
        if (strata_algorithm_outward(row, &y.problem) &&
            !strata_algorithm_refusal(row, &y.problem)) {
            add_plans(c, y.problem, row);
        }
    }
}

static int outward_on(struct instance *x, enum strata_collective collective)
{
    struct random r = {77};
    const struct strata_algorithm *row;
    int found = 0;
    for (int i = 0; (row = strata_registry_at(i)); i++) {
        struct crossing c = {.ranks = x->topology->ranks};
        if (row->collectives >> collective & 1 && row->outward && row->level != STRATA_MPI) {
            x->problem.collective = collective;
            x->problem.commutative = collective == STRATA_REDUCE;
            x->problem.block_bytes = 64;
            x->problem.most_bytes = x->problem.capacity.longest = 64;
            snprintf(c.about, sizeof c.about, "%s, %d ranks on %d nodes", row->name, c.ranks,
                     x->topology->nodes);
            add_binomial(&c, 0, is_of_root(collective, true));
            add_outward(&c, x, row, &r);
            require_no_circle(&c);
            found += c.count - 1;
        }
    }
    return found;
}

/* What rows say of themselves. */
static void test_outward(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= MOST; ranks += 1 + ranks / 4) {
        for (int nodes = 1; nodes <= ranks; nodes += 1 + nodes / 3) {
            char text[24];
            snprintf(text, sizeof text, "node:%d", nodes);
            struct instance x = instance_of(text, ranks);
            assert_int_equal(instance_divide(&x, 1 << 24, 8192, 4, false), STRATA_OK);
            for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
                if (strata_collective_rooted((enum strata_collective)c)) {
                    ASSERT_CMP(outward_on(&x, (enum strata_collective)c), >, 0);
                }
            }
            instance_fini(&x);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_circle),
                                       cmocka_unit_test(test_outward)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
