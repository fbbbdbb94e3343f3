/* Sorting along trees: of each M neighbouring ranks of a chain the first gathers all items, merged
 * on the way, and hands them back in order. */
#ifndef STRATA_INTERNODE_SPLIT_TREE_SORT_H
#define STRATA_INTERNODE_SPLIT_TREE_SORT_H

#include "internode/split/sorted.h"

struct strata_tree_sort {
    struct strata_split *split;
    int width;       /* M, a power of two */
    int local, here; /* this rank's place among the M; their number (fewer at the end) */
    struct strata_items mine, other, spare; /* sorted items; two areas for others */
    size_t capacity;                        /* of each */
    int far[STRATA_SIDES];                  /* addresses of the ranks that are M away on both
                                               sides */
};

/* The most items that a rank holds; the bytes of one list of `items` items. */
int strata_tree_sort_items(const struct strata_split_shape *shape, int width, int rank);
size_t strata_tree_sort_list(const struct strata_split_shape *shape, int items);
/* The bytes of three lists. */
size_t strata_tree_sort_memory(const struct strata_split_shape *shape, int width, int rank);

void strata_tree_sort_init(struct strata_tree_sort *sort, struct strata_split *split, int width,
                           unsigned char *memory);
/* Afterwards the first rank's `mine` has the items of all M ranks. */
int strata_tree_sort_up(struct strata_tree_sort *sort);
/* Sends item i of the first rank to rank i of the M, whose `mine` it becomes. */
int strata_tree_sort_down(struct strata_tree_sort *sort);

/* The end of both methods: one item on each rank, sorted over the chain, becomes the rank's
 * place. */
int strata_tree_sort_finish(struct strata_tree_sort *sort, unsigned char *memory,
                            struct strata_chain_links *group);

#endif
