/* Long vectors on a torus: composed of the minimum-spanning tree and the bucket algorithm.
 *
 * The vector is cut into P segments. Bcast: a tree scatters them (mst_torus, both ways), buckets
 * gather them everywhere. Allreduce: buckets scatter the result and gather it again.
 *
 * Paper: Chan, van de Geijn, Gropp, Thakur, "Collective Communication on Architectures that Support
 *        Simultaneous Communication over Multiple Links", PPoPP 2006, sections 4.2.3 and 4.2.4.
 * Rounds: bcast: the tree's stages and the sum of the axes less N; allreduce: twice the latter.
 * Volume: 2(P-1)/P vectors; allreduce combines (P-1)/P.
 * Scratch: allreduce: the vector once for each axis.
 * Restrictions: the operator must commute; a torus that is given must have `dims` axes. */
#include "internode/algorithms.h"
#include "internode/torus/bucket_steps.h"
#include "internode/torus/mst_figures.h"
#include "internode/torus/mst_tree.h"
#include "internode/torus/torus_shape.h"

enum { CONFLICT, DIMS };

static const char *applicable(const struct strata_problem *problem)
{
    return strata_torus_refusal(problem, problem->parameter[DIMS]);
}

static struct strata_torus shape(const struct strata_problem *problem)
{
    return strata_torus_shape(problem, problem->flat->ranks, problem->parameter[DIMS]);
}

static struct strata_mst_scheme tree_on(const struct strata_torus *torus)
{
    return (struct strata_mst_scheme){.torus = *torus, .rule = STRATA_MST_PAPER, .ways = 2};
}

static int segments(const struct strata_mst_messages *messages, struct strata_builder *b,
                    const struct strata_region *part)
{
    int ranks = *(const int *)messages->self;
    struct strata_mst_place output = strata_mst_place_all(STRATA_OUTPUT, ranks, 0);
    return strata_build_set(b, strata_mst_place_box(&output, &messages->tree->torus, part));
}

static void scatter(const struct strata_problem *problem, const struct strata_torus *torus,
                    struct strata_builder *b)
{
    struct strata_mst_scheme scheme = tree_on(torus);
    struct strata_mst_tree tree;
    strata_mst_walk(&scheme, problem->root, problem->rank, &tree);
    struct strata_mst_messages messages = {segments, &tree, &problem->flat->ranks};
    strata_build_phase(b, "segments down the tree");
    strata_mst_down(&messages, b);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_torus torus = shape(problem);
    struct strata_buckets bucket =
        strata_bucket_of(&torus, (enum strata_bucket_rule)problem->parameter[CONFLICT]);
    if (problem->collective == STRATA_ALLREDUCE) {
        strata_bucket_reduce(&bucket, problem, b);
    } else {
        strata_build_blocks(b, (struct strata_blocks){.count = bucket.ranks});
        scatter(problem, &torus, b);
        strata_bucket_gather(&bucket, problem->rank, b);
    }
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    double ranks = problem->flat->ranks, part = (ranks - 1) / ranks;
    struct strata_torus torus = shape(problem);
    struct strata_buckets bucket =
        strata_bucket_of(&torus, (enum strata_bucket_rule)problem->parameter[CONFLICT]);
    double messages = strata_bucket_messages(&bucket);
    if (problem->collective == STRATA_ALLREDUCE) {
        return (struct strata_formula){2.0 * bucket.steps, 2 * messages, 2 * part, part, 1 / ranks};
    }
    struct strata_mst_scheme scheme = tree_on(&torus);
    struct strata_mst_figures tree = strata_mst_count(&scheme, problem->root, 0);
    int sends = tree.sends > tree.others_send ? tree.sends : tree.others_send;
    return (struct strata_formula){tree.stages + bucket.steps, messages + sends, 2 * part, 0, 0};
}

const struct strata_algorithm strata_long_vector = {
    .name = "long_vector",
    .collectives = 1u << STRATA_BCAST | 1u << STRATA_ALLREDUCE,
    .level = STRATA_FLAT,
    .classic = true,
    .torus = true,
    .summary = "on a torus: tree scatter, or bucket reduce-scatter, and bucket allgather",
    .paper = "Chan, van de Geijn, Gropp, Thakur, PPoPP 2006, 4.2.3",
    .restrictions = "allreduce: the operator must commute",
    .rounds_text = "bcast: the tree's stages and the sum of the axes less N; allreduce: twice the "
                   "latter",
    .volume_text = "2(P-1)/P vectors",
    .scratch_text = "allreduce: the vector once for each axis",
    .parameters = {{"conflict",
                    STRATA_BUCKET_BALANCED,
                    1,
                    2,
                    {1, 2},
                    "which axis brings a block that is off on several",
                    {"paper", "balanced"}},
                   {"dims", 0, 1, STRATA_TORUS_DIMS, {1, 2, 3, 4}, "axes of the torus", {NULL}}},
    .applicable = applicable,
    .formula = formula,
    .build = build,
};
