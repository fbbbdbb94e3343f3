/* Selection takes the cheapest of all candidates, keeps forced ones, and is equal on all ranks.
 *
 * sanitized long: STRATA_TEST_LONG=1 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/cost/algorithm_cost.h"
#include "core/engine/node_memory.h"
#include "core/plan/plan_sizes.h"
#include "hier/between.h"
#include "hier/registry.h"
#include "hier/select.h"
#include "tests/algorithms.h"
#include "tests/assert_cmp.h"
#include "tests/hier/instances.h"
#include "tests/long.h"

static struct strata_selection selected(const struct instance *x, const char *forced,
                                        const char *machine)
{
    struct strata_choice choice;
    struct strata_machine m;
    struct strata_selection selection;
    struct strata_diagnostic message = {""};
    if (strata_choice_parse(forced, x->problem.collective, &choice, &message) != STRATA_OK) {
        fail_msg("%s", message.text);
    }
    assert_int_equal(strata_machine_parse(machine, &m, &message), STRATA_OK);
    assert_int_equal(strata_select(&choice, &x->problem, &m, &selection), STRATA_OK);
    return selection;
}

/* The text about the selection, where `by` forced it. */
static const char *said(const struct strata_selection *s, const char *by)
{
    static char text[160];
    strata_selection_say(s, by, text, sizeof text);
    return text;
}

/* The cost of an algorithm with these parameters, computed independently. */
static double cost(const struct instance *x, const struct strata_choice *choice,
                   const char *machine)
{
    struct strata_machine m;
    struct strata_problem problem = x->problem;
    assert_int_equal(strata_machine_parse(machine, &m, NULL), STRATA_OK);
    memcpy(problem.parameter, choice->parameter, sizeof problem.parameter);
    assert_null(strata_algorithm_refusal(choice->algorithm, &problem));
    struct strata_cost cost = strata_algorithm_cost(choice->algorithm, &problem, &m);
    return strata_cost_time(&cost);
}

/* No algorithm of ours that a user can force is cheaper than the selected one. */
static void test_cheapest(void **state)
{
    (void)state;
    struct random r = {23};
    for (int round = 0; round < 300; round++) {
        struct instance x = instance_random(&r, 64);
        const char *machine = strata_machine_at(round % 3)->name;
        const struct strata_algorithm *algorithm;
        x.problem.block_bytes = random_between(&r, 1, 1 << random_below(&r, 18));
        x.problem.most_bytes = (size_t)x.problem.block_bytes;
        if (instance_divide(&x, (size_t)1 << random_between(&r, 16, 30), 4096, 4, false)) {
            instance_fini(&x);
            continue;
        }
        struct strata_selection best = selected(&x, "auto", machine);
        ASSERT_CMP(cost(&x, &best.choice, machine), ==, best.seconds);
        for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
            if (!algorithm_serves(algorithm, x.problem.collective)) {
                continue;
            }
            struct strata_selection other = selected(&x, algorithm->name, machine);
            if (other.choice.algorithm->level == STRATA_MPI) {
                ASSERT_CMP(best.choice.algorithm, !=, other.choice.algorithm); /* see select.h */
            } else {
                ASSERT_CMP(best.seconds, <=, other.seconds);
            }
            if (other.choice.algorithm == algorithm) {
                ASSERT_CMP(cost(&x, &other.choice, machine), ==, other.seconds);
            }
        }
        instance_fini(&x);
    }
}

static void serve_sizes(struct instance *x, int kind, const char *machine)
{
    for (size_t bytes = 0; bytes < (size_t)1 << 26; bytes = bytes * 64 + 8) {
        x->problem.block_bytes = (double)bytes;
        x->problem.most_bytes = kind % 3 ? bytes : 0;
        struct strata_selection s = selected(x, kind % 2 ? "native" : "auto", machine);
        assert_non_null(s.choice.algorithm);
        ASSERT_CMP(s.choice.algorithm->level, !=, STRATA_MPI);
    }
}

/* Where no native collective can serve the call, a plan serves each: with any operator, of any
 * size, between any nodes, with and without node memory, on any machine, whatever is forced. */
static void serve_by_plans(struct instance *x, const char *machine)
{
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        const bool reduces = strata_collective_reduces((enum strata_collective)c);
        x->problem.collective = (enum strata_collective)c;
        for (int kind = 0; kind < 32; kind++) {
            x->problem.commutative = reduces && (kind & 1);
            x->problem.left_fold = reduces && (kind & 2);
            x->problem.bulky = reduces && (kind & 4);
            x->problem.messages_only = x->problem.nonblocking = kind & 8;
            x->problem.native_size = kind & 16;
            serve_sizes(x, kind, machine);
        }
    }
}

/* The prices of a machine are numbers, of which sanitizers see nothing: one machine shows them all
 * accesses of memory. */
static void serve_on_machines(struct instance *x)
{
    const struct strata_machine *machine;
    for (int m = 0; (machine = strata_machine_at(m)); m++) {
        if (m == 0 || long_form() || !LONG_SANITIZED) {
            serve_by_plans(x, machine->name);
        }
    }
}

