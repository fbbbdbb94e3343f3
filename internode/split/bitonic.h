/* Splitting by bitonic sort, for methods that end with that. */
#ifndef STRATA_INTERNODE_SPLIT_BITONIC_H
#define STRATA_INTERNODE_SPLIT_BITONIC_H

#include "internode/split/split.h"

/* Splits a part of the chain, in memory of strata_bitonic_memory bytes. */
size_t strata_bitonic_memory(const struct strata_split_shape *shape);
int strata_bitonic_split(struct strata_split *split, const struct strata_chain_links *chain,
                         struct strata_chain_links *group);

#endif
