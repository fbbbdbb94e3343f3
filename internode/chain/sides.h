/* A chain seen from a root: two sides, and on each the ranks at distance 1, 2, ... from it. */
#ifndef STRATA_INTERNODE_CHAIN_SIDES_H
#define STRATA_INTERNODE_CHAIN_SIDES_H

#include "internode/chain/chain_links.h"

struct strata_view {
    int distance;                   /* from the root; 0: this rank is the root */
    enum strata_chain_side outward; /* for others than the root */
    int last[STRATA_SIDES];         /* largest distance on that side */
};

static inline struct strata_view strata_view_from(const struct strata_chain_links *links, int root)
{
    bool left = links->rank < root;
    return (struct strata_view){.distance = left ? root - links->rank : links->rank - root,
                                .outward = left ? STRATA_LEFT : STRATA_RIGHT,
                                .last = {root, links->size - 1 - root}};
}

/* Ranks on the longer side, with the root. */
static inline int strata_view_longest(const struct strata_view *view)
{
    const int left = view->last[STRATA_LEFT], right = view->last[STRATA_RIGHT];
    return (left > right ? left : right) + 1;
}

/* Whether that side is away from the root, seen from here. */
static inline bool strata_view_outward(const struct strata_view *view, int side)
{
    return view->distance == 0 || side == (int)view->outward;
}

#endif
