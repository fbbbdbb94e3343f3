/* A rank's place in a minimum-spanning tree, and the messages along it. */
#ifndef STRATA_INTERNODE_TORUS_MST_TREE_H
#define STRATA_INTERNODE_TORUS_MST_TREE_H

#include "core/plan/builder.h"
#include "internode/torus/mst_partition.h"

enum { STRATA_MST_STAGES = 36, STRATA_MST_CHILDREN = 288 };

/* Who a rank has its part from, and to whom it hands parts of it on, stage by stage. */
struct strata_mst_tree {
    struct strata_torus torus;
    int parent;                /* -1: it is the root */
    struct strata_region mine; /* all that the parent hands over: me, and all below me */
    int stages;
    int begin[STRATA_MST_STAGES + 1]; /* children of stage s: begin[s] .. begin[s + 1] - 1 */
    struct strata_region child[STRATA_MST_CHILDREN];
};

void strata_mst_walk(const struct strata_mst_scheme *mst, int root, int me,
                     struct strata_mst_tree *tree);
/* Most children of a stage. */
int strata_mst_widest(const struct strata_mst_tree *tree);

/* Which blocks a message about a part carries, as this rank holds them. */
struct strata_mst_messages {
    int (*set)(const struct strata_mst_messages *messages, struct strata_builder *b,
               const struct strata_region *part); /* the plan's set */
    const struct strata_mst_tree *tree;
    const void *self; /* of whoever made the messages */
};

/* From the root: my part from the parent, then to each child its part. */
void strata_mst_down(const struct strata_mst_messages *messages, struct strata_builder *b);
/* To the root: the same backwards. */
void strata_mst_up(const struct strata_mst_messages *messages, struct strata_builder *b);
/* One message for each child of a stage, or from each; the caller waits. */
void strata_mst_stage(const struct strata_mst_messages *messages, struct strata_builder *b,
                      int stage, bool down);

/* Where a rank holds one block for each rank of a box, by coordinates. */
struct strata_mst_place {
    enum strata_store store;
    int space, origin; /* of the store; where they begin in it */
    int axis;          /* axes before it are not counted: the box has one plane of each */
    int from;          /* coordinates on it are counted from here, and do not wrap; -1: from 0 */
};

/* All ranks' blocks, from `origin` on. */
struct strata_mst_place strata_mst_place_all(enum strata_store store, int space, int origin);
/* Those of a part only, in a work store of its own, which `blocks` is told of. */
struct strata_mst_place strata_mst_place_part(const struct strata_torus *torus,
                                              const struct strata_region *part,
                                              struct strata_blocks *blocks);
/* The blocks of the ranks of a part. */
struct strata_box strata_mst_place_box(const struct strata_mst_place *place,
                                       const struct strata_torus *torus,
                                       const struct strata_region *part);

#endif
