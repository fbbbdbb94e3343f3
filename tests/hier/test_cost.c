/* Closed forms against plans: each row's cost is the sum over the plan of its busiest rank. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/cost/algorithm_cost.h"
#include "core/cost/plan_cost.h"
#include "core/plan/actions.h"
#include "hier/registry.h"
#include "tests/algorithms.h"
#include "tests/assert_cmp.h"
#include "tests/hier/instances.h"

/* How far the parts of a cost may differ, as a share of the whole. */
static const double tolerance = 0.05;

static double difference(double a, double b)
{
    return a > b ? a - b : b - a;
}

/* A flat plan does not know which ranks share a node, so it is compared with the cost of ranks that
 * have a node each. Other tests are about nodes (tests/hier/test_rounds.c). */
static struct strata_problem seen_by(const struct instance *x, const struct strata_algorithm *row)
{
    struct strata_problem problem = x->problem;
    if (row->level == STRATA_FLAT) {
        problem.topology = problem.flat;
    }
    return problem;
}

static struct strata_cost cost_of_rank(struct instance *x, const struct strata_algorithm *row,
                                       int rank, const struct strata_machine *machine)
{
    struct strata_plan *plan = NULL;
    struct strata_diagnostic message;
    struct strata_problem problem = seen_by(x, row);
    struct strata_machine contended = strata_machine_contended(machine, problem.topology->largest);
    problem.rank = rank;
    if (strata_algorithm_plan(row, &problem, &plan, &message) != STRATA_OK) {
        fail_msg("%s", message.text);
    }
    struct strata_cost cost = strata_plan_cost(plan, x->problem.block_bytes, &contended);
    strata_plan_destroy(plan);
    return cost;
}

/* The cost of the rank whose plan costs most. */
static struct strata_cost dearest_cost(struct instance *x, const struct strata_algorithm *row,
                                       const struct strata_machine *machine)
{
    struct strata_cost dearest = cost_of_rank(x, row, 0, machine);
    for (int rank = 1; rank < x->topology->ranks; rank++) {
        struct strata_cost cost = cost_of_rank(x, row, rank, machine);
        if (strata_cost_time(&cost) > strata_cost_time(&dearest)) {
            dearest = cost;
        }
    }
    return dearest;
}

static void compare(struct instance *x, const struct strata_algorithm *row,
                    const struct strata_machine *machine, const struct strata_cost *built)
{
    struct strata_problem problem = seen_by(x, row);
    struct strata_cost closed = row->cost(&problem, machine);
    double whole = strata_cost_time(built);
    double times[][2] = {{closed.time_start, built->time_start},
                         {closed.time_wire, built->time_wire},
                         {closed.time_copy, built->time_copy},
                         {closed.time_signal, built->time_signal}};
    for (int i = 0; i < 4; i++) {
        if (difference(times[i][0], times[i][1]) > tolerance * whole) {
            char text[128], name[96];
            strata_topology_describe(x->topology, text, sizeof text);
            strata_algorithm_name(row, x->problem.parameter, name, sizeof name);
            fail_msg("%s on %s, blocks of %g: part %d is %g, of the plan %g", name, text,
                     x->problem.block_bytes, i, times[i][0], times[i][1]);
        }
    }
    double sent = closed.messages + closed.messages_node;
    ASSERT_CMP(difference(sent, built->messages + built->messages_node), <, 0.5);
}

static void test_closed_forms(void **state)
{
    (void)state;
    static const double sizes[] = {1, 2.5, 8, 13.7, 500, 1000, 4096, 70000};
    struct random r = {17};
    int compared = 0;
    for (int round = 0; round < 600; round++) {
        struct instance x = instance_random(&r, 48);
        size_t budget = (size_t)65536 << random_below(&r, 12);
        const struct strata_algorithm *row;
        struct strata_machine machine =
            strata_machine_of_nodes(strata_machine_at(round % 3), x.topology->largest,
                                    (struct strata_sharing){.ranks = round % 4 == 3 ? 4 : 0});
        if (instance_divide(&x, budget, 1024, random_between(&r, 1, 6), false) == STRATA_OK) {
            x.problem.block_bytes = sizes[random_below(&r, 8)];
            for (int i = 0; (row = strata_registry_at(i)); i++) {
                instance_parameters(&x, &r, row);
                if (algorithm_over_items(row) && !row->applicable(&x.problem)) {
                    struct strata_cost built =
                        cost_of_rank(&x, row, strata_busiest_rank(x.topology), &machine);
                    compare(&x, row, &machine, &built);
                    compared++;
                }
            }
        }
        instance_fini(&x);
    }
    ASSERT_CMP(compared, >, 1500);
}