static void test_plans_only(void **state)
{
    (void)state;
    static const struct {
        const char *topology;
        int ranks;
    } of[] = {{"node:1", 4}, {"node:2", 4}, {"node:3", 7}, {"node:5", 5}, {"node:1", 1}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct instance x = instance_of(of[i].topology, of[i].ranks);
        x.problem.plans_only = true;
        serve_on_machines(&x); /* without node memory */
        assert_int_equal(instance_divide(&x, 1 << 20, 4096, 4, false), STRATA_OK);
        serve_on_machines(&x);
        instance_fini(&x);
    }
}

/* MPI's own call has one cost, whether it is chosen or asked for. An algorithm has the same cost
 * alone as in the choice. */
static void test_one_cost(void **state)
{
    (void)state;
    struct instance x = instance_of("node:4", 16);
    struct strata_selection alone;
    struct strata_machine cluster = *strata_machine_at(0);
    int natives = 0;
    assert_int_equal(instance_divide(&x, 1 << 20, 4096, 4, false), STRATA_OK);
    assert_int_equal(strata_machine_parse("cluster", &cluster, NULL), STRATA_OK);
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        for (x.problem.block_bytes = 8; x.problem.block_bytes < 1 << 20;
             x.problem.block_bytes *= 16) {
            x.problem.collective = (enum strata_collective)c;
            x.problem.most_bytes = (size_t)x.problem.block_bytes;
            struct strata_selection best = selected(&x, "auto", "cluster");
            ASSERT_CMP(cost(&x, &best.choice, "cluster"), ==, best.seconds);
            natives += best.choice.algorithm->level == STRATA_MPI;
            if (best.choice.algorithm->level != STRATA_MPI) {
                assert_true(
                    strata_select_algorithm(best.choice.algorithm, &x.problem, &cluster, &alone));
                ASSERT_CMP(alone.seconds, ==, best.seconds);
            }
        }
    }
    ASSERT_CMP(natives, >, 0);
    instance_fini(&x);
}

/* Selection reads agreed figures only, so every rank selects the same. */
static void test_ranks_agree(void **state)
{
    (void)state;
    struct instance x = instance_of("node:3:cyclic", 10);
    assert_int_equal(instance_divide(&x, 1 << 20, 4096, 4, false), STRATA_OK);
    struct strata_selection first = selected(&x, "auto", "cluster");
    for (int rank = 1; rank < 10; rank++) {
        x.problem.rank = rank;
        struct strata_selection mine = selected(&x, "auto", "cluster");
        assert_ptr_equal(mine.choice.algorithm, first.choice.algorithm);
        assert_memory_equal(mine.choice.parameter, first.choice.parameter,
                            sizeof first.choice.parameter);
        assert_string_equal(mine.why, first.why);
    }
    instance_fini(&x);
}

static void test_forced(void **state)
{
    (void)state;
    struct instance x = instance_of("node:4", 8);
    assert_int_equal(instance_divide(&x, 1 << 20, 4096, 4, false), STRATA_OK);
    struct strata_selection s = selected(&x, "leaders:leaders=2,radix=5,tree=1", "cluster");
    assert_string_equal(s.choice.algorithm->name, "leaders");
    assert_int_equal(s.choice.parameter[1], 5);
    assert_true(s.forced);
    assert_true(!s.refused);
    assert_string_equal(said(&s, "STRATA_ALLTOALLV"), "forced by STRATA_ALLTOALLV");
    s = selected(&x, "leaders:radix=3", "cluster");
    assert_int_equal(s.choice.parameter[1], 3);
    ASSERT_CMP(s.choice.parameter[0], >=, 1);
    ASSERT_CMP(s.choice.parameter[2], >=, 1);
    assert_string_equal(said(&s, "strata_comm_force"),
                        "forced by strata_comm_force, open parameters by cost");
    x.problem.collective = STRATA_ALLTOALL;
    s = selected(&x, "native", "cluster");
    assert_string_equal(s.choice.algorithm->name, "native");
    assert_string_equal(said(&s, strata_collective_info[STRATA_ALLTOALL].variable),
                        "forced by STRATA_ALLTOALL");
    instance_fini(&x);
}

/* Without staging memory log rounds are not applicable. Where they are forced, MPI's own call
 * serves. */
static void test_not_applicable(void **state)
{
    (void)state;
    struct instance x = instance_of("node:4", 8);
    x.problem.capacity.threshold = 4096;
    x.problem.capacity.passes = 1;
    struct strata_selection s = selected(&x, "leaders", "cluster");
    assert_string_equal(s.choice.algorithm->name, "native");
    assert_string_equal(s.refused->name, "leaders");
    assert_non_null(strstr(s.refusal, "staging budget"));
    assert_non_null(
        strstr(said(&s, "--algo"), "MPI's own: leaders, forced by --algo, is not applicable: "));
    assert_non_null(strstr(said(&s, "--algo"), s.refusal));
    s = selected(&x, "auto", "cluster");
    assert_string_not_equal(s.choice.algorithm->name, "leaders");
    assert_string_not_equal(s.choice.algorithm->name, "sloav");
    assert_false(s.forced);
    assert_non_null(strstr(s.why, "cheapest of "));
    assert_string_equal(said(&s, "--algo"), s.why);
    instance_fini(&x);
}

