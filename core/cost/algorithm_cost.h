/* The cost of one call of an algorithm. */
#ifndef STRATA_CORE_COST_ALGORITHM_COST_H
#define STRATA_CORE_COST_ALGORITHM_COST_H

#include "core/cost/machine_cost.h"
#include "core/plan/algorithm.h"

/* The cost of one call, by the algorithm's cost function or else by its formula. */
struct strata_cost strata_algorithm_cost(const struct strata_algorithm *algorithm,
                                         const struct strata_problem *problem,
                                         const struct strata_machine *machine);
/* The number of ranks of a node that send at once, in a flat plan whose longest path has `blocks`
 * blocks or vectors one after another. On one host ranks share no ports, but may share cores. There
 * it counts that only some ranks of a tree send at a time: all ranks together send what the others
 * receive. */
double strata_algorithm_active(const struct strata_problem *problem, double blocks,
                               const struct strata_machine *machine);

#endif
