/* Costs where the busiest sender is not on the critical path: in a gather the root only receives,
 * and a rank that gives its data away before the rounds does nothing in them. */
#ifndef STRATA_INTERNODE_PARTS_PATH_H
#define STRATA_INTERNODE_PARTS_PATH_H

#include "core/cost/algorithm_cost.h"
#include "core/cost/formula_cost.h"
#include "core/plan/algorithm.h"

/* The cost of a call of this formula, where `messages` messages with `blocks` blocks or vectors in
 * all follow each other on the longest path. */
static inline struct strata_cost strata_path_cost(struct strata_formula formula, double messages,
                                                  double blocks,
                                                  const struct strata_problem *problem,
                                                  const struct strata_machine *machine)
{
    struct strata_machine contended =
        strata_machine_contended(machine, strata_algorithm_active(problem, blocks, machine));
    formula.messages = messages;
    formula.blocks = blocks;
    return strata_formula_cost(&formula, problem->block_bytes, &contended);
}

#endif
