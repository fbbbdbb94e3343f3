/* Gather and scatter on a tree of base `radix`. */
#ifndef STRATA_INTERNODE_ROOTED_ROOTED_RANKED_H
#define STRATA_INTERNODE_ROOTED_ROOTED_RANKED_H

#include "core/plan/algorithm.h"

void strata_rooted_gather(const struct strata_problem *problem, int radix,
                          struct strata_builder *b);
void strata_rooted_scatter(const struct strata_problem *problem, int radix,
                           struct strata_builder *b);

#endif
