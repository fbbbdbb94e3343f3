/* Bucket: blocks go round the rings of all axes of a torus at once.
 *
 * The ranks lie on a torus of N axes (STRATA_TORUS, else the balanced one). In step t of an
 * allgather each rank gets the blocks of all ranks that are t hops away, counted one way along the
 * axes, from its neighbours: N messages come from before it and N go to those after it, each on a
 * link of its own. On a mesh the messages that close a ring go back along the whole axis.
 *
 * A block that is off on several axes could come along any of them; a rule decides. With
 * conflict=paper the last axis with an offset brings it. So data are sent along axis after axis,
 * and nearly all blocks move on the last one. The paper takes the longest axis last, we the
 * shortest. With conflict=balanced, a rule of our own, the blocks that are t hops away are divided
 * evenly among the axes (internode/torus/bucket_lines.c). Reduce-scatter is the same backwards:
 * partial results move, and are combined where they meet. On a single axis both are the ring
 * (internode/allgather/ring.c). */
#include "internode/algorithms.h"
#include "internode/parts/gather.h"
#include "internode/titles.h"
#include "internode/torus/bucket_steps.h"
#include "internode/torus/torus_shape.h"

enum { CONFLICT, DIMS };

static const char *applicable(const struct strata_problem *problem)
{
    return strata_torus_refusal(problem, problem->parameter[DIMS]);
}

static struct strata_buckets bucket_of(const struct strata_problem *problem)
{
    struct strata_torus torus =
        strata_torus_shape(problem, problem->flat->ranks, problem->parameter[DIMS]);
    return strata_bucket_of(&torus, (enum strata_bucket_rule)problem->parameter[CONFLICT]);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_buckets bucket = bucket_of(problem);
    if (strata_collective_reduces(problem->collective)) {
        strata_bucket_reduce(&bucket, problem, b);
    } else {
        strata_gather_begin(b, bucket.ranks, problem->rank);
        strata_bucket_gather(&bucket, problem->rank, b);
    }
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    struct strata_buckets bucket = bucket_of(problem);
    double others = bucket.ranks - 1;
    bool reduces = strata_collective_reduces(problem->collective);
    struct strata_bucket_sent sent = strata_bucket_sent(&bucket);
    return (struct strata_formula){.rounds = bucket.steps,
                                   .messages = sent.messages,
                                   .blocks = others,
                                   .reduced = reduces ? others : 0,
                                   .copied = 1,
                                   .packed = 2 * sent.together,
                                   .pieces = 2 * sent.together};
}

static bool round_of_all(const struct strata_problem *problem, int number,
                         struct strata_flat_round *round)
{
    struct strata_buckets bucket = bucket_of(problem);
    return strata_bucket_round(&bucket, number, round);
}

const struct strata_algorithm strata_bucket = {
    .name = "bucket",
    .collectives = 1u << STRATA_ALLGATHER | 1u << STRATA_ALLGATHERV | 1u << STRATA_REDUCE_SCATTER |
                   1u << STRATA_REDUCE_SCATTER_BLOCK,
    .level = STRATA_FLAT,
    .classic = true,
    .knows_nodes = true,
    .torus = true,
    .summary = "blocks go round the rings of all axes of a torus at once",
    .paper = "Chan, van de Geijn, Gropp, Thakur, PPoPP 2006, 4.2.2",
    .title = STRATA_TITLE_CHAN,
    .restrictions = "reductions: the operator must commute; a torus that is given has `dims` axes",
    .rounds_text = "the sum of the axes less their number N",
    .volume_text = "P-1 blocks, reductions combine as many; on the busiest axis about (P-1)/N of "
                   "them (balanced), or P (1 - 1/D), where D is the shortest axis (paper)",
    .scratch_text = "reductions: the vector once for each axis",
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
    .round = round_of_all,
    .build = build,
};
