/* Minimum-spanning tree on a mesh or torus: one message along each axis, or each way of each axis.
 *
 * The ranks lie on a torus of N axes (STRATA_TORUS, else the balanced one). In a stage the rank
 * that has the data divides its box into its own part and one for each axis (ways=one: N+1 parts)
 * or for each way of each axis (ways=both: 2N+1), sends to one rank of each part, all at once and
 * each message in a direction of its own, and each part goes on by itself. Scatter, gather and
 * reduce as on a line (internode/torus/mst.c). How a box is divided is a rule: the paper's
 * (internode/torus/mst_partition.c) or a balanced one that takes fewer stages
 * (internode/torus/mst_balanced.c).
 *
 * Paper: Chan, van de Geijn, Gropp, Thakur, "Collective Communication on Architectures that Support
 *        Simultaneous Communication over Multiple Links", PPoPP 2006, sections 4.1.2, 4.1.3, 4.1.5.
 * Rounds: between ceil(log_(2N+1) P) and ceil(log2 P) + N (both ways), as docs/torus-stages.md
 * shows;
 *         allgather, allreduce and reduce-scatter twice as many.
 * Volume: the vector to each child (bcast, reduce); each part's blocks once (scatter, gather).
 * Scratch: scatter, gather: a rank's part. Reductions: a vector for each part of a stage.
 * Restrictions: the operator must commute; a torus that is given must have `dims` axes; the
 * balanced
 *         rule serves up to 65536 ranks. */
#include "internode/algorithms.h"
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
    .returns = true,
    .summary =
        "minimum-spanning tree on a torus: a message along each axis, or each way of it, at once",
    .paper = "Chan, van de Geijn, Gropp, Thakur, PPoPP 2006, 4.1.2 and 4.1.3",
    .restrictions = "reductions: the operator must commute",
    .rounds_text = "ceil(log_(2N+1) P) to ceil(log2 P) + N; allgather, allreduce, reduce-scatter "
                   "twice as many",
    .volume_text = "the vector to each child; scatter, gather: each part's blocks once",
    .scratch_text = "scatter, gather: a rank's part; reductions: a vector for each part",
    .parameters =
        {{"ways", 2, 1, 2, {1, 2}, "messages along an axis", {"one", "both"}},
         {"partition", 2, 1, 2, {1, 2}, "rule by which a box is divided", {"paper", "balanced"}},
         {"dims", 0, 1, STRATA_TORUS_DIMS, {1, 2, 3, 4}, "axes of the torus", {NULL}}},
    .applicable = applicable,
    .cost = cost,
    .formula = formula,
    .build = build,
};
