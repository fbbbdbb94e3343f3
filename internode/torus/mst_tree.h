/* A rank's place in a minimum-spanning tree, and the messages along it. */
#ifndef STRATA_INTERNODE_TORUS_MST_TREE_H
#define STRATA_INTERNODE_TORUS_MST_TREE_H

#include "core/plan/builder.h"
#include "internode/torus/mst_partition.h"

enum { STRATA_MST_STAGES = 36, STRATA_MST_CHILDREN = 288 };

/* The rank that a rank has its part from, and the ranks that it hands parts on to, stage by
 * stage. */
struct strata_mst_tree {
    struct strata_torus torus;
    int parent;                /* -1: it is the root */
    struct strata_region mine; /* the part that the parent hands over: this rank, and all below
                                  it */
    int stages;
    int begin[STRATA_MST_STAGES + 1]; /* children of stage s: begin[s] .. begin[s + 1] - 1 */
    struct strata_region child[STRATA_MST_CHILDREN];
};

void strata_mst_walk(const struct strata_mst_scheme *mst, int root, int me,
                     struct strata_mst_tree *tree);
/* The number of children in the stage that has most. */
int strata_mst_widest(const struct strata_mst_tree *tree);

/* The blocks that a message for a part carries, as this rank holds them. */
struct strata_mst_messages {
    int (*set)(const struct strata_mst_messages *messages, struct strata_builder *b,
               const struct strata_region *part); /* the plan's set */
    const struct strata_mst_tree *tree;
    const void *self; /* for `set` */
};

/* From the root down: receives this rank's part from the parent, then sends each child its part. */
void strata_mst_down(const struct strata_mst_messages *messages, struct strata_builder *b);
/* Up to the root: the same backwards. */
void strata_mst_up(const struct strata_mst_messages *messages, struct strata_builder *b);
/* One message to each child of a stage (down), or from each; the caller waits for them. */
void strata_mst_stage(const struct strata_mst_messages *messages, struct strata_builder *b,
                      int stage, bool down);

/* Where a rank holds one block for each rank of a box, ordered by coordinates. */
struct strata_mst_position {
    enum strata_store store;
    int space, origin; /* blocks of the store; the first of these blocks in it */
    int axis;          /* the first axis that counts: of each axis before it the box has one
                          plane */
    int from;          /* where coordinates on that axis begin; they do not wrap; -1: at 0, and
                          they wrap */
};

/* The blocks of all ranks, from `origin` on. */
struct strata_mst_position strata_mst_position_all(enum strata_store store, int space, int origin);
/* The blocks of one part, in a work store of their own, which is noted in `blocks`. */
struct strata_mst_position strata_mst_position_part(const struct strata_torus *torus,
                                                    const struct strata_region *part,
                                                    struct strata_blocks *blocks);
/* The blocks of the ranks of a part. */
struct strata_box strata_mst_position_box(const struct strata_mst_position *place,
                                          const struct strata_torus *torus,
                                          const struct strata_region *part);

#endif
