/* Splitting by an allgather and a local sort, for methods that end with that. */
#ifndef STRATA_INTERNODE_SPLIT_ALLGATHER_GROUP_H
#define STRATA_INTERNODE_SPLIT_ALLGATHER_GROUP_H

#include "internode/split/split.h"

/* Bytes of memory for `ranks` items of `total` bytes together. */
size_t strata_allgather_memory(const struct strata_split_shape *shape, int ranks, size_t total);
int strata_allgather_split(struct strata_split *split, const struct strata_chain_links *chain,
                           size_t before, size_t total, struct strata_chain_links *group);
/* The same where `before` and `total` are not known yet. */
int strata_allgather_part(struct strata_split *split, const struct strata_chain_links *chain,
                          struct strata_chain_links *group);

#endif
