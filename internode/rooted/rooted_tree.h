/* A tree of base k, as one of its ranks sees it.
 *
 * Members are numbered from the root on, and a member's parent is its own number with the lowest
 * digit that is not 0 made 0. So the children at weight w (a power of k) are the members w, 2w, ..
 * (k-1)w further on, and each stands for the w members from itself on. */
#ifndef STRATA_INTERNODE_ROOTED_ROOTED_TREE_H
#define STRATA_INTERNODE_ROOTED_ROOTED_TREE_H

#include "core/plan/algorithm.h"

struct strata_rooted_tree {
    struct strata_builder *b;
    int ranks, rank, root; /* root: the rank that is member 0 */
    int radix, member;
    int64_t span; /* members of my part if there were enough ranks: a power of the radix */
};

/* The tree at `root`, as problem->rank sees it. */
static inline struct strata_rooted_tree strata_rooted_of(const struct strata_problem *problem,
                                                         int root, int radix,
                                                         struct strata_builder *b)
{
    int ranks = problem->flat->ranks, rank = problem->rank;
    int member = (int)(((int64_t)rank - root + ranks) % ranks);
    struct strata_rooted_tree t = {b, ranks, rank, root, radix, member, 1};
    while (t.span < ranks && member % (t.span * radix) == 0) {
        t.span *= radix;
    }
    return t;
}

static inline int strata_rooted_rank(const struct strata_rooted_tree *t, int64_t member)
{
    return (int)((member + t->root) % t->ranks);
}

static inline int strata_rooted_parent(const struct strata_rooted_tree *t)
{
    return strata_rooted_rank(t, t->member - t->member % (t->span * t->radix));
}

/* Child number 1, 2, .. at a weight below my span. */
static inline int strata_rooted_child(const struct strata_rooted_tree *t, int64_t weight,
                                      int number)
{
    return strata_rooted_rank(t, t->member + number * weight);
}

/* The number of children at that weight. */
static inline int strata_rooted_children(const struct strata_rooted_tree *t, int64_t weight)
{
    int64_t there = (t->ranks - 1 - t->member) / weight;
    return (int)(there < t->radix - 1 ? there : t->radix - 1);
}

/* Members of the part of `span` members that begins `offset` after me. */
static inline int strata_rooted_part(const struct strata_rooted_tree *t, int64_t offset,
                                     int64_t span)
{
    int64_t there = t->ranks - t->member - offset;
    return (int)(there < span ? there : span);
}

/* The root of a reduction's tree. For an operator that does not commute this is rank 0, which then
 * sends the result to the call's root. */
static inline int strata_rooted_top(const struct strata_problem *problem)
{
    return problem->commutative ? problem->root : 0;
}

#endif
