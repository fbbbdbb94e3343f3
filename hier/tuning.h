/* Numbers that come from measurements. No algorithm of hier/ has one of its own. hier/tuning.c says
 * which command measured each. */
#ifndef STRATA_HIER_TUNING_H
#define STRATA_HIER_TUNING_H

#include "core/plan/algorithm.h"

/* The sizes, in bytes of a block or vector, from which `auto` chooses an algorithm. Costs do not
 * know what the native collective does at other sizes. */
struct strata_good_sizes {
    double from, to; /* in one node: at least `from`, less than `to`; 0: any */
    /* At least so many where the node's ranks share cores. Ranks with a core each work side by
     * side, and there costs tell which plan is faster. */
    double from_crowded;
    double from_across; /* with several nodes: at least so many; 0: any */
    bool always;        /* also where the native collective is no choice: nonblocking calls,
                           reductions from left to right */
    bool levels;        /* only where a tree by the levels of a node takes more than one hop */
};

/* Of an algorithm without an entry all are 0. */
struct strata_good_sizes strata_good_sizes_of(const struct strata_algorithm *algorithm);

/* Slots and landing, in bytes. */
enum {
    STRATA_LONGEST_SEGMENT = 32768, /* of a vector; slots are so long where the budget allows it */
    STRATA_LONGEST_BLOCK = 65536,   /* with several nodes: of a block that landing and slots hold */
    STRATA_SHORTEST_BLOCK = 16384   /* of such a block where the budget is small */
};

/* The part of the node's budget that each may take, as a divisor. */
enum {
    STRATA_BUDGET_SMALL_RING = 4,
    STRATA_BUDGET_MIDDLE_RING = 8,
    STRATA_BUDGET_EXPOSED = 4, /* the tables that say where exposed blocks lie */
    STRATA_BUDGET_VECTORS = 8, /* slots for segments */
    STRATA_BUDGET_LANDING = 16,
    STRATA_BUDGET_SLOTS = 4 /* slots that hold the blocks of all ranks */
};

/* The part of a slot that may say where exposed blocks lie, as a divisor. */
enum { STRATA_SLOT_EXPOSED = 4 };

/* KiB of a vector that a pass moves, where nobody says it. */
enum { STRATA_SEGMENT_KIB = 128 };

/* Costs are exact to a tenth: a plan has to need less than this part of the native collective's
 * time. */
#define STRATA_CLEARLY_LESS 0.9

/* Bytes of a vector or block that MPI libraries send ahead at most, before the receiver asks for
 * it: docs/compatibility.md. */
enum { STRATA_SENT_AHEAD = 4096 };

#endif
