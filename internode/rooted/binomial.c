/* Binomial trees: bcast, reduce, gather and scatter from or to one root.
 *
 * Ranks are numbered from the root on. A rank's parent is its number with the lowest 1 bit cleared.
 * Data go down the tree with the largest subtree first, and up the tree with the smallest first. An
 * inner rank of a gather or scatter holds the blocks of its subtree only; the root's lie in its own
 * buffer. A reduction receives the partial results of higher ranks and combines the lower ranks'
 * into them from the left, so nothing is copied. For an operator that does not commute the tree
 * begins at rank 0, which sends the result to the root.
 *
 * The trees are older than the paper named below: Johnsson, Ho, "Optimum Broadcasting and
 * Personalized Communication in Hypercubes", IEEE Transactions on Computers 38(9), 1989. */
#include "internode/algorithms.h"
#include "internode/rooted/rooted.h"
#include "internode/titles.h"

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
    .outward = true,
    .classic = true,
    .knows_nodes = true,
    .keeps_order = true,
    .summary = "a binomial tree from or to the root",
    .paper = "Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005",
    .title = STRATA_TITLE_THAKUR,
    .restrictions = "none",
    .rounds_text = "ceil(log2 P), and 1 more for an ordered reduction to another root than rank 0",
    .volume_text = "bcast: the root sends ceil(log2 P) vectors; reduce 1 vector; scatter: the root "
                   "sends P-1 blocks; gather up to P/2 blocks",
    .scratch_text = "gather, scatter: the blocks of the subtree; reduce: up to 2 vectors",
    .applicable = applicable,
    .cost = cost,
    .build = build,
    .formula = formula,
};
