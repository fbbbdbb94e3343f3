/* The node-aware allgather with every exchange between the nodes, any number of leaders, and random
 * layouts. It is proved, and virtual ranks run it on real bytes, several calls in a row. The test
 * also checks the traffic of each rank, and the refused cases.
 *
 * sanitized long: STRATA_TEST_LONG=1 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/cost/algorithm_cost.h"
#include "core/cost/plan_cost.h"
#include "internode/algorithms.h"
#include "sim/virtual/virtual_run.h"
#include "tests/algorithms.h"
#include "tests/assert_cmp.h"
#include "tests/hier/plans.h"
#include "tests/long.h"

enum { LEADERS, BETWEEN, VARIANT, TREE, CALLS = 4, MOST = 40, MOST_EXCHANGES = 64 };

static const struct strata_algorithm *node_allgather(void)
{
    const struct strata_algorithm *algorithm = strata_registry_find("node_allgather");
    assert_non_null(algorithm);
    return algorithm;
}

/* --- one world and the calls on it
 * ------------------------------------------------------------- */

struct call {
    char name[96];
    int exchange; /* a value of `between` */
    struct strata_plan *plan[PLANS_RANKS];
    bool uniform, in_place[PLANS_RANKS];
    int bytes[PLANS_RANKS], displs[PLANS_RANKS], total;
    unsigned char *input[PLANS_RANKS], *output[PLANS_RANKS];
};

struct trial {
    struct random r;
    struct world world;
    int ranks, ncalls, drawn;
    struct call call[CALLS];
    struct strata_virtual_call run[CALLS * PLANS_RANKS];
};

static struct strata_problem problem_of(const struct world *world)
{
    return (struct strata_problem){.collective = STRATA_ALLGATHERV,
                                   .topology = world->topology,
                                   .flat = world->flat,
                                   .most_bytes = MOST,
                                   .capacity = {.slot = 1 << 12, .landing = 1 << 20}};
}

static const struct strata_parameter *between(void)
{
    return &node_allgather()->parameters[BETWEEN];
}

/* Draws leaders and tree, and a variant of the exchange that can run between so many nodes. */
static void draw_parameters(struct trial *t, struct strata_problem *problem)
{
    problem->parameter[LEADERS] = random_between(&t->r, 1, t->world.topology->largest + 1);
    problem->parameter[TREE] = random_between(&t->r, 1, 2);
    do {
        problem->parameter[BETWEEN] =
            random_between(&t->r, between()->least, strata_parameter_most(between()));
        problem->parameter[VARIANT] = random_one_in(&t->r, 3) ? random_between(&t->r, 2, 5) : 1;
    } while (strata_algorithm_refusal(node_allgather(), problem));
    t->call[t->drawn++].exchange = problem->parameter[BETWEEN];
}

static unsigned char byte_of(int call, int rank, int i)
{
    return (
        unsigned char)(random_mix(((uint64_t)call * 1000 + (uint64_t)rank) * 1000 + (uint64_t)i) |
                       1);
}

static void draw_buffers(struct trial *t, int c)
{
    struct call *call = &t->call[c];
    int same = random_below(&t->r, MOST + 1);
    call->uniform = random_one_in(&t->r, 3);
    for (int rank = 0; rank < t->ranks; rank++) {
        call->bytes[rank] = call->uniform ? same : random_below(&t->r, MOST + 1);
        call->displs[rank] = call->total;
        call->total += call->bytes[rank] + (call->uniform ? 0 : random_below(&t->r, 3));
    }
    for (int rank = 0; rank < t->ranks; rank++) {
        call->output[rank] = calloc((size_t)call->total + 1, 1);
        call->in_place[rank] = random_one_in(&t->r, 3);
        call->input[rank] = call->in_place[rank] ? call->output[rank] + call->displs[rank]
                                                 : calloc((size_t)call->bytes[rank] + 1, 1);
        for (int i = 0; i < call->bytes[rank]; i++) {
            call->input[rank][i] = byte_of(c, rank, i);
        }
    }
}

