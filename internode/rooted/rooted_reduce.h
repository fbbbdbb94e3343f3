/* Reductions on a tree of base `radix`. */
#ifndef STRATA_INTERNODE_ROOTED_ROOTED_REDUCE_H
#define STRATA_INTERNODE_ROOTED_ROOTED_REDUCE_H

#include "core/plan/algorithm.h"

void strata_rooted_reduce(const struct strata_problem *problem, int radix,
                          struct strata_builder *b);

#endif
