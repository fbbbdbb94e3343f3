/* Binomial trees: bcast, reduce, gather and scatter from or to one root.
 *
 * Ranks are numbered from the root on; a rank's parent is its number with the lowest 1 bit
 * cleared. Data go down the tree with the largest subtree first, and come up it with the smallest
 * first. An inner rank of gather and scatter holds the blocks of its subtree only; the root's lie
 * in its own buffer. Partial results of a reduction are received and the lower ranks' combined
 * into them from the left, so nothing is copied; for an operator that does not commute the tree
 * begins at rank 0, which sends the result to the root.
 *
 * Paper: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in
 *        MPICH", IJHPCA 19(1), 2005; Johnsson, Ho, "Optimum Broadcasting and Personalized
 *        Communication in Hypercubes", IEEE Transactions on Computers 38(9), 1989.
 * Rounds: ceil(log2 P); one more for an ordered reduction to another root than rank 0.
 * Volume: bcast ceil(log2 P) vectors sent by the root; reduce 1 vector; scatter P-1 blocks sent by
 *         the root; gather up to P/2 blocks.
 * Scratch: gather, scatter: the blocks of the subtree; reduce: up to 2 vectors.
 * Restrictions: none. */
#include "internode/algorithms.h"
#include "internode/rooted/rooted.h"

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    strata_rooted_build(problem, 2, b);
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    return strata_rooted_formula(problem, 2);
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    return strata_rooted_cost(problem, 2, machine);
}

const struct strata_algorithm strata_binomial = {
    .name = "binomial",
    .collectives = STRATA_TREE_COLLECTIVES,
    .level = STRATA_FLAT,
    .classic = true,
    .keeps_order = true,
    .summary = "a binomial tree from or to the root",
    .paper = "Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005",
    .restrictions = "none",
    .rounds_text = "ceil(log2 P); one more for an ordered reduction to another root than rank 0",
    .volume_text = "bcast ceil(log2 P) vectors sent by the root; reduce 1 vector; scatter P-1 "
                   "blocks sent by the root; gather up to P/2 blocks",
    .scratch_text = "gather, scatter: the blocks of the subtree; reduce: up to 2 vectors",
    .applicable = applicable,
    .cost = cost,
    .build = build,
    .formula = formula,
};
