#include "tests/hier/plans.h"

#include "tests/algorithms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/plan/limits.h"

/* Draws node sizes that add up to `ranks`, near equal or any. */
static int random_sizes(struct random *r, int ranks, int *size)
{
    int nodes = random_between(r, 1, random_one_in(r, 2) ? ranks : 1 + ranks / 4);
    for (int n = 0; n < nodes; n++) {
        size[n] = 1;
    }
    bool equal = random_one_in(r, 3);
    for (int left = ranks - nodes, n = 0; left > 0; left--, n++) {
        size[equal ? n % nodes : random_below(r, nodes)]++;
    }
    return nodes;
}

static void deal_blocks(const int *size, int nodes, int *node_of)
{
    for (int n = 0, rank = 0; n < nodes; n++) {
        for (int i = 0; i < size[n]; i++) {
            node_of[rank++] = n;
        }
    }
}

static void deal_in_turn(const int *size, int nodes, int ranks, int *node_of)
{
    for (int round = 0, rank = 0; rank < ranks; round++) {
        for (int n = 0; n < nodes; n++) {
            if (size[n] > round) {
                node_of[rank++] = n;
            }
        }
    }
}

void world_random(struct random *r, int ranks, struct world *world)
{
    int size[PLANS_RANKS], node_of[PLANS_RANKS], numa[PLANS_RANKS], cache[PLANS_RANKS];
    int near[PLANS_RANKS];
    int nodes = random_sizes(r, ranks, size), order = random_below(r, 3);
    int domains = random_between(r, 1, 3), length = random_between(r, 1, 8);
    int shorter = random_between(r, 1, length);
    if (order == 1) {
        deal_in_turn(size, nodes, ranks, node_of);
    } else {
        deal_blocks(size, nodes, node_of);
    }
    if (order == 2) {
        random_shuffle(r, node_of, ranks);
    }
    for (int rank = 0; rank < ranks; rank++) {
        numa[rank] = rank / length % domains;
        cache[rank] = rank / shorter;
        near[rank] = numa[rank] == 1 && ranks % 2 == 0;
    }
    struct strata_inner_colours inner = {{NULL, numa, cache}, near};
    assert_int_equal(strata_topology_from_colours(ranks, node_of, &inner, &world->topology), 0);
    assert_int_equal(strata_topology_flat(ranks, &world->flat), 0);
}

void world_parse(const char *text, int ranks, struct world *world)
{
    struct strata_diagnostic message;
    assert_int_equal(strata_topology_parse(text, ranks, &world->topology, &message), 0);
    assert_int_equal(strata_topology_flat(ranks, &world->flat), 0);
}

void world_destroy(struct world *world)
{
    strata_topology_destroy(world->topology);
    strata_topology_destroy(world->flat);
}

static int random_choice(struct random *r, const struct strata_parameter *parameter)
{
    int drawn =
        strata_parameter_choice(parameter, random_below(r, algorithm_choices(parameter) + 1));
    return drawn ? drawn : parameter->least;
}

void parameters_random(struct random *r, const struct strata_algorithm *algorithm,
                       const struct world *world, int *parameter)
{
    for (int i = 0; i < STRATA_PARAMETERS && algorithm->parameters[i].name; i++) {
        const char *name = algorithm->parameters[i].name;
        if (parameter[i]) {
            continue;
        }
        parameter[i] = strcmp(name, "radix") == 0 ? random_between(r, 2, 8)
                       : strcmp(name, "leaders") == 0
                           ? random_between(r, 1, world->topology->largest)
                           : random_choice(r, &algorithm->parameters[i]);
    }
}

struct question {
    const struct strata_algorithm *algorithm;
    struct strata_problem problem;
    int passes;
};

static struct strata_plan *plan_of(struct question *q, int rank, size_t memory)
{
    struct strata_plan *plan = NULL;
    q->problem.rank = rank;
    q->problem.capacity.slot = q->problem.capacity.landing = q->problem.capacity.scratch = memory;
    int status = strata_algorithm_plan(q->algorithm, &q->problem, &plan, NULL);
    assert_true(status == STRATA_OK || status == STRATA_ERR_UNSUPPORTED);
    return plan;
}

/* Whether the memory is so small that the plan has as many passes, or that there is none. */
static bool tight(const void *argument, size_t memory)
{
    struct question q = *(const struct question *)argument;
    struct strata_plan *plan = plan_of(&q, 0, memory);
    bool answer = !plan || plan->limits.passes >= q.passes;
    strata_plan_destroy(plan);
    return answer;
}

/* The most memory that gives so many passes. Where none does, the least memory that gives a
 * plan. */
static size_t memory_for(const struct question *q, size_t ample)
{
    if (q->passes == 1) {
        return ample;
    }
    size_t memory = strata_largest_fitting(ample, tight, q);
    struct question copy = *q;
    struct strata_plan *plan = plan_of(&copy, 0, memory);
    strata_plan_destroy(plan);
    return plan || memory == ample ? memory : memory + 1;
}

void plans_build(const struct strata_algorithm *algorithm, const struct world *world,
                 const int *parameter, int passes, struct plans *plans)
{
    const size_t ample = (size_t)1 << 30;
    struct question q = {.algorithm = algorithm, .passes = passes};
    char where[96];
    q.problem.collective =
        algorithm->collectives >> STRATA_ALLTOALLV & 1 ? STRATA_ALLTOALLV : STRATA_ALLTOALL;
    q.problem.topology = world->topology;
    q.problem.flat = world->flat;
    q.problem.capacity.threshold = 24;
    q.problem.capacity.passes = passes;
    q.problem.capacity.single_copy = true;
    memcpy(q.problem.parameter, parameter, sizeof q.problem.parameter);
    size_t memory = memory_for(&q, ample);
    plans->ranks = world->topology->ranks;
    for (int r = 0; r < plans->ranks; r++) {
        plans->of[r] = plan_of(&q, r, memory);
        assert_non_null(plans->of[r]);
    }
    strata_topology_describe(world->topology, where, sizeof where);
    snprintf(plans->text, sizeof plans->text, "%s, %d passes, %s", plans->of[0]->name,
             plans->of[0]->limits.passes, where);
}

void plans_destroy(struct plans *plans)
{
    for (int r = 0; r < plans->ranks; r++) {
        strata_plan_destroy(plans->of[r]);
    }
}

const struct strata_plan *const *plans_of(const struct plans *plans)
{
    return (const struct strata_plan *const *)plans->of;
}

void plans_require(const struct plans *plans, unsigned seed)
{
    struct strata_diagnostic message = {""};
    if (strata_check_plan(plans_of(plans), plans->ranks, seed, &message) != STRATA_OK) {
        fail_msg("%s: %s", plans->text, message.text);
    }
}
