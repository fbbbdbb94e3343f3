/* What one call of an algorithm costs. */
#ifndef STRATA_CORE_COST_ALGORITHM_COST_H
#define STRATA_CORE_COST_ALGORITHM_COST_H

#include "core/cost/machine_cost.h"
#include "core/plan/algorithm.h"

/* What one call costs: the row's cost, or by its formula. */
struct strata_cost strata_algorithm_cost(const struct strata_algorithm *algorithm,
                                         const struct strata_problem *problem,
                                         const struct strata_machine *machine);
/* Ranks of a node that send at once, of a flat plan on whose longest path so many blocks or vectors
 * follow each other. On one host, where they share no ports but may share cores, it counts that of
 * a tree's ranks only some do: all together they send what the others get. */
double strata_algorithm_active(const struct strata_problem *problem, double blocks,
                               const struct strata_machine *machine);

#endif
