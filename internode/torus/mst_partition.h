/* How a box of ranks is divided for a minimum-spanning tree: into the root's part and others. Each
 * other part gets one message from the root and is divided in turn. */
#ifndef STRATA_INTERNODE_TORUS_MST_PARTITION_H
#define STRATA_INTERNODE_TORUS_MST_PARTITION_H

#include <stdint.h>

#include "core/topology/torus.h"

/* A box of ranks and its root. */
struct strata_region {
    int first[STRATA_TORUS_DIMS], size[STRATA_TORUS_DIMS]; /* coordinates; they wrap around */
    int at[STRATA_TORUS_DIMS];                             /* the root's, counted from first */
    unsigned rings; /* bits of the axes that are whole rings, on which the root may be taken to
                       stand anywhere (the paper's rule uses that) */
};

int64_t strata_region_count(const struct strata_region *part);
int strata_region_root(const struct strata_torus *torus, const struct strata_region *part);
bool strata_region_has(const struct strata_torus *torus, const struct strata_region *part,
                       int rank);

enum strata_mst_rule {
    STRATA_MST_PAPER = 1,
    STRATA_MST_BALANCED = 2,
    STRATA_MST_LINE = 3 /* equal ranges of a single axis */
};

#define STRATA_MST_PARTS 16 /* most parts, the root's included */

struct strata_mst_known; /* the balanced rule's best cuts of boxes */

struct strata_mst_scheme {
    struct strata_torus torus;
    enum strata_mst_rule rule;
    int ways;  /* messages along an axis: 1, or 2 (both ways) */
    int parts; /* on a line */
    struct strata_mst_known *known;
    int nknown;
};

/* Parts 0 .. count-1 get a message each; the last one, `rest`, keeps the root. */
struct strata_mst_split {
    struct strata_region part[STRATA_MST_PARTS], rest;
    int count;
};

/* All ranks, seen from the root. */
struct strata_region strata_mst_whole(const struct strata_mst_scheme *mst, int root);
/* Divides a part once; count is 0 for a part of one rank. */
void strata_mst_divide(const struct strata_mst_scheme *mst, const struct strata_region *whole,
                       struct strata_mst_split *split);

/* Finds the axes longer than 1, the longest first; returns their number. All rules use it. */
int strata_mst_axes(const struct strata_region *part, int *axes);
/* Makes `size` planes at one end of an axis of split->rest a part of their own. */
void strata_mst_cut(const struct strata_mst_scheme *mst, struct strata_mst_split *split, int axis,
                    int size, bool high);

#endif
