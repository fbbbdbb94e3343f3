#include "tests/sim/trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "hier/capacity.h"
#include "tests/algorithms.h"
#include "tests/assert_cmp.h"

static void draw_topology(struct trial *t)
{
    int node[TRIAL_RANKS], package[TRIAL_RANKS], numa[TRIAL_RANKS], cache[TRIAL_RANKS];
    int near[TRIAL_RANKS];
    int most = random_one_in(&t->r, 8) ? TRIAL_RANKS : random_one_in(&t->r, 3) ? 14 : 7;
    t->ranks = random_between(&t->r, 1, most);
    int nodes = random_between(&t->r, 1, t->ranks), order = random_below(&t->r, 3);
    for (int rank = 0; rank < t->ranks; rank++) {
        node[rank] = order == 0   ? rank * nodes / t->ranks
                     : order == 1 ? rank % nodes
                                  : random_below(&t->r, nodes);
        package[rank] = random_below(&t->r, 2);
        numa[rank] = random_below(&t->r, 3);
        cache[rank] = random_below(&t->r, 2);
        near[rank] = numa[rank] == 1 && t->ranks % 2 == 0;
    }
    bool known = random_one_in(&t->r, 2);
    const struct strata_inner_colours inner = {{package, numa, cache}, near};
    assert_int_equal(
        strata_topology_from_colours(t->ranks, node, known ? &inner : NULL, &t->topology),
        STRATA_OK);
    assert_int_equal(strata_topology_flat(t->ranks, &t->flat), STRATA_OK);
}

/* Draws a budget, from hardly any memory, for many passes, up to a generous one. */
static void draw_capacity(struct trial *t)
{
    static const size_t thresholds[] = {0, 1, 8, 13, 64, 64, 100, 100, 256, 300};
    size_t threshold = thresholds[random_below(&t->r, 10)];
    size_t budget = random_one_in(&t->r, 3) ? (size_t)1024 << random_below(&t->r, 9) : 512;
    int passes = random_between(&t->r, 1, 40);
    bool check = random_one_in(&t->r, 3);
    passes = random_one_in(&t->r, 3) ? 1 : passes;
    while (strata_capacity_divide(t->topology, budget, threshold, passes, check, &t->capacity)) {
        budget += budget / (size_t)random_between(&t->r, 1, 8);
        ASSERT_CMP(budget, <, 64u << 20);
    }
}

static void draw_world(struct trial *t)
{
    draw_topology(t);
    draw_capacity(t);
    t->options.rendezvous = random_one_in(&t->r, 2);
    t->options.seed = (unsigned)random_next(&t->r);
    t->options.schedule = random_below(&t->r, 4) % 3;
    assert_int_equal(strata_virtual_create(t->topology, t->capacity.slot, t->capacity.landing,
                                           &t->options, &t->world),
                     STRATA_OK);
}

static int draw_parameter(struct random *r, const struct strata_parameter *parameter)
{
    int choices = algorithm_choices(parameter);
    if (choices > 0 && !random_one_in(r, 3)) {
        return strata_parameter_choice(parameter, random_below(r, choices));
    }
    return random_between(r, parameter->least, algorithm_most_drawn(parameter, 38));
}

/* Draws parameters with which the algorithm is applicable; on a tight budget few are. */
static bool draw_parameters(struct random *r, const struct strata_algorithm *algorithm,
                            struct strata_problem *problem)
{
    for (int attempt = 0; attempt < 50; attempt++) {
        for (int i = 0; i < STRATA_PARAMETERS && algorithm->parameters[i].name; i++) {
            problem->parameter[i] = draw_parameter(r, &algorithm->parameters[i]);
        }
        if (!algorithm->applicable(problem)) {
            return true;
        }
    }
    return false;
}

enum { ROWS_OVER_ITEMS = 64 };