/* Small blocks over many nodes need log rounds, large blocks a message for each pair. */
static void test_sizes(void **state)
{
    (void)state;
    struct instance x = instance_of("node:32", 512);
    assert_int_equal(instance_divide(&x, (size_t)1 << 30, 4096, 4, false), STRATA_OK);
    x.problem.block_bytes = 8;
    assert_string_equal(selected(&x, "auto", "cluster").choice.algorithm->name, "leaders");
    assert_string_equal(selected(&x, "auto", "gigabit").choice.algorithm->name, "leaders");
    x.problem.block_bytes = 1 << 20;
    x.problem.collective = STRATA_ALLTOALL; /* here MPI's own can be chosen, too */
    assert_true(selected(&x, "auto", "cluster").choice.algorithm->level == STRATA_MPI ||
                strcmp(selected(&x, "auto", "cluster").choice.algorithm->name, "pairwise") == 0);
    instance_fini(&x);
}

/* Selection tries other values of the parameter of the algorithm between the nodes, with the same
 * meaning as in that algorithm alone. An unknown value is refused. On one node there is nothing to
 * vary. */
static void test_variants(void **state)
{
    (void)state;
    static const char link[] = "cluster:alpha=2e-6,beta=6.7e-10,copy=2e-10,gap=1e-9,ports=1";
    struct instance x = instance_of("node:32", 512), one = instance_of("node:1", 16);
    assert_int_equal(instance_divide(&x, (size_t)1 << 30, 4096, 4, false), STRATA_OK);
    assert_int_equal(instance_divide(&one, (size_t)1 << 30, 4096, 4, false), STRATA_OK);
    x.problem.collective = STRATA_BCAST;
    x.problem.block_bytes = x.problem.most_bytes = 1 << 20;
    struct strata_selection best = selected(&x, "auto", link), other;
    char name[96];
    strata_algorithm_name(best.choice.algorithm, best.choice.parameter, name, sizeof name);
    assert_non_null(strstr(name, "between=circulant_rooted,variant=2")); /* 16 segments a pass */
    for (int variant = 1; variant <= 4; variant++) {
        snprintf(name, sizeof name, "node_bcast:between=circulant_rooted,variant=%d", variant);
        assert_true(selected(&x, name, link).seconds > best.seconds || variant == 2);
    }
    x.problem.collective = one.problem.collective = STRATA_BARRIER;
    x.problem.most_bytes = 0;
    other = selected(&x, "node_barrier:between=dissemination,variant=5", link);
    assert_non_null(other.refused);
    assert_string_equal(other.refusal, "what is to run between the nodes has no such variant");
    best = selected(&one, "auto", "host");
    strata_algorithm_name(best.choice.algorithm, best.choice.parameter, name, sizeof name);
    assert_null(strstr(name, "variant"));
    instance_fini(&x);
    instance_fini(&one);
}

/* A tree's root sends nothing and receives most: between passes a reduction waits for it. */
static void test_receivers(void **state)
{
    (void)state;
    static const char link[] = "cluster:alpha=2e-6,beta=6.7e-10,copy=2e-10,gap=1e-9,ports=1";
    struct instance x = instance_of("node:32", 512);
    assert_int_equal(instance_divide(&x, (size_t)32 << 20, 4096, 4, false), STRATA_OK);
    x.problem.collective = STRATA_REDUCE;
    x.problem.block_bytes = x.problem.most_bytes = 1 << 20;
    double tree = selected(&x, "dpml:leaders=16,between=binomial", link).seconds;
    double halves = selected(&x, "dpml:leaders=16,between=rabenseifner", link).seconds;
    double bytes = 5 * x.problem.block_bytes; /* log2 32 vectors come */
    ASSERT_CMP(tree, >, 6.7e-10 * bytes);
    ASSERT_CMP(halves, <, tree / 1.5);
    instance_fini(&x);
}

/* Leaders of a lane send straight to each other where start-ups overlap: all at once, or few at a
 * time where memory holds no more. Where few messages can start at once they send in rounds. */