static void draw_call(struct trial *t, int c)
{
    static const struct strata_type *const byte = &strata_byte_type;
    struct call *call = &t->call[c];
    struct strata_problem problem = problem_of(&t->world);
    draw_parameters(t, &problem);
    draw_buffers(t, c);
    for (int rank = 0; rank < t->ranks; rank++) {
        struct strata_diagnostic message = {""};
        problem.rank = rank;
        if (strata_algorithm_plan(node_allgather(), &problem, &call->plan[rank], &message)) {
            fail_msg("%s", message.text);
        }
        size_t count = call->uniform ? (size_t)call->bytes[0] : 0;
        const int *counts = call->uniform ? NULL : call->bytes;
        t->run[c * t->ranks + rank] = (struct strata_virtual_call){
            .plan = call->plan[rank],
            .input = {.base = call->input[rank], .type = byte, .count = (size_t)call->bytes[rank]},
            .output = {.base = call->output[rank],
                       .type = byte,
                       .counts = counts,
                       .displs = call->uniform ? NULL : call->displs,
                       .count = count},
            .in_place = call->in_place[rank],
            .work = {.type = byte, .counts = counts, .count = count}};
    }
    snprintf(call->name, sizeof call->name, "%s", call->plan[0]->name);
}

static void trial_init(struct trial *t, uint64_t seed, int most)
{
    memset(t, 0, sizeof *t);
    t->r.state = seed;
    do {
        t->ranks = random_between(&t->r, 2, most);
        world_destroy(&t->world);
        world_random(&t->r, t->ranks, &t->world);
    } while (t->world.topology->nodes == t->ranks);
    t->ncalls = random_between(&t->r, 1, CALLS);
    for (int c = 0; c < t->ncalls; c++) {
        draw_call(t, c);
    }
}

static void trial_fini(struct trial *t)
{
    for (int c = 0; c < t->ncalls; c++) {
        struct call *call = &t->call[c];
        for (int rank = 0; rank < t->ranks; rank++) {
            strata_plan_destroy(call->plan[rank]);
            if (!call->in_place[rank]) {
                free(call->input[rank]);
            }
            free(call->output[rank]);
        }
    }
    world_destroy(&t->world);
}

/* --- results
 * ------------------------------------------------------------------------- */

static void require_bytes(const struct trial *t, int c, int rank)
{
    const struct call *call = &t->call[c];
    int at = 0;
    for (int source = 0; source < t->ranks; source++) {
        for (; at < call->displs[source]; at++) {
            assert_int_equal(call->output[rank][at], 0);
        }
        for (int i = 0; i < call->bytes[source]; i++, at++) {
            if (call->output[rank][at] != byte_of(c, source, i)) {
                fail_msg("call %d, %s: byte %d from rank %d is wrong at rank %d", c, call->name, i,
                         source, rank);
            }
        }
    }
    assert_int_equal(call->output[rank][call->total], 0);
}

/* Only leaders send, and only to other nodes. */
static void require_traffic(const struct trial *t, int c, int rank)
{
    const struct strata_traffic_count *count = &t->run[c * t->ranks + rank].count;
    int leaders = 0, lanes = 0;
    assert_int_equal(sscanf(t->call[c].name, "node_allgather:leaders=%d", &leaders), 1);
    lanes = leaders < t->world.topology->largest ? leaders : t->world.topology->largest;
    bool leads = t->world.topology->turn_of[rank] < lanes && t->world.topology->nodes > 1;
    assert_int_equal(count->messages_node, 0);
    ASSERT_CMP((count->messages > 0), ==, leads);
}

static void run_trial(struct trial *t, const struct strata_virtual_options *options)
{
    struct strata_virtual *world = NULL;
    struct strata_diagnostic message = {""};
    assert_int_equal(strata_virtual_create(t->world.topology, 1 << 12, 1 << 20, options, &world),
                     STRATA_OK);
    if (strata_virtual_run(world, t->run, t->ncalls, &message) != STRATA_OK) {
        fail_msg("%s: %s", t->call[0].name, message.text);
    }
    strata_virtual_destroy(world);
    for (int c = 0; c < t->ncalls; c++) {
        for (int rank = 0; rank < t->ranks; rank++) {
            require_bytes(t, c, rank);
            require_traffic(t, c, rank);
        }
    }
}