/* Lists the algorithms over items that run in the engine. */
static int find_algorithms(const struct strata_algorithm **items)
{
    const struct strata_algorithm *algorithm;
    int algorithms = 0;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        if (algorithm->level != STRATA_MPI && algorithm_over_items(algorithm)) {
            ASSERT_CMP(algorithms, <, ROWS_OVER_ITEMS);
            items[algorithms++] = algorithm;
        }
    }
    return algorithms;
}

/* Draws an algorithm that runs in the engine, until one is applicable. */
static const struct strata_algorithm *draw_algorithm(struct trial *t,
                                                     struct strata_problem *problem)
{
    static const struct strata_algorithm *items[ROWS_OVER_ITEMS];
    static int algorithms;
    algorithms = algorithms ? algorithms : find_algorithms(items);
    for (int attempt = 0; algorithms > 0 && attempt < 1000; attempt++) {
        const struct strata_algorithm *algorithm = items[random_below(&t->r, algorithms)];
        if (algorithm_serves(algorithm, problem->collective) &&
            draw_parameters(&t->r, algorithm, problem)) {
            return algorithm;
        }
    }
    fail_msg("seed %llu: no algorithm is applicable", (unsigned long long)t->seed);
    return NULL;
}

static void make_plans(struct trial *t, int c, struct strata_problem *problem)
{
    for (int rank = 0; rank < t->ranks; rank++) {
        struct strata_diagnostic message;
        problem->rank = rank;
        int status = strata_algorithm_plan(t->algorithm[c], problem, &t->plan[c][rank], &message);
        if (status != STRATA_OK) {
            fail_msg("seed %llu: %s is not built: %s", (unsigned long long)t->seed,
                     t->algorithm[c]->name, message.text);
        }
    }
}

static void draw_call(struct trial *t, int c)
{
    struct strata_problem problem = {.topology = t->topology, .flat = t->flat};
    problem.capacity = t->capacity;
    problem.collective = (enum strata_collective)random_below(&t->r, STRATA_ALLTOALLW + 1);
    t->algorithm[c] = draw_algorithm(t, &problem);
    make_plans(t, c, &problem);
    const struct strata_limits *limits = &t->plan[c][0]->limits;
    size_t near = random_one_in(&t->r, 4) ? limits->slice : limits->threshold;
    t->exchange[c] = exchange_create(
        &t->r, (struct exchange_shape){.ranks = t->ranks,
                                       .uniform = problem.collective == STRATA_ALLTOALL,
                                       .typed = problem.collective == STRATA_ALLTOALLW,
                                       .threshold = (int)near});
    for (int rank = 0; rank < t->ranks; rank++) {
        t->call[c * t->ranks + rank] =
            (struct strata_virtual_call){.plan = t->plan[c][rank],
                                         .input = exchange_input(t->exchange[c], rank)->layout,
                                         .output = t->exchange[c]->recv[rank].layout,
                                         .in_place = t->exchange[c]->in_place[rank],
                                         .check = t->capacity.check};
    }
}

void trial_init(struct trial *t, uint64_t seed, int calls)
{
    memset(t, 0, sizeof *t);
    t->seed = seed;
    t->r.state = random_mix(seed + 1);
    draw_world(t);
    t->ncalls = random_between(&t->r, 1, calls);
    for (int c = 0; c < t->ncalls; c++) {
        draw_call(t, c);
    }
}

void trial_fini(struct trial *t)
{
    for (int c = 0; c < t->ncalls; c++) {
        for (int rank = 0; rank < t->ranks; rank++) {
            strata_plan_destroy(t->plan[c][rank]);
        }
        exchange_destroy(t->exchange[c]);
    }
    strata_virtual_destroy(t->world);
    strata_topology_destroy(t->topology);
    strata_topology_destroy(t->flat);
}

const char *trial_name(const struct trial *t, int c)
{
    static char text[256];
    snprintf(
        text, sizeof text, "seed %llu, call %d of %d (%s, %d ranks on %d nodes, %s, schedule %d)",
        (unsigned long long)t->seed, c + 1, t->ncalls, t->plan[c][0]->name, t->ranks,
        t->topology->nodes, t->options.rendezvous ? "rendezvous" : "eager", t->options.schedule);
    return text;
}