static void test_straight(void **state)
{
    (void)state;
    struct instance x = instance_of("node:32", 512);
    char name[96];
    assert_int_equal(instance_divide(&x, (size_t)1 << 30, 4096, 4, false), STRATA_OK);
    x.problem.block_bytes = 8;
    struct strata_selection best = selected(&x, "auto", "cluster:gap=1e-9,ports=1");
    strata_algorithm_name(best.choice.algorithm, best.choice.parameter, name, sizeof name);
    assert_non_null(strstr(name, "radix=32"));
    best = selected(&x, "auto", "cluster");
    strata_algorithm_name(best.choice.algorithm, best.choice.parameter, name, sizeof name);
    assert_null(strstr(name, "radix=32"));
    assert_int_equal(instance_divide(&x, (size_t)1 << 22, 4096, 4, false), STRATA_OK);
    x.problem.block_bytes = 64;
    x.problem.most_bytes = x.problem.capacity.longest = 64;
    best = selected(&x, "auto", "cluster:gap=1e-9,ports=1");
    strata_algorithm_name(best.choice.algorithm, best.choice.parameter, name, sizeof name);
    assert_non_null(strstr(name, "between=pairwise"));
    instance_fini(&x);
}

/* While no rank knows how long the blocks of an alltoallv are, it must collect figures about
 * them. */
static void test_ignorant(void **state)
{
    (void)state;
    struct instance x = instance_of("node:32", 512);
    assert_int_equal(instance_divide(&x, (size_t)1 << 30, 4096, 4, false), STRATA_OK);
    static const char fast[] = "cluster:gap=1e-9,ports=1";
    x.problem.block_bytes = 1024;
    assert_string_equal(selected(&x, "auto", fast).choice.algorithm->name, "leaders");
    x.problem.most_bytes = 1024;
    assert_string_equal(selected(&x, "auto", fast).choice.algorithm->name, "linear");
    instance_fini(&x);
}

/* Where MPI's own collectives keep a shared core in each wait, a plan of ours replaces them at any
 * size, even for an algorithm that they have themselves. */
static void test_native_turn(void **state)
{
    (void)state;
    static const int collectives[] = {STRATA_ALLTOALL, STRATA_ALLGATHER, STRATA_ALLGATHERV};
    static const char *const names[] = {"native", "bruck", "bruck"}; /* alltoall alone has a cost */
    struct instance x = instance_of("node:4", 8);
    assert_int_equal(instance_divide(&x, (size_t)1 << 20, 4096, 4, false), STRATA_OK);
    x.problem.block_bytes = 1 << 18;
    for (int i = 0; i < 3; i++) {
        x.problem.collective = collectives[i];
        struct strata_selection alike = selected(&x, "auto", "cluster:cores=1");
        struct strata_selection kept = selected(&x, "auto", "cluster:cores=1,native_turn=4e-3");
        assert_string_equal(alike.choice.algorithm->name, names[i]);
        assert_int_not_equal(kept.choice.algorithm->level, STRATA_MPI);
    }
    instance_fini(&x);
}

/* A rank alone leaves its copy to MPI's own, unless its threads share it and it is long enough for
 * them. A nonblocking call opens no team. */
static void test_threads(void **state)
{
    (void)state;
    const char *team = "cluster:threads=2,team=8192,opening=5e-6";
    struct instance x = instance_of("node:1", 1);
    assert_int_equal(instance_divide(&x, (size_t)1 << 20, 4096, 4, false), STRATA_OK);
    x.problem.collective = STRATA_ALLTOALL; /* MPI's own has a cost there */
    for (int bytes = 1024; bytes <= 1 << 20; bytes *= 4) {
        x.problem.block_bytes = bytes;
        x.problem.most_bytes = (size_t)bytes;
        struct strata_selection alone = selected(&x, "auto", "cluster");
        struct strata_selection shared = selected(&x, "auto", team);
        assert_int_equal(alone.choice.algorithm->level, STRATA_MPI);
        /* shared copies save half of bytes / 8e9 s, which is to be twice the opening */
        if (bytes < 160000) {
            assert_int_equal(shared.choice.algorithm->level, STRATA_MPI);
            ASSERT_CMP(shared.seconds, ==, alone.seconds);
        } else {
            assert_int_not_equal(shared.choice.algorithm->level, STRATA_MPI);
            ASSERT_CMP(shared.seconds, <, 0.7 * alone.seconds);
        }
        x.problem.nonblocking = true;
        ASSERT_CMP(selected(&x, "auto", team).seconds, ==, selected(&x, "auto", "cluster").seconds);
        x.problem.nonblocking = false;
    }
    instance_fini(&x);
}

/* Whether selection takes the algorithm for so many bytes, on ranks of one node that share two
 * cores or have one each. */
static bool takes(struct instance *x, const char *name, double bytes, const char *machine)
{
    x->problem.block_bytes = bytes;
    x->problem.most_bytes = (size_t)bytes;
    return strcmp(selected(x, "auto", machine).choice.algorithm->name, name) == 0;
}

