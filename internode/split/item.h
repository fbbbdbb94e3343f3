/* An item: a rank's colour, key, rank and address in one block of memory, which methods sort. */
#ifndef STRATA_INTERNODE_SPLIT_ITEM_H
#define STRATA_INTERNODE_SPLIT_ITEM_H

#include "internode/split/split.h"

/* Items, and colour and key in them, are aligned to 8. */
struct strata_item {
    int32_t rank, address; /* rank: in the chain that is split */
    int32_t colour, key;   /* their lengths in bytes; colour -1: in no group */
};

size_t strata_item_bytes(size_t colour, size_t key);
size_t strata_item_size(const struct strata_item *item);
/* Writes this rank's item; returns its size. */
size_t strata_item_pack(const struct strata_split *split, void *place);

/* Orders by colour (ranks in no group last), key, rank; never equal for two ranks. */
int strata_item_compare(const struct strata_split *split, const void *a, const void *b);
bool strata_item_same_group(const struct strata_split *split, const void *a, const void *b);
/* This rank's colour hashed for a round. */
uint64_t strata_item_hash(const struct strata_split *split, unsigned round);

#endif
