#include "core/cost/algorithm_cost.h"

#include <math.h>

#include "core/cost/formula_cost.h"
#include "core/cost/links.h"
#include "core/cost/round_cost.h"
#include "core/plan/slices.h"

double strata_algorithm_active(const struct strata_problem *problem, double blocks,
                               const struct strata_machine *machine)
{
    const struct strata_topology *t = problem->topology;
    bool tree = strata_collective_info[problem->collective].root != '-';
    if (machine->ports > 0 || !tree || blocks <= 0) {
        return t->largest;
    }
    return fmin((t->ranks - 1) / blocks, t->largest);
}

static bool has_rounds(const struct strata_algorithm *algorithm,
                       const struct strata_problem *problem)
{
    struct strata_flat_round round = {STRATA_ONWARD};
    return algorithm->round && algorithm->round(problem, 0, &round);
}

static struct strata_cost cost_of_rounds(const struct strata_algorithm *algorithm,
                                         const struct strata_problem *problem,
                                         const struct strata_machine *machine)
{
    struct strata_cost total = {0};
    struct strata_formula formula = algorithm->formula(problem);
    for (int i = 0;; i++) {
        struct strata_flat_round round = {STRATA_ONWARD};
        if (!algorithm->round(problem, i, &round)) {
            break;
        }
        strata_cost_round(&total, problem->topology, &round, problem->block_bytes, machine);
    }
    strata_formula_work(&total, &formula, problem->block_bytes, machine);
    return total;
}

/* Where each rank has a node, the machine becomes what the algorithm's messages see of it. */
static struct strata_cost cost_at_once(const struct strata_algorithm *algorithm,
                                       const struct strata_problem *problem,
                                       struct strata_machine *machine)
{
    if (strata_cost_tells_nodes(problem->topology, machine) && has_rounds(algorithm, problem)) {
        return cost_of_rounds(algorithm, problem, machine);
    }
    strata_machine_route_mean(machine, algorithm, problem);
    if (algorithm->cost) {
        return algorithm->cost(problem, machine);
    }
    struct strata_formula formula = algorithm->formula(problem);
    struct strata_machine contended = strata_machine_contended(
        machine, strata_algorithm_active(problem, formula.blocks, machine));
    return strata_formula_cost(&formula, problem->block_bytes, &contended);
}

static struct strata_cost cost_of(const struct strata_algorithm *algorithm,
                                  const struct strata_problem *problem,
                                  const struct strata_machine *machine)
{
    const struct strata_collective_info *info = &strata_collective_info[problem->collective];
    struct strata_machine seen = strata_machine_reading_all(machine, problem->topology);
    struct strata_slices s;
    if (strata_slices_find(algorithm, problem, &s)) {
        struct strata_cost total = algorithm->cost(&s.problem, &seen);
        strata_cost_scale(&total, s.passes);
        return total;
    }
    struct strata_cost total = cost_at_once(algorithm, problem, &seen);
    if (algorithm->level == STRATA_FLAT && info->root == 'o' && info->ranked) {
        /* the cost of a flat algorithm is the cost of the rank that sends most */
        double others = problem->topology->ranks - 1;
        strata_cost_take(&total, others, others * problem->block_bytes, &seen);
    }
    return total;
}

/* The parts of a call, which have costs of their own, open no further team. */
struct strata_cost strata_algorithm_cost(const struct strata_algorithm *algorithm,
                                         const struct strata_problem *problem,
                                         const struct strata_machine *machine)
{
    const struct strata_machine alone = strata_machine_alone(machine);
    if (machine->threads > 1 && !problem->nonblocking) {
        struct strata_machine opened = *machine;
        opened.opening = 0;
        struct strata_cost shared = cost_of(algorithm, problem, &opened);
        if (strata_cost_opens_team(&shared, machine)) {
            shared.time_start += machine->opening;
            return shared;
        }
    }
    return cost_of(algorithm, problem, &alone);
}