/* Where ranks share cores, short vectors and blocks go ahead in the small ring, if there is one. */
static void test_going_ahead(void **state)
{
    (void)state;
    static const struct {
        enum strata_collective collective;
        const char *algorithm;
        double longest; /* the longest block that goes ahead */
    } algorithms[] = {{STRATA_BCAST, "node_bcast", 511},
                      {STRATA_REDUCE, "node_reduce", 511},
                      {STRATA_SCATTER, "node_scatter", 511},
                      {STRATA_GATHER, "node_gather", 511}};
    static const char *const shared = "host:cores=2", *const alone = "host";
    struct instance x = instance_of("node:1", 16);
    x.problem.commutative = true;
    for (int i = 0; i < (int)(sizeof algorithms / sizeof *algorithms); i++) {
        x.problem.collective = algorithms[i].collective;
        assert_int_equal(instance_divide(&x, (size_t)1 << 26, 4096, 4, false), STRATA_OK);
        assert_true(takes(&x, algorithms[i].algorithm, 8, shared));
        assert_true(takes(&x, algorithms[i].algorithm, algorithms[i].longest, shared));
        assert_false(takes(&x, algorithms[i].algorithm, 8, alone));
        x.problem.capacity.small = 0;
        assert_false(takes(&x, algorithms[i].algorithm, 8, shared));
    }
    instance_fini(&x);
}

/* However cheap reading others' memory is, single copies are not chosen below 8 KiB, not even for
 * nonblocking calls. The limits of other algorithms' sizes hold for blocking calls only. */
static void test_read(void **state)
{
    (void)state;
    struct instance x = instance_of("node:1", 2);
    x.problem.commutative = true;
    for (int beside = 0; beside < 2; beside++) {
        assert_int_equal(instance_divide(&x, (size_t)1 << 26, 4096, 4, false), STRATA_OK);
        x.problem.nonblocking = beside;
        x.problem.collective = STRATA_ALLTOALLV;
        assert_false(takes(&x, "single_copy", 8191, "host:fetch=1e-12,beta_fetch=1e-15"));
        assert_true(takes(&x, "single_copy", 8192, "host:fetch=1e-12,beta_fetch=1e-15"));
        x.problem.collective = STRATA_REDUCE;
        assert_int_equal(takes(&x, "node_reduce", 8, "host"), beside);
    }
    instance_fini(&x);
}

/* A limit that was measured where ranks share cores does not hold for ranks with a core each. The
 * readers of one rank's memory take turns, unless it is mapped, so a long vector of a bcast goes
 * through slots. Two ranks have one reader. */
static void test_own_cores(void **state)
{
    static const char *const shared = "host:cores=2", *const alone = "host";
    (void)state;
    struct instance x = instance_of("node:1", 16);
    x.problem.commutative = true;
    assert_int_equal(instance_divide(&x, (size_t)1 << 26, 4096, 4, false), STRATA_OK);
    x.problem.collective = STRATA_ALLREDUCE;
    assert_true(takes(&x, "dpml", 8192, alone));
    assert_false(takes(&x, "dpml", 8192, shared));
    x.problem.collective = STRATA_BCAST;
    assert_true(takes(&x, "node_bcast", 1 << 20, alone));
    assert_true(takes(&x, "node_bcast", 1 << 20, shared));
    x.problem.mapped = true;
    assert_true(takes(&x, "single_copy", 1 << 20, alone));
    instance_fini(&x);
    x = instance_of("node:1", 2);
    assert_int_equal(instance_divide(&x, (size_t)1 << 26, 4096, 4, false), STRATA_OK);
    x.problem.collective = STRATA_BCAST;
    assert_true(takes(&x, "single_copy", 1 << 20, alone));
    instance_fini(&x);
}

/* Reductions of short vectors go by the levels of a node where these make a tree of several hops:
 * not in a single cache, nor where each rank has one, nor where no level is known, nor where each
 * hop waits for a turn on a core. */
