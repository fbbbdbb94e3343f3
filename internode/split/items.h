/* Lists of items, one behind another: merged and sorted. */
#ifndef STRATA_INTERNODE_SPLIT_ITEMS_H
#define STRATA_INTERNODE_SPLIT_ITEMS_H

#include "internode/split/item.h"

struct strata_items {
    unsigned char *bytes;
    size_t size;
};
/* c := a and b merged; both are sorted. */
void strata_items_merge(const struct strata_split *split, const struct strata_items *a,
                        const struct strata_items *b, struct strata_items *c);
/* Writes the offsets of all items to `where`, in the order of memory; returns their number. */
int strata_items_index(const struct strata_items *items, size_t *where);
/* Sorts the offsets by the items that they point to. */
void strata_items_sort(const struct strata_split *split, const struct strata_items *items,
                       size_t *where, int count);

#endif
