/* A tree of base k, for the files that build on it: tree.c, tree_ranked.c, tree_reduce.c.
 *
 * Members are numbered from the root on, and a member's parent is its own number with the lowest
 * digit that is not 0 made 0. So the children at weight w (a power of k) are the members w, 2w, ..
 * (k-1)w further on, and each stands for the w members from itself on. */
#ifndef STRATA_INTERNODE_PARTS_TREE_PARTS_H
#define STRATA_INTERNODE_PARTS_TREE_PARTS_H

#include "core/plan/algorithm.h"

struct strata_rooted_tree {
    struct strata_builder *b;
    int ranks, rank, root; /* root: the rank that is member 0 */
    int radix, member;
    int64_t span; /* members of my part, were there ranks enough: a power of the radix */
};

/* The tree at `root`, as problem->rank sees it. */
struct strata_rooted_tree strata_rooted_of(const struct strata_problem *problem, int root,
                                           int radix, struct strata_builder *b);

int strata_rooted_rank(const struct strata_rooted_tree *t, int64_t member);
int strata_rooted_parent(const struct strata_rooted_tree *t);
/* Child number 1, 2, .. at a weight below my span, and how many there are. */
int strata_rooted_child(const struct strata_rooted_tree *t, int64_t weight, int number);
int strata_rooted_children(const struct strata_rooted_tree *t, int64_t weight);
/* Members of the part of `span` members that begins `offset` after me. */
int strata_rooted_part(const struct strata_rooted_tree *t, int64_t offset, int64_t span);

/* The root of a reduction's tree: for an operator whose order counts rank 0, which then hands the
 * result over. */
static inline int strata_rooted_top(const struct strata_problem *problem)
{
    return problem->commutative ? problem->root : 0;
}

void strata_rooted_gather(const struct strata_problem *problem, int radix,
                          struct strata_builder *b);
void strata_rooted_scatter(const struct strata_problem *problem, int radix,
                           struct strata_builder *b);
void strata_rooted_reduce(const struct strata_problem *problem, int radix,
                          struct strata_builder *b);

#endif