static void test_levels(void **state)
{
    (void)state;
    static const struct {
        const char *nodes, *machine;
        bool taken;
    } cases[] = {{"node:1 package:2 domain:4 cache:2", "host", true},
                 {"node:1 package:2", "host", true},
                 {"node:1 package:2", "host:cores=64", false},
                 {"node:1 package:1 domain:1 cache:1", "host", false},
                 {"node:1 cache:128", "host", false},
                 {"node:1", "host", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct instance x = instance_of(cases[i].nodes, 128);
        assert_int_equal(instance_divide(&x, (size_t)1 << 26, 4096, 4, false), STRATA_OK);
        x.problem.commutative = true;
        x.problem.collective = STRATA_ALLREDUCE;
        assert_int_equal(takes(&x, "node_levels", 8, cases[i].machine), cases[i].taken);
        x.problem.collective = STRATA_REDUCE;
        assert_int_equal(takes(&x, "node_levels", 8, cases[i].machine), cases[i].taken);
        instance_fini(&x);
    }
}

/* The members that read one line do so in turn, so a bcast of more than a line goes by levels, too,
 * where the machine tells near from far. */
static void test_bcast_by_levels(void **state)
{
    (void)state;
    struct instance x = instance_of("node:1 package:2 domain:4 cache:2", 128);
    assert_int_equal(instance_divide(&x, (size_t)1 << 26, 4096, 4, false), STRATA_OK);
    x.problem.collective = STRATA_BCAST;
    for (int bytes = 8; bytes <= 4096; bytes *= 8) {
        assert_true(takes(&x, "node_levels", bytes, "host"));
    }
    assert_true(takes(&x, "node_bcast", 512, "host:readers=0"));
    assert_true(takes(&x, "node_bcast", 4096, "host:readers=0"));
    instance_fini(&x);
    x = instance_of("node:1", 128);
    assert_int_equal(instance_divide(&x, (size_t)1 << 26, 4096, 4, false), STRATA_OK);
    x.problem.collective = STRATA_BCAST;
    assert_true(takes(&x, "node_bcast", 512, "host"));
    instance_fini(&x);
}

/* Where ranks share cores, blocks are taken as their owners arrive, wherever the blocks lie. */
static void test_taken_as_they_come(void **state)
{
    (void)state;
    static const int bytes[] = {16384, 65536, 262144, 2097152};
    for (int i = 0; i < 8; i++) {
        struct instance x = instance_of("node:1", i < 4 ? 8 : 16);
        assert_int_equal(instance_divide(&x, (size_t)1 << 26, 4096, 4, false), STRATA_OK);
        x.problem.collective = STRATA_ALLTOALLV;
        for (int mapped = 0; mapped < 2; mapped++) {
            x.problem.mapped = mapped;
            assert_true(takes(&x, "leaders", bytes[i % 4], "host:cores=2"));
        }
        instance_fini(&x);
    }
}

/* The root's own work takes no turns. So where ranks share cores, gathers and scatters go through
 * slots. Scans do so from the size on where MPI's own calls no longer let the first ranks go
 * ahead. */
static void test_root_alone(void **state)
{
    (void)state;
    static const struct {
        enum strata_collective collective;
        const char *algorithm;
        int bytes;
    } cases[] = {{STRATA_GATHER, "node_gather", 4096},  {STRATA_GATHER, "node_gather", 16384},
                 {STRATA_GATHER, "node_gather", 65536}, {STRATA_SCATTER, "node_scatter", 4096},
                 {STRATA_SCAN, "native", 256},          {STRATA_SCAN, "node_scan", 512}};
    struct instance x = instance_of("node:1", 16);
    assert_int_equal(instance_divide(&x, (size_t)1 << 25, 4096, 4, false), STRATA_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        x.problem.collective = cases[i].collective;
        if (!takes(&x, cases[i].algorithm, cases[i].bytes, "host:cores=2")) {
            fail_msg("%s of %d B does not go by %s", strata_collective_name(cases[i].collective),
                     cases[i].bytes, cases[i].algorithm);
        }
    }
    instance_fini(&x);
}

/* On hosts that are containers of one machine, blocks of 64 KiB go through the nodes. Scans along
 * the ranks are MPI's own, because the first ranks wait for nobody. */
static void test_containers(void **state)
{
    (void)state;
    static const struct {
        enum strata_collective collective;
        const char *algorithm;
    } cases[] = {{STRATA_ALLGATHER, "node_allgather"},
                 {STRATA_ALLGATHERV, "node_allgather"},
                 {STRATA_GATHER, "node_gather"},
                 {STRATA_REDUCE_SCATTER, "node_reduce_scatter"},
                 {STRATA_REDUCE_SCATTER_BLOCK, "node_reduce_scatter"},
                 {STRATA_BCAST, "node_bcast"},
                 {STRATA_REDUCE, "dpml"},
                 {STRATA_ALLREDUCE, "dpml"},
                 {STRATA_SCAN, "native"},
                 {STRATA_EXSCAN, "native"}};
    struct instance x = instance_of("node:4", 16);
    struct strata_machine machine = strata_machine_of_nodes(strata_machine_containers(), 4,
                                                            (struct strata_sharing){.ranks = 8});
    assert_int_equal(instance_divide(&x, (size_t)32 << 20, 4096, 4, false), STRATA_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t all = strata_collective_scatters(cases[i].collective) ? 16 : 1;
        x.problem.collective = cases[i].collective;
        x.problem.block_bytes = 65536;
        x.problem.most_bytes = 65536 * all;
        x.problem.capacity.longest = 65536;
        struct strata_selection s;
        assert_int_equal(strata_select(NULL, &x.problem, &machine, &s), STRATA_OK);
        if (strcmp(s.choice.algorithm->name, cases[i].algorithm) != 0) {
            fail_msg("%s goes by %s", strata_collective_name(cases[i].collective),
                     s.choice.algorithm->name);
        }
    }
    instance_fini(&x);
}

/* What it costs that messages of a pipeline of 4 segments wait for their receives. */
static double waiting_seconds(const char *topology, int ranks)
{
    const struct strata_algorithm *pipeline = strata_registry_find("pipeline");
    struct instance x = instance_of(topology, ranks);
    struct strata_machine machine = *strata_machine_containers();
    x.problem.collective = STRATA_BCAST;
    x.problem.block_bytes = 1 << 20;
    x.problem.parameter[0] = 4;
    struct strata_cost waits = strata_algorithm_cost(pipeline, &x.problem, &machine);
    machine.rendezvous = 0;
    struct strata_cost goes = strata_algorithm_cost(pipeline, &x.problem, &machine);
    instance_fini(&x);
    return strata_cost_time(&waits) - strata_cost_time(&goes);
}

/* A rank of a pipeline that is none of its ends waits for both neighbours in each round. */
static void test_pipeline_waits_for_both(void **state)
{
    (void)state;
    double one = strata_machine_containers()->rendezvous;
    assert_true(fabs(waiting_seconds("node:2", 2) - 4 * one) < 1e-9);
    assert_true(fabs(waiting_seconds("node:4", 4) - 6 * 2 * one) < 1e-9);
}

/* Where a node's ranks take turns on cores, one leader alone has messages for short blocks. With a
 * core for each rank all combine. A block that may be as long as all blocks together has too many
 * slices with data of it alone. */
static void test_leaders_of_a_reduce_scatter(void **state)
{
    (void)state;
    struct instance x = instance_of("node:4", 64);
    assert_int_equal(instance_divide(&x, (size_t)32 << 20, 4096, 4, false), STRATA_OK);
    x.problem.collective = STRATA_REDUCE_SCATTER;
    x.problem.block_bytes = 8;
    x.problem.most_bytes = 512;
    struct strata_selection turns = selected(&x, "auto", "containers:cores=1");
    struct strata_selection apart = selected(&x, "auto", "cluster");
    assert_string_equal(turns.choice.algorithm->name, "node_reduce_scatter");
    assert_string_equal(apart.choice.algorithm->name, "node_reduce_scatter");
    assert_int_equal(turns.choice.parameter[0], 1);
    assert_int_equal(apart.choice.parameter[0], 65536);
    x.problem.block_bytes = x.problem.capacity.longest = 16384;
    x.problem.most_bytes = 64 * 16384;
    assert_string_equal(selected(&x, "auto", "cluster").choice.algorithm->name,
                        "node_reduce_scatter");
    x.problem.capacity.longest = x.problem.most_bytes;
    assert_string_equal(selected(&x, "auto", "cluster").choice.algorithm->name,
                        "recursive_halving");
    instance_fini(&x);
}

/* Leaders alone put the result of an allreduce into slots, and a node's other members wait. So
 * where ranks share cores, more leaders do not finish sooner, and send more messages. */
static void test_leaders_of_an_allreduce(void **state)
{
    (void)state;
    struct strata_machine shared = strata_machine_of_nodes(strata_machine_containers(), 4,
                                                           (struct strata_sharing){.ranks = 8});
    struct instance x = instance_of("node:4", 16);
    struct strata_selection s;
    assert_int_equal(instance_divide(&x, (size_t)64 << 20, 4096, 4, false), STRATA_OK);
    x.problem.collective = STRATA_ALLREDUCE;
    x.problem.block_bytes = 1 << 20;
    x.problem.most_bytes = 1 << 20;
    assert_int_equal(strata_select(NULL, &x.problem, &shared, &s), STRATA_OK);
    assert_string_equal(s.choice.algorithm->name, "dpml");
    assert_int_equal(s.choice.parameter[0], 1);
    assert_int_equal(selected(&x, "dpml", "cluster").choice.parameter[0], 4);
    instance_fini(&x);
}

/* The long messages of Rabenseifner's algorithm stay in the nodes. So it serves a long allreduce
 * where slots are short, and a slightly cheaper node-aware plan serves elsewhere. MPI's own call
 * serves nowhere, because its algorithm is unknown. With ranks dealt to the nodes in turn the
 * messages leave the nodes. The machines are like the simulated clusters. */
static void test_long_allreduce(void **state)
{
    (void)state;
    static const char fast[] = "cluster:alpha=0.75e-6,beta=2e-11,alpha_node=0.3e-6,beta_node=1e-10,"
                               "overhead=0.3e-6,copy=8.3e-11,copy_block=5e-9,signal=0.3e-6,ports=1,"
                               "gap=1e-9";
    static const char slow[] =
        "cluster:alpha=2e-6,beta=6.7e-10,alpha_node=0.5e-6,beta_node=3.3e-10,"
        "overhead=0.25e-6,copy=2e-10,copy_block=8e-9,signal=0.5e-6,ports=1,"
        "gap=1e-9";
    static const struct {
        const char *layout, *machine, *algorithm;
        double bytes;
    } cases[] = {
        {"node:8", fast, "dpml", 65536},           {"node:8", fast, "rabenseifner", 262144},
        {"node:8", fast, "rabenseifner", 1 << 20}, {"node:8:cyclic", fast, "dpml", 262144},
        {"node:32", slow, "dpml", 65536},          {"node:32", slow, "dpml", 262144},
        {"node:32", slow, "dpml", 1 << 20}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct instance x = instance_of(cases[i].layout, 512);
        assert_int_equal(instance_divide(&x, (size_t)32 << 20, 4096, 4, false), STRATA_OK);
        x.problem.collective = STRATA_ALLREDUCE;
        x.problem.commutative = true;
        if (!takes(&x, cases[i].algorithm, cases[i].bytes, cases[i].machine)) {
            fail_msg("%g bytes on %s are not by %s", cases[i].bytes, cases[i].layout,
                     cases[i].algorithm);
        }
        instance_fini(&x);
    }
}

/* The middle ring serves a gatherv or scatterv in one node where its slots hold as much as the
 * large ring's, whatever is known of the blocks. Exposed blocks are announced in slots, so the
 * longest block leaves that room free. */
static void test_told_ring(void **state)
{
    (void)state;
    static const struct {
        const char *layout;
        size_t middle, threshold;
        enum strata_ring_kind ring;
    } cases[] = {{"node:1", STRATA_MIDDLE_SLOT, 4096, STRATA_MIDDLE_RING},
                 {"node:1", STRATA_MIDDLE_SLOT, 16384, STRATA_LARGE_RING},
                 {"node:1", 0, 4096, STRATA_LARGE_RING},
                 {"node:2", STRATA_MIDDLE_SLOT, 4096, STRATA_LARGE_RING}};
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        struct instance x = instance_of(cases[i].layout, 4);
        x.problem.collective = STRATA_SCATTERV;
        x.problem.capacity = (struct strata_capacity){.slot = 1 << 20,
                                                      .middle = cases[i].middle,
                                                      .threshold = cases[i].threshold,
                                                      .single_copy = true};
        for (x.problem.block_bytes = 0; x.problem.block_bytes < 20000;
             x.problem.block_bytes += 5000) {
            assert_int_equal(strata_between_lengths_ring(&x.problem), cases[i].ring);
        }
        assert_int_equal(strata_between_threshold(&x.problem), cases[i].threshold);
        x.problem.capacity.threshold = 1 << 21;
        assert_true(strata_between_exposes(&x.problem));
        ASSERT_CMP(strata_between_threshold(&x.problem) + strata_exposed_table_bytes(4), <,
                   (size_t)1 << 20);
        instance_fini(&x);
    }
}

