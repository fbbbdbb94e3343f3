/* Minimum-spanning tree on a mesh or torus: one message along each axis, or each way of each axis.
 *
 * The ranks lie on a torus of N axes (STRATA_TORUS, else the balanced one). In a stage the rank
 * that has the data divides its box into its own part and one for each axis (ways=one: N+1 parts)
 * or for each way of each axis (ways=both: 2N+1). It sends to one rank of each part, all at once
 * and each message in a direction of its own, and each part goes on by itself. Scatter, gather and
 * reduce are as on a line (internode/torus/mst.c). How a box is divided is a rule: the paper's
 * (internode/torus/mst_partition.c) or a balanced one that takes fewer stages
 * (internode/torus/mst_balanced.c). docs/torus-stages.md compares their stages. */
#include "internode/algorithms.h"
#include "internode/titles.h"
#include "internode/torus/mst_collectives.h"
#include "internode/torus/torus_shape.h"

enum { WAYS, PARTITION, DIMS, BALANCED_RANKS = 65536 };

static const char *applicable(const struct strata_problem *problem)
{
    if (problem->parameter[PARTITION] == STRATA_MST_BALANCED &&
        problem->flat->ranks > BALANCED_RANKS) {
        return "the balanced rule would take too long for so many ranks";
    }
    return strata_torus_refusal(problem, problem->parameter[DIMS]);
}

static struct strata_mst_scheme tree(const struct strata_problem *problem)
{
    const int *parameter = problem->parameter;
    return (struct strata_mst_scheme){
        .torus = strata_torus_shape(problem, problem->flat->ranks, parameter[DIMS]),
        .rule = (enum strata_mst_rule)parameter[PARTITION],
        .ways = parameter[WAYS]};
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_mst_scheme mst = tree(problem);
    strata_mst_build(problem, &mst, b);
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    struct strata_mst_scheme mst = tree(problem);
    return strata_mst_formula(problem, &mst);
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_mst_scheme mst = tree(problem);
    return strata_mst_cost(problem, &mst, machine);
}

const struct strata_algorithm strata_mst_torus = {
    .name = "mst_torus",
    .collectives = STRATA_MST_COLLECTIVES,
    .level = STRATA_FLAT,
    .knows_nodes = true,
    .returns = true,
    .summary =
        "minimum-spanning tree on a torus: a message along each axis, or each way of it, at once",
    .paper = "Chan, van de Geijn, Gropp, Thakur, PPoPP 2006, 4.1.2, 4.1.3 and 4.1.5",
    .title = STRATA_TITLE_CHAN,
    .restrictions = "reductions: the operator must commute; a torus that is given has `dims` axes; "
                    "the balanced rule: at most 65536 ranks",
    .rounds_text = "between ceil(log_(2N+1) P) and ceil(log2 P) + N for N axes, both ways; "
                   "allgather, allreduce and reduce_scatter twice as many",
    .volume_text = "bcast: the vector to each child; reduce 1 vector; scatter, gather: the blocks "
                   "of each part once; the others: one way up and one down",
    .scratch_text =
        "scatter, gather: the blocks of a part; reductions: a vector for each part of a stage",
    .parameters =
        {{"ways", 2, 1, 2, {1, 2}, "messages along an axis", {"one", "both"}},
         {"partition", 2, 1, 2, {1, 2}, "rule by which a box is divided", {"paper", "balanced"}},
         {"dims", 0, 1, STRATA_TORUS_DIMS, {1, 2, 3, 4}, "axes of the torus", {NULL}}},
    .applicable = applicable,
    .cost = cost,
    .formula = formula,
    .build = build,
};
