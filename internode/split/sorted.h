/* Splitting by sorting: once the i-th rank of a chain holds its i-th lowest item, neighbours
 * compare items to see where groups end, a double scan counts, and each item's owner is told its
 * place. */
#ifndef STRATA_INTERNODE_SPLIT_SORTED_H
#define STRATA_INTERNODE_SPLIT_SORTED_H

#include "internode/split/items.h"

/* Memory for three items, each with room for an address. */
struct strata_sorted {
    unsigned char *mine, *other[STRATA_SIDES];
};
size_t strata_sorted_memory(const struct strata_split_shape *shape);
/* Returns the memory behind the part that it uses. */
unsigned char *strata_sorted_init(struct strata_sorted *sorted,
                                  const struct strata_split_shape *shape, unsigned char *memory);

/* `mine` holds the item that is at this rank's place in the sorted chain. */
int strata_sorted_place(struct strata_split *split, const struct strata_chain_links *chain,
                        const struct strata_sorted *sorted, struct strata_chain_links *group);

/* Finds this rank's place among all items, whose offsets in `where` are sorted. */
void strata_items_find(const struct strata_split *split, const struct strata_items *items,
                       const size_t *where, int count, struct strata_chain_links *group);

#endif
