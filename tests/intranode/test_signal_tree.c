/* The shape of signal trees on recorded machines: every member's signal reaches the root, and as
 * few as can be cross from cache to cache, from domain to domain and from package to package. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/plan/builder.h"
#include "intranode/signal_tree.h"
#include "tests/assert_cmp.h"
#include "tests/random.h"

enum { MOST = 160 };

struct tree {
    struct strata_topology *topology;
    int awaiter[MOST]; /* of each member; -1: none */
    int deepest;       /* waits one after another from a leaf to the root's last one */
};

static struct strata_plan *plan_of(const struct strata_topology *t, int rank)
{
    struct strata_problem problem = {.rank = rank, .topology = t};
    struct strata_builder b;
    struct strata_plan *plan;
    strata_builder_init(&b, STRATA_BARRIER, "tree", rank, t);
    strata_signal_tree_arrive(&b, &problem, STRATA_SIGNAL_TREE_BINOMIAL, false);
    assert_int_equal(strata_builder_finish(&b, &plan), STRATA_OK);
    return plan;
}

/* Members are ranks: the topology has one node. From the last member on, because parents come
 * before their children. */
static void grow(struct tree *tree)
{
    const struct strata_topology *t = tree->topology;
    int done[MOST] = {0};
    tree->awaiter[0] = -1;
    for (int member = t->ranks - 1; member >= 0; member--) {
        struct strata_plan *plan = plan_of(t, member);
        for (int i = 0; i < plan->nsteps; i++) {
            const struct strata_step *step = &plan->steps[i];
            if (step->op == STRATA_STEP_AWAIT) {
                ASSERT_CMP(step->peer, >, member);
                tree->awaiter[step->peer] = member;
                int come = done[step->peer];
                done[member] = 1 + (come > done[member] ? come : done[member]);
            }
        }
        strata_plan_destroy(plan);
    }
    tree->deepest = done[0];
}

/* Signals between objects of the level. */
static int crossings(const struct tree *tree, int level)
{
    const int *object = tree->topology->inner_of[level];
    int count = 0;
    for (int member = 1; member < tree->topology->ranks; member++) {
        count += object[member] != object[tree->awaiter[member]];
    }
    return count;
}

static void grow_text(struct tree *tree, const char *text)
{
    struct strata_diagnostic message;
    for (int member = 0; member < MOST; member++) {
        tree->awaiter[member] = MOST;
    }
    assert_int_equal(strata_topology_parse(text, 0, &tree->topology, &message), STRATA_OK);
    grow(tree);
    for (int member = 1; member < tree->topology->ranks; member++) {
        ASSERT_CMP(tree->awaiter[member], <, member);
    }
}

/* text; packages, domains, caches; the longest chain of waits */
static const struct {
    const char *text;
    int packages, domains, caches, deepest;
} machines[] = {
    {"node:1 package:2 domain:4 cache:2 rank:128", 2, 8, 16, 7}, /* two EPYC with 64 cores */
    {"node:1 package:2 cache:8 rank:128", 2, 2, 16, 7},          /* as one domain each */
    {"node:1 package:2 domain:4 rank:112", 2, 8, 8, 7},          /* two Xeon with 56 cores, SNC4 */
    {"node:1 package:2 rank:144", 2, 2, 2, 8},                   /* two Grace */
    {"node:1 domain:4 rank:48", 1, 4, 4, 6},                     /* A64FX */
    {"node:1 rank:128", 1, 1, 1, 7},
    {"node:1 rank:1", 1, 1, 1, 0},
};

static void test_machines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct tree tree;
        grow_text(&tree, machines[i].text);
        assert_int_equal(crossings(&tree, STRATA_PACKAGE), machines[i].packages - 1);
        assert_int_equal(crossings(&tree, STRATA_DOMAIN), machines[i].domains - 1);
        assert_int_equal(crossings(&tree, STRATA_CACHE), machines[i].caches - 1);
        ASSERT_CMP(tree.deepest, <=, machines[i].deepest);
        strata_topology_destroy(tree.topology);
    }
}

static const char *dealt(struct random *r)
{
    return random_one_in(r, 3) ? ":cyclic" : "";
}

/* Whatever the sizes and the order, each member has one awaiter before it, and one signal leaves
 * each object but the root's. */
static void test_random(void **state)
{
    (void)state;
    struct random r = {.state = 11};
    for (int round = 0; round < 300; round++) {
        char text[100];
        struct tree tree;
        int ranks = random_between(&r, 1, MOST), packages = random_between(&r, 1, 3);
        int domains = random_between(&r, 1, 4), caches = random_between(&r, 1, 4);
        if (packages * domains * caches > ranks) {
            continue;
        }
        snprintf(text, sizeof text, "node:1 package:%d%s domain:%d%s cache:%d%s rank:%d", packages,
                 dealt(&r), domains, dealt(&r), caches, dealt(&r), ranks);
        grow_text(&tree, text);
        assert_int_equal(crossings(&tree, STRATA_PACKAGE), packages - 1);
        assert_int_equal(crossings(&tree, STRATA_DOMAIN), packages * domains - 1);
        assert_int_equal(crossings(&tree, STRATA_CACHE), packages * domains * caches - 1);
        strata_topology_destroy(tree.topology);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machines),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
