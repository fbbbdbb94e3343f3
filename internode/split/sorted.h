/* Splitting by sorting: once the i-th rank of a chain holds its i-th lowest item, neighbours compare
 * items to see where groups end, a double scan counts, and each item's owner is told its place. */
#ifndef STRATA_INTERNODE_SPLIT_SORTED_H
#define STRATA_INTERNODE_SPLIT_SORTED_H

#include "internode/split/item.h"

/* Memory for three items, each with room for an address. */
struct strata_sorted {
    unsigned char *mine, *other[STRATA_SIDES];
};
size_t strata_sorted_memory(const struct strata_split_shape *shape);
/* Returns what follows in memory. */
unsigned char *strata_sorted_init(struct strata_sorted *sorted,
                                  const struct strata_split_shape *shape, unsigned char *memory);

/* mine holds this rank's sorted item of the chain. */
int strata_sorted_place(struct strata_split *split, const struct strata_chain_links *chain,
                        const struct strata_sorted *sorted, struct strata_chain_links *group);

/* The whole of bitonic sort, on a part of the chain; in memory of strata_bitonic_memory bytes. */
size_t strata_bitonic_memory(const struct strata_split_shape *shape);
int strata_bitonic_split(struct strata_split *split, const struct strata_chain_links *chain,
                         struct strata_chain_links *group);
/* The whole of allgather and a local sort; memory for `ranks` items of together `total` bytes. */
size_t strata_allgather_memory(const struct strata_split_shape *shape, int ranks, size_t total);
int strata_allgather_split(struct strata_split *split, const struct strata_chain_links *chain,
                           size_t before, size_t total, struct strata_chain_links *group);
/* The same where before and total are not known yet. */
int strata_allgather_part(struct strata_split *split, const struct strata_chain_links *chain,
                          struct strata_chain_links *group);
/* All items sorted by their offsets in where: where is this rank's? */
void strata_items_find(const struct strata_split *split, const struct strata_items *items,
                       const size_t *where, int count, struct strata_chain_links *group);

#endif