/* alltoall over blocks packs messages, and some ranks pack more than others. */
static void test_closed_forms_over_blocks(void **state)
{
    (void)state;
    static const double sizes[] = {1, 13.7, 500, 4096, 70000};
    struct random r = {18};
    int compared = 0;
    for (int round = 0; round < 150; round++) {
        struct instance x = instance_random(&r, 40);
        const struct strata_algorithm *row;
        x.problem.collective = STRATA_ALLTOALL;
        x.problem.block_bytes = sizes[random_below(&r, 5)];
        for (int i = 0; (row = strata_registry_at(i)); i++) {
            instance_parameters(&x, &r, row);
            if (algorithm_serves(row, STRATA_ALLTOALL) && row->formula && row->cost &&
                !row->applicable(&x.problem)) {
                struct strata_cost built = dearest_cost(&x, row, strata_machine_at(round % 3));
                compare(&x, row, strata_machine_at(round % 3), &built);
                compared++;
            }
        }
        instance_fini(&x);
    }
    ASSERT_CMP(compared, >=, 300);
}

/* Results lie in the slots of one leader, or of all members, whose flags are read side by side.
 * With a few leaders, a member that does not lead waits once more than the most expensive plan
 * does. */
static void test_shares_copied_out(void **state)
{
    (void)state;
    static const struct {
        const char *row, *nodes;
        int leaders;
        enum strata_collective collective;
    } cases[] = {{"dpml", "node:2", 1, STRATA_ALLREDUCE},
                 {"dpml", "node:2", 16, STRATA_ALLREDUCE},
                 {"dpml", "node:1", 1, STRATA_ALLREDUCE},
                 {"dpml", "node:1", 32, STRATA_ALLREDUCE},
                 {"node_reduce_scatter", "node:2", 1, STRATA_REDUCE_SCATTER_BLOCK},
                 {"node_reduce_scatter", "node:4", 3, STRATA_REDUCE_SCATTER},
                 {"node_reduce_scatter", "node:2", 16, STRATA_REDUCE_SCATTER}};
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        struct instance x = instance_of(cases[i].nodes, 32);
        const struct strata_algorithm *row = strata_registry_find(cases[i].row);
        assert_int_equal(instance_divide(&x, (size_t)1 << 26, 8192, 1, false), STRATA_OK);
        x.problem.collective = cases[i].collective;
        x.problem.block_bytes = strata_collective_scatters(cases[i].collective) ? 128 : 4096;
        x.problem.most_bytes = x.problem.capacity.longest = 4096;
        x.problem.commutative = true;
        for (int j = 0; j < STRATA_PARAMETERS; j++) {
            x.problem.parameter[j] = row->parameters[j].name ? row->parameters[j].least : 0;
        }
        x.problem.parameter[0] = cases[i].leaders;
        assert_null(row->applicable(&x.problem));
        struct strata_cost built = dearest_cost(&x, row, strata_machine_at(0));
        compare(&x, row, strata_machine_at(0), &built);
        instance_fini(&x);
    }
}

static double seconds(struct instance *x, const char *machine, const char *name,
                      const int *parameter)
{
    struct strata_machine m;
    assert_int_equal(strata_machine_parse(machine, &m, NULL), STRATA_OK);
    const struct strata_algorithm *row = strata_registry_find(name);
    for (int i = 0; i < STRATA_PARAMETERS; i++) {
        x->problem.parameter[i] = parameter[i];
    }
    struct strata_cost cost = row->cost(&x->problem, &m);
    return strata_cost_time(&cost);
}

/* Known facts hold: log rounds win for small blocks, one message a pair for large ones, and several
 * leaders over one on large nodes. */
