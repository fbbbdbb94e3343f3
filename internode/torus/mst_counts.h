/* Counts of a minimum-spanning tree, found without its plans. */
#ifndef STRATA_INTERNODE_TORUS_MST_COUNTS_H
#define STRATA_INTERNODE_TORUS_MST_COUNTS_H

#include "internode/torus/mst_partition.h"

/* The root's counts are kept apart from those of the other ranks, which have one more message: to
 * the rank that they have their part from. The part of a rank is the ranks whose data it receives
 * or forwards: itself and all below it. */
struct strata_mst_counts {
    int stages;
    int sends, others_send; /* messages down the tree: of the root, of the busiest other rank */
    int path;               /* messages one after another until the last rank has its part: those
                               of a stage, then those of the rank that takes longest */
    int64_t largest;        /* ranks of the largest part, the whole box apart */
    int handed;             /* messages of ranks other than the root, one below the other, on the
                               longest way down */
    int64_t blocks;         /* the same way, counted in blocks that are handed on */
    double load;            /* most of a rank other than the root: the ranks of its part, and
                               `weight` for each message */
    bool left, others_left; /* in the innermost stage the root (any other rank) has only parts of
                               lower ranks */
};

struct strata_mst_counts strata_mst_count(const struct strata_mst_scheme *mst, int root,
                                          double weight);

#endif
