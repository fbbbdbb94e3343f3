/* Private to the cheng method: the exchange among the P ranks that sort ("leaders"). Splitter k is
 * the first item of leader k after the sort, so k * width items are below it. Leader k searches for
 * it; each other leader holds the range of its items where it may lie. */
#ifndef STRATA_INTERNODE_SPLIT_CHENG_H
#define STRATA_INTERNODE_SPLIT_CHENG_H

#include "internode/split/tree_sort.h"

/* Splitter k is the first item of leader k after the sort: it has k * width items below it.
 * Leader k looks for it; all the others hold a range of their items where it may lie. */
struct strata_cheng {
    struct strata_tree_sort *sort;
    int leaders, me;
    int *address;  /* [leaders] */
    size_t *where; /* [items] offsets of my items */
    int items;
    int *low, *high;        /* [leaders] my range for each splitter */
    int *cut, *own;         /* [leaders] items of mine below its guess; whether that is mine */
    unsigned char *guesses; /* [leaders] proposals to me, each of `stride` bytes */
    size_t stride;
    const unsigned char *guess; /* my current guess, one of these; NULL: my splitter is found */
    unsigned char *scratch;     /* two items, and memory for agreements */
    int64_t target, below;      /* items of all leaders below my splitter, and below my guess */
    int open;                   /* splitters that are not found yet */
};

size_t strata_cheng_memory(const struct strata_split_shape *shape, int width, int rank);
/* On each leader: replaces its sorted items by its part of the order over all leaders. */
int strata_cheng_sort(struct strata_tree_sort *sort, unsigned char *memory);

/* Sends to the leader `distance` behind this one, and receives from the one `distance` before it.
 * The distance is not 0. */
int strata_cheng_shift(const struct strata_cheng *c, int distance, const struct strata_items *out,
                       struct strata_items *in, size_t capacity);
/* Finds low[k], the number of my items below splitter k. */
int strata_cheng_split(struct strata_cheng *c);

#endif
