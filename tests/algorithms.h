/* The rows of the registry that a test is about. */
#ifndef STRATA_TESTS_ALGORITHMS_H
#define STRATA_TESTS_ALGORITHMS_H

#include <stdlib.h>

#include "hier/registry.h"
#include "tests/random.h"

static inline bool algorithm_serves(const struct strata_algorithm *algorithm,
                                    enum strata_collective collective)
{
    return algorithm->collectives >> collective & 1u;
}

/* Sets each parameter to the first value that selection would take. */
static inline void algorithm_first_parameters(const struct strata_algorithm *algorithm,
                                              int *parameter)
{
    for (int i = 0; i < STRATA_PARAMETERS && algorithm->parameters[i].name; i++) {
        const struct strata_parameter *p = &algorithm->parameters[i];
        parameter[i] = p->automatic ? p->automatic : strata_parameter_choice(p, 0);
    }
}

/* The number of values that selection tries. */
static inline int algorithm_choices(const struct strata_parameter *p)
{
    int count = 0;
    while (strata_parameter_choice(p, count) != 0) {
        count++;
    }
    return count;
}

/* The greatest value that is worth a draw: the last value with a name, or else the least value plus
 * `few`. */
static inline int algorithm_most_drawn(const struct strata_parameter *p, int few)
{
    int most = strata_parameter_most(p);
    return strata_parameter_word(p, most) || most < p->least + few ? most : p->least + few;
}

/* Draws each parameter, of at most nine values. */
static inline void algorithm_draw_parameters(const struct strata_algorithm *algorithm,
                                             struct random *r, int *parameter)
{
    for (int i = 0; i < STRATA_PARAMETERS && algorithm->parameters[i].name; i++) {
        const struct strata_parameter *p = &algorithm->parameters[i];
        parameter[i] = random_between(r, p->least, algorithm_most_drawn(p, 8));
    }
}

/* Whether the algorithm serves the collective with plans over items (core/plan/plan.h), or by MPI's
 * own call. A plan for four ranks on two nodes shows it. */
static inline bool algorithm_over_items_for(const struct strata_algorithm *algorithm,
                                            enum strata_collective collective)
{
    struct strata_problem problem = {.collective = collective,
                                     .capacity = {1 << 20, 1 << 20, 1 << 20, 8, 1, false}};
    struct strata_topology *nodes = NULL, *flat = NULL;
    struct strata_plan *plan = NULL;
    if (!algorithm_serves(algorithm, collective)) {
        return false;
    }
    if (strata_topology_parse("node:2", 4, &nodes, NULL) || strata_topology_flat(4, &flat)) {
        abort();
    }
    problem.topology = nodes;
    problem.flat = flat;
    algorithm_first_parameters(algorithm, problem.parameter);
    int status = strata_algorithm_plan(algorithm, &problem, &plan, NULL);
    bool answer = status == STRATA_OK && !strata_plan_over_blocks(plan);
    strata_plan_destroy(status == STRATA_OK ? plan : NULL);
    strata_topology_destroy(nodes);
    strata_topology_destroy(flat);
    return answer;
}

static inline bool algorithm_over_items(const struct strata_algorithm *algorithm)
{
    return algorithm_over_items_for(algorithm, STRATA_ALLTOALLV);
}

#endif
