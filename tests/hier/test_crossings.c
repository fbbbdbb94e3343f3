/* Signals between packages, domains and caches in calls of 8 B on recorded machines: of flat plans,
 * of trees by levels, and of XHC, whose groups have a leader and its members at each level. Also
 * how many members must look whether all have left their slots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/cost/crossings.h"
#include "hier/registry.h"
#include "tests/assert_cmp.h"
#include "tests/hier/instances.h"

static const char *const nodes[] = {
    "node:1 package:2 domain:4 cache:2", /* two EPYC with 64 cores */
    "node:1 package:2 domain:4",         /* two Xeon with 56 cores, SNC4 */
    "node:1 domain:4",                   /* A64FX */
};
static const int members[] = {128, 112, 48};
enum { MOST = 128 };

/* What the members of a node read of each other in a call. */
struct reading {
    struct strata_crossings crossings;
    int lookers; /* members that look now and then whether all have left their slots */
};

static void add_plan(struct reading *all, const struct strata_plan *plan, int me)
{
    unsigned char awaited[MOST];
    strata_plan_awaits(plan, awaited);
    all->lookers += awaited[me == 0] & 1;
    assert_int_equal(strata_crossings_add(&all->crossings, plan), STRATA_OK);
}

/* lanes: with this many; 0: the algorithm's least parameters but for the tree. */
static struct reading reading_in(struct instance *x, enum strata_collective collective,
                                 const char *name, int lanes, int tree)
{
    struct reading all = {{{0}}, 0};
    const struct strata_algorithm *row = strata_registry_find(name);
    struct strata_problem *problem = &x->problem;
    assert_int_equal(instance_divide(x, (size_t)1 << 26, 8192, 1, false), STRATA_OK);
    problem->collective = collective;
    problem->commutative = true;
    problem->block_bytes = collective == STRATA_BARRIER ? 0 : 8;
    problem->most_bytes = problem->capacity.longest = (size_t)problem->block_bytes;
    for (int i = 0; i < STRATA_PARAMETERS; i++) {
        problem->parameter[i] = row->parameters[i].name ? row->parameters[i].least : 0;
    }
    problem->parameter[0] = lanes > 0 ? lanes : problem->parameter[0];
    problem->parameter[2] = row->parameters[2].name && tree ? tree : problem->parameter[2];
    for (problem->rank = 0; problem->rank < x->topology->ranks; problem->rank++) {
        struct strata_plan *plan;
        assert_int_equal(strata_algorithm_plan(row, problem, &plan, NULL), STRATA_OK);
        add_plan(&all, plan, x->topology->local_of[problem->rank]);
        strata_plan_destroy(plan);
    }
    return all;
}

static struct reading reading_of(int machine, enum strata_collective collective, const char *name,
                                 int tree, int root)
{
    struct instance x = instance_of(nodes[machine], members[machine]);
    x.problem.root = root;
    struct reading all = reading_in(&x, collective, name, 0, tree);
    instance_fini(&x);
    return all;
}

static struct strata_crossings crossings_of(int machine, enum strata_collective collective,
                                            const char *name, int tree, int root)
{
    return reading_of(machine, collective, name, tree, root).crossings;
}

/* Whether two members lie in one object of the level; -1: the node. */
static bool together(const struct strata_topology *t, int a, int b, int level)
{
    return strata_topology_object(t, a, level) == strata_topology_object(t, b, level);
}

/* XHC with groups at the levels from `least` on: each member of a group tells its leader, and the
 * leader tells each member. A bcast goes from leaders to members, and each member acknowledges
 * it. */
static struct strata_crossings xhc(int machine, int least)
{
    struct strata_crossings all = {{0}};
    struct instance x = instance_of(nodes[machine], members[machine]);
    for (int member = 1; member < members[machine]; member++) {
        int leader = 0;
        for (int above = least; above >= -1; above--) {
            for (leader = 0; !together(x.topology, leader, member, above); leader++) {
            }
            if (leader < member) { /* it leads no object of this level: its leader does */
                break;
            }
        }
        all.signals[strata_topology_distance(x.topology, leader, member)] += 2;
    }
    instance_fini(&x);
    return all;
}

