/* k-nomial trees: bcast, reduce, gather and scatter from or to one root, k-1 messages at a time.
 *
 * As binomial (internode/rooted/binomial.c), with the ranks' numbers written in base k: a rank's
 * parent is its number with the lowest digit that is not 0 made 0. The messages for, or from, the
 * k-1 children of one digit are posted together, so a machine that carries several at once has
 * fewer rounds for their start-ups. The paper has k = 2; trees with any number of branches are in
 * Dongarra, Whaley, "A User's Guide to the BLACS", LAPACK Working Note 94, 1995. */
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
    strata_rooted_build(problem, problem->parameter[0], b);
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    return strata_rooted_formula(problem, problem->parameter[0]);
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    return strata_rooted_cost(problem, problem->parameter[0], machine);
}

const struct strata_algorithm strata_knomial = {
    .name = "knomial",
    .collectives = STRATA_TREE_COLLECTIVES,
    .level = STRATA_FLAT,
    .outward = true,
    .classic = true,
    .knows_nodes = true,
    .keeps_order = true,
    .summary = "a tree of base k from or to the root, k-1 messages at a time",
    .paper = "Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, in base k",
    .title = STRATA_TITLE_THAKUR,
    .restrictions = "none",
    .rounds_text = "ceil(log_k P), and 1 more for an ordered reduction to another root than rank 0",
    .volume_text = "bcast: the root sends M vectors, M = sum over digit positions x of min(k-1, "
                   "floor((P-1)/k^x)); reduce: 1 vector, the root combines M; scatter: the root "
                   "sends P-1 blocks",
    .scratch_text = "gather, scatter: the blocks of the subtree; reduce: up to k vectors",
    .parameters = {{.name = "radix",
                    .least = 2,
                    .most = 1024,
                    .outward = 2,
                    .outward_in_rows = true,
                    .choices = {3, 4, 8, 16},
                    .meaning = "base of the ranks' digits"}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
    .formula = formula,
};