static void test_order(void **state)
{
    (void)state;
    static const int none[STRATA_PARAMETERS], radix[STRATA_PARAMETERS] = {2},
                                              one[STRATA_PARAMETERS] = {1, 2, 1},
                                              many[STRATA_PARAMETERS] = {16, 2, 1};
    struct instance x = instance_of("node:32", 512);
    assert_int_equal(instance_divide(&x, (size_t)1 << 33, 1 << 20, 1, false), STRATA_OK);
    for (int i = 0; i < 2; i++) {
        const char *machine = i == 0 ? "cluster" : "gigabit";
        x.problem.block_bytes = 8;
        ASSERT_CMP(seconds(&x, machine, "sloav", radix), <, seconds(&x, machine, "native", none));
        ASSERT_CMP(seconds(&x, machine, "leaders", many), <, seconds(&x, machine, "sloav", radix));
        x.problem.block_bytes = 100000;
        ASSERT_CMP(seconds(&x, machine, "native", none), <, seconds(&x, machine, "sloav", radix));
        ASSERT_CMP(seconds(&x, machine, "native", none), <, seconds(&x, machine, "leaders", many));
    }
    /* on a slow wire one leader's copies weigh little, on a fast one much */
    x.problem.block_bytes = 8;
    ASSERT_CMP(seconds(&x, "cluster", "leaders", many), <, seconds(&x, "cluster", "leaders", one));
    ASSERT_CMP(seconds(&x, "gigabit", "leaders", one), <, seconds(&x, "gigabit", "sloav", radix));
    instance_fini(&x);
}

/* The time of signals and lines in a call of 8 B, in closed form. The plan of the dearest rank
 * costs as much, but for what the readers of a line wait for each other, which no plan of one rank
 * tells. */
static double lines_seconds(const char *nodes, const char *text, const char *name,
                            enum strata_collective collective)
{
    struct strata_machine machine;
    struct instance x = instance_of(nodes, 128);
    const struct strata_algorithm *row = strata_registry_find(name);
    assert_int_equal(strata_machine_parse(text, &machine, NULL), STRATA_OK);
    assert_int_equal(instance_divide(&x, (size_t)1 << 26, 8192, 1, false), STRATA_OK);
    x.problem.collective = collective;
    x.problem.block_bytes = collective == STRATA_BARRIER ? 0 : 8;
    x.problem.most_bytes = x.problem.capacity.longest = 8;
    x.problem.commutative = true;
    for (int i = 0; i < STRATA_PARAMETERS; i++) {
        const struct strata_parameter *parameter = &row->parameters[i];
        x.problem.parameter[i] = parameter->automatic ? parameter->automatic
                                 : parameter->name    ? parameter->least
                                                      : 0;
    }
    assert_null(row->applicable(&x.problem));
    struct strata_cost whole = strata_algorithm_cost(row, &x.problem, &machine);
    machine.readers = 0;
    struct strata_cost closed = strata_algorithm_cost(row, &x.problem, &machine);
    struct strata_cost built = dearest_cost(&x, row, &machine);
    instance_fini(&x);
    ASSERT_CMP(difference(closed.time_signal, built.time_signal), <, 0.01 * built.time_signal);
    return whole.time_signal;
}

/* Lines from farther away cost more, where the machine says so. Where all members share a cache, or
 * the machine does not tell near from far, they cost as much as where no level is known. */
static void test_far_lines(void **state)
{
    (void)state;
    static const char flat[] = "node:1", one[] = "node:1 package:1 cache:1",
                      two[] = "node:1 package:2 domain:4 cache:2",
                      ring[] = "node:1 cache:16:cyclic",
                      same[] = "host:between_caches=0,between_packages=0";
    static const struct {
        const char *row;
        enum strata_collective collective;
    } calls[] = {{"node_barrier", STRATA_BARRIER},
                 {"node_bcast", STRATA_BCAST},
                 {"node_reduce", STRATA_REDUCE},
                 {"node_allreduce", STRATA_ALLREDUCE},
                 {"node_allgather", STRATA_ALLGATHER}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const char *row = calls[i].row;
        enum strata_collective collective = calls[i].collective;
        double near = lines_seconds(flat, "host", row, collective);
        assert_true(lines_seconds(one, "host", row, collective) == near);
        assert_true(lines_seconds(two, same, row, collective) == near);
        ASSERT_CMP(lines_seconds(ring, "host", row, collective), >, near);
        ASSERT_CMP(lines_seconds(two, "host", row, collective), >,
                   lines_seconds(ring, "host", row, collective));
    }
    /* 7 flags from the cache, 8 from the domain, 48 from the package, 64 from the other one */
    double sweep =
        lines_seconds(two, "host:signal=8,between_domains=3", "node_barrier", STRATA_BARRIER);
    ASSERT_CMP(difference(sweep, 4 * 8 + 7 + 8 * 2 + 48 * 3 + 63 * 4), <, 1e-9);
}

