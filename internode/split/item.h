/* What is sorted: a rank's colour, key, rank and address in one block of memory. */
#ifndef STRATA_INTERNODE_SPLIT_ITEM_H
#define STRATA_INTERNODE_SPLIT_ITEM_H

#include "internode/split/split.h"

/* Aligned to 8 in any list of items, and so are colour and key in it. */
struct strata_item {
    int32_t rank, address; /* rank: in the chain that is split */
    int32_t colour, key;   /* their bytes; colour -1: in no group */
};

size_t strata_item_bytes(size_t colour, size_t key);
size_t strata_item_size(const struct strata_item *item);
/* This rank's own; returns its size. */
size_t strata_item_pack(const struct strata_split *split, void *place);

/* By colour (in no group: last), key, rank: never equal for two ranks. */
int strata_item_compare(const struct strata_split *split, const void *a, const void *b);
bool strata_item_same_group(const struct strata_split *split, const void *a, const void *b);
/* This rank's colour hashed for a round. */
uint64_t strata_item_hash(const struct strata_split *split, unsigned round);

#endif
