/* Sorting along trees: each M neighbouring ranks of a chain gather their items, merged on the
 * way, at the first of them, and get them back in order. */
#ifndef STRATA_INTERNODE_SPLIT_TREE_SORT_H
#define STRATA_INTERNODE_SPLIT_TREE_SORT_H

#include "internode/split/sorted.h"

struct strata_tree_sort {
    struct strata_split *split;
    int width;       /* M, a power of two */
    int local, here; /* this rank's place among the M; how many they are (fewer at the end) */
    struct strata_items mine, other, spare; /* sorted items; two areas for others */
    size_t capacity;                        /* of each */
    int far[STRATA_SIDES];                  /* addresses of the ranks M to both sides */
};

/* How many items a rank holds at most; bytes that one list of so many needs. */
int strata_tree_sort_items(const struct strata_split_shape *shape, int width, int rank);
size_t strata_tree_sort_list(const struct strata_split_shape *shape, int items);
/* Three lists. */
size_t strata_tree_sort_memory(const struct strata_split_shape *shape, int width, int rank);

void strata_tree_sort_init(struct strata_tree_sort *sort, struct strata_split *split, int width,
                           unsigned char *memory);
/* Then the first rank's `mine` are the items of all M. */
int strata_tree_sort_up(struct strata_tree_sort *sort);
/* Item i of the first rank's goes to rank i of the M, whose `mine` it is then. */
int strata_tree_sort_down(struct strata_tree_sort *sort);

/* One item for each rank, sorted over the chain, to places: the end of both methods. */
int strata_tree_sort_finish(struct strata_tree_sort *sort, unsigned char *memory,
                            struct strata_chain_links *group);

#endif
