/* What a minimum-spanning tree does, counted without its plans. */
#ifndef STRATA_INTERNODE_TORUS_MST_FIGURES_H
#define STRATA_INTERNODE_TORUS_MST_FIGURES_H

#include "internode/torus/mst_partition.h"

/* The root's and those of other ranks are kept apart: only the others have a message more, to the
 * rank they have their part from. A rank's part is what it got from there: itself and all below. */
struct strata_mst_figures {
    int stages;
    int sends, others_send; /* messages down the tree: of the root, of the busiest other rank */
    int path;               /* messages in a row until the last has its own: those of a stage, and
                               then of whom that takes longest */
    int64_t largest;        /* ranks of the largest part but the whole */
    int handed;             /* messages of others, one below the other, on the longest way down */
    int64_t blocks;         /* the same in ranks of which a block is handed on */
    double load;            /* of another rank: ranks of its part and `weight` for each message */
    bool left, others_left; /* the innermost stage of the root (of any other rank) has parts of
                               lower ranks only */
};

struct strata_mst_figures strata_mst_count(const struct strata_mst_scheme *mst, int root,
                                           double weight);

#endif