/* Whether the exchange can run between some number of nodes. */
static bool serves(int value)
{
    struct random r = {77};
    bool served = false;
    for (int layout = 0; layout < 20 && !served; layout++) {
        struct world world;
        world_random(&r, 32, &world);
        struct strata_problem problem = problem_of(&world);
        problem.parameter[LEADERS] = problem.parameter[VARIANT] = problem.parameter[TREE] = 1;
        problem.parameter[BETWEEN] = value;
        served = world.topology->nodes > 2 && !strata_algorithm_refusal(node_allgather(), &problem);
        world_destroy(&world);
    }
    return served;
}

static void test_bytes(void **state)
{
    (void)state;
    static struct trial t;
    int run[MOST_EXCHANGES] = {0};
    int unequal = 0, exchanges = 0;
    for (unsigned seed = 0; seed < (unsigned)long_drawn(600); seed++) {
        trial_init(&t, seed, seed % 8 ? 16 : 64);
        unequal += t.world.topology->smallest < t.world.topology->largest;
        exchanges += t.world.topology->nodes > 1;
        for (int c = 0; c < t.ncalls; c++) {
            run[t.call[c].exchange] += t.world.topology->nodes > 2;
        }
        run_trial(&t, &(struct strata_virtual_options){.rendezvous = seed % 2,
                                                       .seed = seed,
                                                       .schedule = (int)(seed % 3),
                                                       .spans = seed / 6 % 2});
        trial_fini(&t);
    }
    ASSERT_CMP(unequal, >, long_drawn(600) / 3);
    ASSERT_CMP(exchanges, >, long_drawn(600) / 2);
    for (int value = 1; value <= strata_parameter_most(between()); value++) {
        print_message("between=%s: run %d times\n", strata_parameter_word(between(), value),
                      run[value]);
        assert_true(serves(value) ? run[value] >= long_drawn(10) : run[value] == 0);
    }
}

/* --- plans
 * --------------------------------------------------------------------------------------- */

/* Proves each call's plans alone, and all calls in a row. */
static void test_proof(void **state)
{
    (void)state;
    static struct trial t;
    for (unsigned seed = 0; seed < (unsigned)long_drawn(150); seed++) {
        const struct strata_plan *const *calls[CALLS];
        trial_init(&t, 1000 + seed, seed % 8 ? 16 : 64);
        for (int c = 0; c < t.ncalls; c++) {
            struct strata_diagnostic message = {""};
            calls[c] = (const struct strata_plan *const *)t.call[c].plan;
            if (strata_check_plan(calls[c], t.ranks, seed, &message) != STRATA_OK) {
                fail_msg("%s: %s", t.call[c].name, message.text);
            }
        }
        for (int schedule = 0; schedule < 3; schedule++) {
            struct strata_check options = {.rendezvous = seed % 2,
                                           .in_place = seed % 3 == 0,
                                           .seed = seed,
                                           .schedule = schedule};
            struct strata_diagnostic message = {""};
            if (strata_check_calls(calls, t.ncalls, t.ranks, &options, &message) != STRATA_OK) {
                fail_msg("%s | ...: %s", t.call[0].name, message.text);
            }
        }
        trial_fini(&t);
    }
}

/* The values of `between` are the names of all flat allgathers. An allgather that would send
 * leaders' own blocks, or that needs several ranks on a node, is refused. */
static void test_values(void **state)
{
    (void)state;
    const struct strata_algorithm *algorithm;
    int value = 0;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        if (algorithm->level == STRATA_FLAT && algorithm_serves(algorithm, STRATA_ALLGATHER)) {
            assert_ptr_equal(between()->algorithm(++value), algorithm);
            assert_string_equal(strata_parameter_word(between(), value), algorithm->name);
            assert_int_equal(strata_parameter_choice(between(), value - 1), value);
            assert_int_equal(serves(value),
                             !algorithm->returns && algorithm != &strata_locality_bruck);
        }
    }
    ASSERT_IN_RANGE(value, 12, MOST_EXCHANGES - 1);
    assert_int_equal(strata_parameter_most(between()), value);
    assert_int_equal(strata_parameter_choice(between(), value), 0);
    assert_null(strata_parameter_word(between(), value + 1));
}