/* What an alltoall by messages of 64 B takes. */
static double messages_seconds(const char *nodes, const char *text)
{
    struct instance x = instance_of(nodes, 16);
    struct strata_machine machine;
    assert_int_equal(strata_machine_parse(text, &machine, NULL), STRATA_OK);
    x.problem.collective = STRATA_ALLTOALL;
    x.problem.block_bytes = 64;
    memcpy(x.problem.parameter, (int[]){1}, sizeof(int));
    const struct strata_cost cost =
        strata_algorithm_cost(strata_registry_find("pairwise"), &x.problem, &machine);
    instance_fini(&x);
    return strata_cost_time(&cost);
}

/* Prices over a distance count in closed forms where some of the node's members are that far away,
 * by how many they are: of one node, and of several. */
static void test_distances(void **state)
{
    static const char *const machines[][3] = {
        {"cluster:between_packages=0", "cluster:between_packages=0,alpha_apart=9e-6",
         "cluster:between_packages=0,alpha_cache=9e-6"},
        {"host:between_packages=0", "host:between_packages=0,alpha_apart=9e-6",
         "host:between_packages=0,alpha_cache=9e-6"}};
    static const char *const levels[] = {"node:2 package:2", "node:1 package:2"}, *const none[] = {
                                                                                      "node:2",
                                                                                      "node:1"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        const double any = messages_seconds(levels[i], machines[i][0]);
        const double apart = messages_seconds(levels[i], machines[i][1]) - any,
                     cache = messages_seconds(levels[i], machines[i][2]) - any;
        ASSERT_CMP(cache, >, 0);
        ASSERT_CMP(apart, >, 1.1 * cache); /* 4 are apart, and 3 near, or 8 and 7 */
        assert_true(messages_seconds(none[i], machines[i][1]) ==
                    messages_seconds(none[i], machines[i][0]));
    }
}

/* The time of signals and lines of a vector of 8 B that goes by levels. */
static double way_seconds(struct instance *x, enum strata_collective collective,
                          const struct strata_machine *machine)
{
    const struct strata_algorithm *row = strata_registry_find("node_levels");
    assert_int_equal(instance_divide(x, (size_t)1 << 26, 8192, 1, false), STRATA_OK);
    x->problem.collective = collective;
    x->problem.block_bytes = 8;
    x->problem.most_bytes = 8;
    x->problem.commutative = true;
    memset(x->problem.parameter, 0, sizeof x->problem.parameter);
    x->problem.parameter[0] = 1;
    assert_null(row->applicable(&x->problem));
    return strata_algorithm_cost(row, &x->problem, machine).time_signal;
}

/* One message for each pair of ranks costs what the messages cost that have bytes. */
static void test_few_messages(void **state)
{
    (void)state;
    const char *const names[] = {"linear", "pairwise"};
    struct instance x = instance_of("node:32", 512);
    struct strata_machine machine;
    assert_int_equal(strata_machine_parse("cluster", &machine, NULL), STRATA_OK);
    x.problem.collective = STRATA_ALLTOALLV;
    x.problem.block_bytes = 16;
    for (int i = 0; i < 2; i++) {
        const struct strata_algorithm *row = strata_registry_find(names[i]);
        x.problem.parameter[0] = 512;
        x.problem.degree = 0;
        const struct strata_cost all = strata_algorithm_cost(row, &x.problem, &machine);
        double before = 0;
        for (x.problem.degree = 1; x.problem.degree < 256; x.problem.degree *= 2) {
            const struct strata_cost few = strata_algorithm_cost(row, &x.problem, &machine);
            const double messages = few.messages + few.messages_node;
            ASSERT_CMP(strata_cost_time(&few), >, before);
            ASSERT_CMP(strata_cost_time(&few), <, strata_cost_time(&all));
            ASSERT_CMP(messages, >=, x.problem.degree);
            ASSERT_CMP(messages, <=, x.problem.degree + 1);
            before = strata_cost_time(&few);
        }
    }
    instance_fini(&x);
}

/* A tree of 128 members. Up: three hops in a cache, one between caches, two between domains, one
 * between packages. Down: one hop in each. Crowded members wait for a turn at each hop but one. */
