/* Sets of items in an index space, as short lists of boxes in a mixed-radix space.
 *
 * A box has up to STRATA_BOX_DIMS dimensions; the first varies slowest. Coordinate c of dimension d
 * runs over (start + i) mod extent, i = 0 .. length-1 (extent 0: no wrap), and contributes c *
 * stride to the value. Values >= limit are left out. The values that remain are rotated:
 *
 *     item = (origin + value) mod space        or, in a box that runs down,
 *     item = (origin - value) mod space
 *
 * A box that runs down describes data in opposite order: a rank's blocks for the ranks at distances
 * 1, 2, 3 run up, and the blocks that it gets from ranks at these distances run down.
 *
 * Bruck's round 2 at P = 13 (slots whose bit 2 is set, {4,5,6,7,12}) is one box: dimensions
 * (0,2,8,0) (1,1,4,0) (0,4,1,0), limit 13, origin 0. */
#ifndef STRATA_CORE_PLAN_SET_H
#define STRATA_CORE_PLAN_SET_H

#include <stdbool.h>
#include <stdint.h>

#define STRATA_BOX_DIMS 4

/* The stores where the blocks of a box lie (core/plan/plan.h); boxes of ranks, positions and items
 * have none. INPUT_AT and OUTPUT_AT are input and output by position: number p is the block of the
 * rank at position p. */
#define STRATA_STORE_TABLE(ROW)                                                                    \
    ROW(ITEMS, "items")                                                                            \
    ROW(INPUT, "input")                                                                            \
    ROW(OUTPUT, "output")                                                                          \
    ROW(WORK, "work")                                                                              \
    ROW(SHARED, "shared")                                                                          \
    ROW(SLOT, "slot")                                                                              \
    ROW(INPUT_AT, "input_at")                                                                      \
    ROW(OUTPUT_AT, "output_at")                                                                    \
    ROW(PEER_INPUT, "mate_input")                                                                  \
    ROW(PEER_WORK, "mate_work")

enum strata_store {
#define STRATA_STORE_ID(id, word) STRATA_##id,
    STRATA_STORE_TABLE(STRATA_STORE_ID)
#undef STRATA_STORE_ID
        STRATA_STORE_COUNT
};

const char *strata_store_word(enum strata_store store);

struct strata_dim {
    int32_t start, length, stride, extent;
};

struct strata_box {
    int32_t space;  /* items in the index space; every item is in 0 .. space-1 */
    int32_t origin; /* rotation, 0 .. space-1 */
    int32_t limit;  /* values from here on are left out; at most space */
    int16_t ndims;  /* 1 .. STRATA_BOX_DIMS */
    int16_t store;  /* enum strata_store */
    int32_t down;   /* 1: values are subtracted from the origin, else 0 */
    struct strata_dim dim[STRATA_BOX_DIMS];
};

/* A set is a view of consecutive boxes, which the plan (or the caller) owns. Its order is box after
 * box; inside a box the last dimension varies fastest. */
struct strata_set {
    const struct strata_box *boxes;
    int32_t nboxes;
    /* The shift is added to every box's origin, modulo its space. It grows with the repeat
     * counter. */
    int64_t shift;
};

/* A run of consecutive items first, first+1, .., first+count-1 of one store. It never wraps. */
struct strata_run {
    int32_t first, count;
    int32_t store; /* enum strata_store */
};

/* Walks a set in set order, run by run; runs are as long as the order allows. The fields are
 * private. */
struct strata_set_iterator {
    struct strata_set set;
    int32_t box;                    /* the box we are in */
    int32_t origin;                 /* the origin of that box, shifted */
    int32_t index[STRATA_BOX_DIMS]; /* position in each dimension of that box */
    struct strata_run ahead; /* a run that is found, but not yet returned; count 0 at the end */
};

/* The boxes that algorithms use. All functions check their arguments with assert. A range has at
 * most `space` items. */
struct strata_box strata_box_range(int32_t space, int32_t first,
                                   int32_t count); /* wraps at space */
struct strata_box strata_box_all(int32_t space);
struct strata_box strata_box_item(int32_t space, int32_t item);
/* The items first, first-1, first-2, ..; wraps at 0. */
struct strata_box strata_box_down(int32_t space, int32_t first, int32_t count);
/* The items of 0..space-1 whose digit `position` in base `radix` equals `value` (Bruck, radix
 * r). */
struct strata_box strata_box_digit(int32_t space, int32_t radix, int32_t position, int32_t value);

/* The same items, in a store. */
static inline struct strata_box strata_box_in(enum strata_store store, struct strata_box box)
{
    box.store = (int16_t)store;
    return box;
}

/* Whether some of the set's blocks lie in that store. */
static inline bool strata_set_is_in(struct strata_set set, enum strata_store store)
{
    int i = 0;
    while (i < set.nboxes && set.boxes[i].store != (int)store) {
        i++;
    }
    return i < set.nboxes;
}

/* Whether the set consists of items of a lane. Such a set has at least one box, and all its boxes
 * are of items. */
static inline bool strata_set_is_of_items(struct strata_set set)
{
    return set.nboxes > 0 && set.boxes[0].store == STRATA_ITEMS;
}

/* Whether blocks of that store lie in the node's memory. */
static inline bool strata_store_of_node(int store)
{
    return store == STRATA_SHARED || store == STRATA_SLOT;
}

/* Whether blocks of that store lie in the memory of another member of the node. They can only be
 * read. */
static inline bool strata_store_of_peer(int store)
{
    return store == STRATA_PEER_INPUT || store == STRATA_PEER_WORK;
}

static inline bool strata_set_is_of_peers(struct strata_set set)
{
    int i = 0;
    while (i < set.nboxes && !strata_store_of_peer(set.boxes[i].store)) {
        i++;
    }
    return i < set.nboxes;
}

static inline bool strata_set_is_of_node(struct strata_set set)
{
    int i = 0;
    while (i < set.nboxes && !strata_store_of_node(set.boxes[i].store)) {
        i++;
    }
    return i < set.nboxes;
}

/* Whether the set is written as all items in their order: one box, as strata_box_all makes it. */
static inline bool strata_set_is_whole(struct strata_set set)
{
    const struct strata_box *box = set.boxes;
    return set.nboxes == 1 && set.shift == 0 && box->ndims == 1 && !box->down && box->origin == 0 &&
           box->limit == box->space && box->dim[0].start == 0 && box->dim[0].stride == 1 &&
           box->dim[0].length == box->space;
}

void strata_set_begin(struct strata_set_iterator *it, struct strata_set set);
/* Serves strata_set_next: makes the run as long as the runs that follow allow. */
bool strata_set_join(struct strata_set_iterator *it, struct strata_run *run);
/* Gives the next run; false at the end. */
static inline bool strata_set_next(struct strata_set_iterator *it, struct strata_run *run)
{
    *run = it->ahead;
    if (it->box < it->set.nboxes) {
        return strata_set_join(it, run);
    }
    it->ahead.count = 0; /* the run is the last one */
    return run->count > 0;
}
/* Whether the set is written as one run, as most sets are: one box of one dimension that neither
 * wraps nor leaves anything out. */
bool strata_set_one_run(struct strata_set set, struct strata_run *run);
int64_t strata_set_count(struct strata_set set);
bool strata_set_contains(struct strata_set set, int32_t item); /* in any store */
/* Whether every bound above holds: space >= 1; length >= 0, stride >= 1 and start >= 0 in each
 * dimension; start < extent and length <= extent where the dimension wraps; start + length fits
 * where it does not. The function does not look for items that come twice. */
bool strata_box_valid(const struct strata_box *box);

#endif