/* Ranks with a node and a port each: a vector's plan may be an algorithm of MPI libraries where it
 * has a parameter, and a left fold even where nobody asks for one. Where bytes take most of the
 * time it need not be a tenth cheaper. None of this holds for blocks, or where no adapter moves the
 * bytes. */
static void test_ports_alone(void **state)
{
    (void)state;
    static const char ports[] = "cluster:beta=6.7e-10,ports=1,gap=1e-9";
    static const struct {
        enum strata_collective collective;
        const char *algorithm, *machine;
        double bytes;
    } cases[] = {{STRATA_BCAST, "knomial", ports, 8},
                 {STRATA_BCAST, "native", "containers", 8},
                 {STRATA_BCAST, "circulant_rooted", ports, 65536},
                 {STRATA_BCAST, "native", "containers", 65536},
                 {STRATA_ALLREDUCE, "native", ports, 1024},
                 {STRATA_ALLREDUCE, "fold_shares", ports, 65536},
                 {STRATA_ALLREDUCE, "circulant", "containers", 65536},
                 {STRATA_REDUCE_SCATTER_BLOCK, "fold_shares", ports, 65536},
                 {STRATA_REDUCE_SCATTER_BLOCK, "native", ports, 262144},
                 {STRATA_ALLGATHER, "native", ports, 8192}};
    if (!strata_registry_find("long_vector")) {
        printf("not run without the algorithms of tori, by which native ones are priced\n");
        skip();
    }
    struct instance x = instance_of("node:13", 13);
    x.problem.commutative = true;
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        x.problem.collective = cases[i].collective;
        x.problem.block_bytes = cases[i].bytes;
        x.problem.most_bytes = 13 * (size_t)cases[i].bytes;
        assert_string_equal(selected(&x, "auto", cases[i].machine).choice.algorithm->name,
                            cases[i].algorithm);
    }
    instance_fini(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_cost),
        cmocka_unit_test(test_cheapest),
        cmocka_unit_test(test_ranks_agree),
        cmocka_unit_test(test_forced),
        cmocka_unit_test(test_not_applicable),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_native_turn),
        cmocka_unit_test(test_going_ahead),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_own_cores),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_receivers),
        cmocka_unit_test(test_straight),
        cmocka_unit_test(test_ignorant),
        cmocka_unit_test(test_taken_as_they_come),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_bcast_by_levels),
        cmocka_unit_test(test_root_alone),
        cmocka_unit_test(test_containers),
        cmocka_unit_test(test_leaders_of_an_allreduce),
        cmocka_unit_test(test_pipeline_waits_for_both),
        cmocka_unit_test(test_leaders_of_a_reduce_scatter),
        cmocka_unit_test(test_long_allreduce),
        cmocka_unit_test(test_told_ring),
        cmocka_unit_test(test_ports_alone),
        cmocka_unit_test(test_plans_only),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
