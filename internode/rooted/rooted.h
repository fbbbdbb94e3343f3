/* k-nomial trees: bcast, reduce, gather and scatter for the algorithms `binomial` and `knomial`. */
#ifndef STRATA_INTERNODE_ROOTED_ROOTED_H
#define STRATA_INTERNODE_ROOTED_ROOTED_H

#include "core/cost/machine_cost.h"
#include "core/plan/algorithm.h"

#define STRATA_TREE_COLLECTIVES                                                                    \
    (1u << STRATA_BCAST | 1u << STRATA_REDUCE | 1u << STRATA_GATHER | 1u << STRATA_GATHERV |       \
     1u << STRATA_SCATTER | 1u << STRATA_SCATTERV)

void strata_rooted_build(const struct strata_problem *problem, int radix, struct strata_builder *b);
struct strata_formula strata_rooted_formula(const struct strata_problem *problem, int radix);
struct strata_cost strata_rooted_cost(const struct strata_problem *problem, int radix,
                                      const struct strata_machine *machine);

#endif
