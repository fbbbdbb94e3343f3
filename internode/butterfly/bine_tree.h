/* The Bine tree with falling distances, for any number of ranks and any root. A tree over n ranks
 * in a row is a tree over the ceil(n/2) on one side, which keeps its root, and the mirror image of
 * a tree over the others. Each root is nearer to the border between the two than to its other end,
 * and they are joined there. So every subtree is a row of ranks, and the two roots are about n/3
 * apart, where those of a binomial tree are n/2 apart. For powers of two this is the tree that
 * numbers in base -2 describe. */
#ifndef STRATA_INTERNODE_BUTTERFLY_BINE_TREE_H
#define STRATA_INTERNODE_BUTTERFLY_BINE_TREE_H

/* Ranks first .. first + count-1, modulo all; `rank` is the root among them. */
struct strata_bine_subtree {
    int rank, first, count;
};

struct strata_bine_node {
    int parent; /* -1: the root */
    struct strata_bine_subtree self;
    int children;
    struct strata_bine_subtree child[32]; /* the largest first */
};

struct strata_bine_node strata_bine_tree(int ranks, int root, int rank);

int strata_bine_depth(int ranks);    /* floor(log2 ranks): levels below the root */
int strata_bine_children(int ranks); /* ceil(log2 ranks): of the root */

#endif