static void test_tree_by_levels(void **state)
{
    (void)state;
    struct strata_machine machine;
    struct instance x = instance_of("node:1 package:2 domain:4 cache:2", 128);
    const struct strata_algorithm *row = strata_registry_find("node_barrier");
    assert_int_equal(strata_machine_parse("host:signal=8,turn=1,readers=0", &machine, NULL),
                     STRATA_OK);
    machine.between_caches = 2;
    machine.between_domains = 3;
    machine.between_packages = 4;
    x.problem.collective = STRATA_BARRIER;
    memcpy(x.problem.parameter, (int[]){1, 1, 2}, 3 * sizeof(int));
    const double up = 8 * (3 + 2 + 2 * 3 + 4), down = 8 * (1 + 2 + 3 + 4);
    struct strata_cost alone = strata_algorithm_cost(row, &x.problem, &machine);
    ASSERT_CMP(difference(alone.time_signal, up + down), <, 1e-9);
    ASSERT_CMP(strata_cost_time(&alone), ==, alone.time_signal);
    ASSERT_CMP(difference(way_seconds(&x, STRATA_ALLREDUCE, &machine), up + down), <, 1e-9);
    ASSERT_CMP(difference(way_seconds(&x, STRATA_REDUCE, &machine), up), <, 1e-9);
    ASSERT_CMP(difference(way_seconds(&x, STRATA_BCAST, &machine), down), <, 1e-9);
    row = strata_registry_find("node_allgather"); /* all but the first read its release */
    x.problem.collective = STRATA_ALLGATHER;
    memcpy(x.problem.parameter, (int[]){1, 1, 1, 2}, 4 * sizeof(int));
    struct strata_cost gathered = strata_algorithm_cost(row, &x.problem, &machine);
    ASSERT_CMP(difference(gathered.time_signal, up + 8 * 4), <, 1e-9);
    row = strata_registry_find("node_barrier");
    memcpy(x.problem.parameter, (int[]){1, 1, 2, 0}, 4 * sizeof(int));
    x.problem.collective = STRATA_BARRIER;
    machine.cores = 64;
    machine.contenders = 128;
    struct strata_cost crowded = strata_algorithm_cost(row, &x.problem, &machine);
    ASSERT_CMP(crowded.time_start, ==, 10 * 2);
    instance_fini(&x);
}

/* The time that members wait for each other at the lines that they read, in lines, on 128 members
 * of two packages with 8 caches each. */
static double readers_lines(const char *nodes, const char *name, enum strata_collective collective,
                            double bytes)
{
    struct strata_machine machine;
    struct instance x = instance_of(nodes, 128);
    const struct strata_algorithm *row = strata_registry_find(name);
    assert_int_equal(strata_machine_parse("host:signal=8,readers=0.5", &machine, NULL), STRATA_OK);
    assert_int_equal(instance_divide(&x, (size_t)1 << 26, 8192, 1, false), STRATA_OK);
    x.problem.collective = collective;
    x.problem.block_bytes = bytes;
    x.problem.most_bytes = x.problem.capacity.longest = (size_t)bytes;
    x.problem.commutative = true;
    for (int i = 0; i < STRATA_PARAMETERS; i++) {
        x.problem.parameter[i] = row->parameters[i].name ? row->parameters[i].least : 0;
    }
    const struct strata_cost with = strata_algorithm_cost(row, &x.problem, &machine);
    machine.readers = 0;
    const struct strata_cost without = strata_algorithm_cost(row, &x.problem, &machine);
    instance_fini(&x);
    return (with.time_signal - without.time_signal) / (8 * 0.5);
}

/* All read the root's line; or the first members of packages, domains and caches, and the members
 * of a cache. The root is all of these: 1 + 7 + 7 members read its line, 7 + 7 that of the head of
 * the other package, and 7 that of the head of a cache. The first of them waits for no other. */
static void test_readers(void **state)
{
    (void)state;
    static const char nodes[] = "node:1 package:2 cache:8";
    const double tree = 14 + 13 + 6;
    ASSERT_CMP(difference(readers_lines(nodes, "node_bcast", STRATA_BCAST, 8), 126), <, 1e-9);
    ASSERT_CMP(difference(readers_lines(nodes, "node_levels", STRATA_BCAST, 8), tree), <, 1e-9);
    ASSERT_CMP(readers_lines(nodes, "node_levels", STRATA_REDUCE, 8), ==, 0);
    /* further lines of the vector follow the first one */
    ASSERT_CMP(difference(readers_lines(nodes, "node_bcast", STRATA_BCAST, 512), 126), <, 1e-9);
    ASSERT_CMP(readers_lines("node:1", "node_bcast", STRATA_BCAST, 512), ==, 0);
    ASSERT_CMP(readers_lines("node:1 package:1 cache:1", "node_bcast", STRATA_BCAST, 8), ==, 0);
}

