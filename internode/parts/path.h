/* Costs where the busiest sender is not on the critical path: in a gather the root only receives,
 * and a rank that gives its data away before the rounds does nothing in them. */
#ifndef STRATA_INTERNODE_PARTS_PATH_H
#define STRATA_INTERNODE_PARTS_PATH_H

#include "core/cost/algorithm_cost.h"
#include "core/cost/formula_cost.h"
#include "core/cost/round_cost.h"
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

/* The cost of messages of a tree or chain along rows of ranks that share nodes: those `between`
 * nodes, where one rank of each node sends at a time, and then those `inside` them. */
static inline struct strata_cost strata_rows_cost(const struct strata_formula *between,
                                                  const struct strata_formula *inside,
                                                  double block_bytes,
                                                  const struct strata_machine *machine)
{
    struct strata_machine alone = strata_machine_contended(machine, 1);
    struct strata_machine node = strata_machine_inside(&alone);
    struct strata_cost total = strata_formula_cost(between, block_bytes, &alone);
    struct strata_cost more = strata_formula_cost(inside, block_bytes, &node);
    strata_cost_add(&total, &more);
    return total;
}

/* Whether ranks lie so. */
static inline bool strata_in_rows(const struct strata_problem *problem,
                                  const struct strata_machine *machine)
{
    return problem->topology->row > 1 && strata_cost_tells_nodes(problem->topology, machine);
}

#endif