static void expect(struct strata_crossings found, int packages, int domains)
{
    assert_int_equal(found.signals[STRATA_PACKAGE], packages);
    assert_int_equal(found.signals[STRATA_DOMAIN], domains);
}

static void test_recorded_machines(void **state)
{
    (void)state;
    static const int all[][2] = {{8192, 6144}, {6272, 4704}, {0, 1728}},
                     one[][2] = {{64, 48}, {56, 42}, {0, 36}}, tree[][2] = {{1, 6}, {1, 6}, {0, 3}};
    for (int m = 0; m < 3; m++) {
        const int packages = tree[m][0], domains = tree[m][1];
        expect(crossings_of(m, STRATA_BARRIER, "node_barrier", 1, 0), all[m][0], all[m][1]);
        expect(crossings_of(m, STRATA_ALLREDUCE, "node_allreduce", 0, 0), all[m][0], all[m][1]);
        expect(crossings_of(m, STRATA_BCAST, "node_bcast", 0, 0), one[m][0], one[m][1]);
        expect(crossings_of(m, STRATA_REDUCE, "node_reduce", 0, 0), one[m][0], one[m][1]);
        expect(crossings_of(m, STRATA_BARRIER, "node_barrier", 2, 0), 2 * packages, 2 * domains);
        expect(crossings_of(m, STRATA_ALLREDUCE, "node_levels", 0, 0), 2 * packages, 2 * domains);
        for (int root = 0; root < members[m]; root += 11) {
            expect(crossings_of(m, STRATA_BCAST, "node_levels", 0, root), packages, domains);
            expect(crossings_of(m, STRATA_REDUCE, "node_levels", 0, root), packages, domains);
        }
        expect(xhc(m, STRATA_CACHE), 2 * packages, 2 * domains);
        expect(xhc(m, STRATA_DOMAIN), 2 * packages, 2 * domains);
    }
}

/* Over two nodes with a lane for each domain. Of an alltoallv, the leaders, one in each domain,
 * hear from the first member that all have arrived; nobody hears the leader of another domain. */
static void test_lanes(void **state)
{
    (void)state;
    static const char *const two[] = {"node:2 package:2 domain:4 cache:2",
                                      "node:2 package:2 domain:4", "node:2 domain:4"};
    static const int domains[] = {8, 8, 4}, heard[][2] = {{10, 18}, {10, 18}, {0, 12}};
    for (int m = 0; m < 3; m++) {
        struct instance x = instance_of(two[m], 2 * members[m]);
        struct reading all = reading_in(&x, STRATA_ALLTOALLV, "leaders", domains[m], 2);
        expect(all.crossings, heard[m][0], heard[m][1]);
        instance_fini(&x);
    }
}

/* Caches count where groups go by domain alone. */
static void test_caches(void **state)
{
    (void)state;
    assert_int_equal(crossings_of(0, STRATA_ALLREDUCE, "node_levels", 0, 0).signals[STRATA_CACHE],
                     16);
    assert_int_equal(xhc(0, STRATA_CACHE).signals[STRATA_CACHE], 16);
    assert_int_equal(xhc(0, STRATA_DOMAIN).signals[STRATA_CACHE], 128);
}

/* Whoever hears another before it writes has heard that its own slot is free. */
static void test_lookers(void **state)
{
    (void)state;
    for (int m = 0; m < 3; m++) {
        for (int root = 0; root < members[m]; root += 11) {
            assert_int_equal(reading_of(m, STRATA_BCAST, "node_levels", 0, root).lookers, 1);
            assert_int_equal(reading_of(m, STRATA_REDUCE, "node_levels", 0, root).lookers,
                             members[m] - 1);
        }
        assert_int_equal(reading_of(m, STRATA_BCAST, "node_bcast", 0, 0).lookers, 1);
        assert_int_equal(reading_of(m, STRATA_ALLREDUCE, "node_levels", 0, 0).lookers, 0);
        assert_int_equal(reading_of(m, STRATA_BARRIER, "node_barrier", 2, 0).lookers, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded_machines),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_caches),
        cmocka_unit_test(test_lookers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