static void test_busiest_rank(void **state)
{
    (void)state;
    struct instance x = instance_of("node:2,3,3", 8);
    assert_int_equal(strata_busiest_rank(x.topology), 2);
    instance_fini(&x);
}

/* Rank 0's messages and bytes, to its node and to other nodes. */
struct sent {
    double messages[2], segments[2];
};

static struct sent sent_by_first(struct instance *x, const struct strata_algorithm *row)
{
    const int *node_of = x->topology->node_of;
    struct strata_plan *plan = NULL;
    struct strata_actions walk;
    struct sent sent = {{0}, {0}};
    x->problem.rank = 0;
    assert_int_equal(strata_algorithm_plan(row, &x->problem, &plan, NULL), STRATA_OK);
    strata_actions_begin(&walk, plan, false);
    for (const struct strata_action *a; (a = strata_actions_next(&walk));) {
        bool far = a->kind == STRATA_ACT_SEND && node_of[a->peer] != node_of[0];
        sent.messages[far] += a->kind == STRATA_ACT_SEND;
        sent.segments[far] += a->kind == STRATA_ACT_SEND ? strata_set_count(a->set) : 0;
    }
    strata_plan_destroy(plan);
    return sent;
}

/* The cost of Rabenseifner's algorithm tells which messages leave the node. It counts as many as
 * rank 0 sends, which acts for two ranks if any rank does. In the node it also counts what rank 0
 * receives from the rank that stands aside. */
static void test_nodes_known(void **state)
{
    (void)state;
    static const struct {
        const char *layout;
        int ranks;
        bool aside;
    } known[] = {{"node:4", 32, false},
                 {"node:8", 64, false},
                 {"node:2", 2, false},
                 {"node:6", 24, true},
                 {"node:3", 24, true}};
    const struct strata_algorithm *row = strata_registry_find("rabenseifner");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct instance x = instance_of(known[i].layout, known[i].ranks);
        x.problem.collective = STRATA_ALLREDUCE;
        x.problem.commutative = true;
        x.problem.block_bytes = 1;
        while (2 * x.problem.block_bytes <= known[i].ranks) { /* as many as there are segments */
            x.problem.block_bytes *= 2;
        }
        struct sent sent = sent_by_first(&x, row);
        struct strata_cost cost = strata_algorithm_cost(row, &x.problem, strata_machine_at(0));
        double aside = known[i].aside ? x.problem.block_bytes : 0;
        ASSERT_CMP(cost.messages, ==, sent.messages[1]);
        ASSERT_CMP(difference(cost.bytes, sent.segments[1]), <, 1e-9);
        ASSERT_CMP(cost.messages_node, ==, sent.messages[0] + known[i].aside);
        ASSERT_CMP(difference(cost.bytes_node, sent.segments[0] + aside), <, 1e-9);
        instance_fini(&x);
    }
}

/* Members of a node read each other's buffers, in a rooted collective all of them the root's. */
static void test_single_copy(void **state)
{
    (void)state;
    static const enum strata_collective of[] = {STRATA_BCAST, STRATA_SCATTER, STRATA_ALLGATHER,
                                                STRATA_REDUCE, STRATA_ALLREDUCE};
    const struct strata_algorithm *row = strata_registry_find("single_copy");
    const struct strata_machine *machine = strata_machine_at(0);
    struct instance x = instance_of("node:1", 6);
    assert_int_equal(instance_divide(&x, 1 << 20, 4096, 4, false), STRATA_OK);
    x.problem.capacity.single_copy = true;
    x.problem.commutative = true;
    x.problem.block_bytes = 60000;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        x.problem.collective = of[i];
        assert_null(row->applicable(&x.problem));
        const struct strata_cost built = dearest_cost(&x, row, machine);
        compare(&x, row, machine, &built);
    }
    instance_fini(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),      cmocka_unit_test(test_closed_forms_over_blocks),
        cmocka_unit_test(test_shares_copied_out), cmocka_unit_test(test_order),
        cmocka_unit_test(test_tree_by_levels),    cmocka_unit_test(test_few_messages),
        cmocka_unit_test(test_busiest_rank),      cmocka_unit_test(test_nodes_known),
        cmocka_unit_test(test_far_lines),         cmocka_unit_test(test_readers),
        cmocka_unit_test(test_single_copy),       cmocka_unit_test(test_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