/* The closed form's messages and bytes are those of the busiest rank's plan. */
static void require_cost(struct strata_problem *problem, const struct strata_machine *machine)
{
    struct strata_plan *plan = NULL;
    problem->rank = strata_busiest_rank(problem->topology);
    assert_int_equal(strata_algorithm_plan(node_allgather(), problem, &plan, NULL), STRATA_OK);
    struct strata_cost built = strata_plan_cost(plan, problem->block_bytes, machine);
    struct strata_cost closed = strata_algorithm_cost(node_allgather(), problem, machine);
    ASSERT_CMP(closed.messages, ==, built.messages);
    ASSERT_CMP(closed.messages_node, ==, 0);
    ASSERT_CMP(closed.bytes, >, 0.999 * built.bytes);
    ASSERT_CMP(closed.bytes, <, 1.001 * built.bytes);
    ASSERT_CMP(closed.signals, ==, built.signals);
    ASSERT_CMP(closed.copied, >=, (problem->topology->ranks + 1) * problem->block_bytes);
    strata_plan_destroy(plan);
}

static void test_cost(void **state)
{
    (void)state;
    struct world world;
    struct strata_machine machine;
    assert_int_equal(strata_machine_parse("cluster", &machine, NULL), STRATA_OK);
    world_parse("node:16", 192, &world);
    struct strata_problem problem = problem_of(&world);
    for (int value = 1; value <= strata_parameter_most(between()); value++) {
        double bytes = 0;
        for (int leaders = 1; leaders <= 12 && serves(value); leaders *= 2) {
            problem.parameter[LEADERS] = leaders == 8 ? 12 : leaders;
            problem.parameter[BETWEEN] = value;
            problem.parameter[VARIANT] = 1;
            problem.parameter[TREE] = 1 + value % 2;
            problem.block_bytes = 4096;
            require_cost(&problem, &machine);
            struct strata_cost cost = strata_algorithm_cost(node_allgather(), &problem, &machine);
            assert_true(leaders == 1 || cost.bytes < 0.7 * bytes); /* more leaders share them */
            bytes = cost.bytes;
        }
    }
    world_destroy(&world);
}

static void test_refusals(void **state)
{
    (void)state;
    struct world world;
    world_parse("node:3,2", 5, &world);
    struct strata_problem problem = problem_of(&world);
    problem.parameter[LEADERS] = problem.parameter[VARIANT] = problem.parameter[TREE] = 1;
    problem.parameter[BETWEEN] = 1;
    assert_null(node_allgather()->applicable(&problem));
    problem.capacity.slot = 64 + MOST;
    problem.capacity.landing = 3 * MOST;
    assert_null(node_allgather()->applicable(&problem));
    problem.capacity.landing--;
    assert_non_null(strstr(node_allgather()->applicable(&problem), "other nodes"));
    problem.capacity.slot--;
    assert_non_null(strstr(node_allgather()->applicable(&problem), "longest block"));
    problem.capacity.slot = problem.most_bytes = 0;
    assert_non_null(strstr(node_allgather()->applicable(&problem), "longest block"));
    world_destroy(&world);
    world_parse("node:5", 5, &world);
    problem = problem_of(&world);
    problem.parameter[LEADERS] = problem.parameter[BETWEEN] = 1;
    problem.parameter[VARIANT] = problem.parameter[TREE] = 1;
    assert_non_null(strstr(node_allgather()->applicable(&problem), "node of its own"));
    world_destroy(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_bytes),  cmocka_unit_test(test_proof),
        cmocka_unit_test(test_cost),
    };
    return cmocka_run_group_tests_name("node_allgather", tests, NULL, NULL);
}
