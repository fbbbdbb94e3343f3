/* Items one behind another, merged and sorted. */
#ifndef STRATA_INTERNODE_SPLIT_ITEMS_H
#define STRATA_INTERNODE_SPLIT_ITEMS_H

#include "internode/split/item.h"

struct strata_items {
    unsigned char *bytes;
    size_t size;
};
/* c := a and b, each sorted, merged. */
void strata_items_merge(const struct strata_split *split, const struct strata_items *a,
                        const struct strata_items *b, struct strata_items *c);
/* Fills where: offsets of all items, as they lie; returns how many. */
int strata_items_index(const struct strata_items *items, size_t *where);
/* Sorts the offsets by the items there. */
void strata_items_sort(const struct strata_split *split, const struct strata_items *items,
                       size_t *where, int count);

#endif
