/* Swing: a butterfly whose ranks meet at distances 1, 1, 3, 5, 11, ..., now on one side, now on the
 * other, so that on a ring messages travel two thirds of the hops of recursive doubling.
 *
 * internode/butterfly/swing_blocks.h says who meets whom. Two versions:
 *   bandwidth  a reduce-scatter from step 0 up, then an allgather back to step 0. A rank sends the
 *              blocks that its partner answers for, and those of the ranks that the partner meets
 *              in later steps. On even P other than powers of two a block could reach a rank twice;
 *              the allgather keeps the earlier way. On odd P the last rank exchanges its blocks
 *              with each other rank: in step s with half, a quarter, ... of them. The sum for the
 *              last rank travels with its neighbour's block and comes in one message; that is ours.
 *   latency    the whole vector in each step. Where P is no power of two, of the first ranks each
 *              even one leaves its part to the next one.
 *
 * Reduce-scatter and allgather are the halves of the first version. The paper's algorithm is taken
 * for one dimension and one port. */
#include "internode/algorithms.h"
#include "internode/butterfly/swing_steps.h"
#include "internode/butterfly/swing_whole.h"
#include "internode/parts/gather.h"

enum version { BANDWIDTH = 1, LATENCY };

static const char *applicable(const struct strata_problem *problem)
{
    return problem->parameter[0] == LATENCY && problem->collective != STRATA_ALLREDUCE
               ? "only allreduce has a version for latency"
               : NULL;
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks, me = problem->rank;
    if (problem->parameter[0] == LATENCY) {
        strata_build_blocks(b, (struct strata_blocks){.count = 1, .work = 1});
        strata_swing_whole(b, ranks, me, false);
        return;
    }
    if (!strata_collective_reduces(problem->collective)) {
        strata_gather_begin(b, ranks, me);
        strata_swing_allgather(b, ranks, me);
        return;
    }
    strata_build_blocks(b, strata_swing_work(ranks, me));
    if (problem->collective == STRATA_ALLREDUCE) {
        strata_swing_allreduce(b, ranks, me);
    } else {
        strata_swing_reduce_scatter(b, ranks, me);
    }
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    int ranks = problem->flat->ranks;
    if (problem->parameter[0] == LATENCY) {
        return strata_swing_whole_formula(ranks);
    }
    if (problem->collective == STRATA_ALLREDUCE) {
        return strata_swing_allreduce_formula(ranks);
    }
    if (problem->collective == STRATA_ALLGATHER || problem->collective == STRATA_ALLGATHERV) {
        struct strata_formula gather = strata_swing_allgather_formula(ranks);
        gather.copied = 1;
        return gather;
    }
    return strata_swing_reduce_scatter_formula(ranks);
}

static bool round_of_all(const struct strata_problem *problem, int number,
                         struct strata_flat_round *round)
{
    int ranks = problem->flat->ranks;
    bool sums = strata_collective_reduces(problem->collective);
    bool gathers = !strata_collective_scatters(problem->collective);
    if (problem->parameter[0] == LATENCY) {
        return strata_swing_whole_round(ranks, false, number, round);
    }
    if (!strata_swing_round(ranks, sums, gathers, number, round)) {
        return false;
    }
    round->blocks /= problem->collective == STRATA_ALLREDUCE ? ranks : 1;
    return true;
}

const struct strata_algorithm strata_swing = {
    .name = "swing",
    .collectives = 1u << STRATA_ALLREDUCE | 1u << STRATA_REDUCE_SCATTER |
                   1u << STRATA_REDUCE_SCATTER_BLOCK | 1u << STRATA_ALLGATHER |
                   1u << STRATA_ALLGATHERV,
    .level = STRATA_FLAT,
    .knows_nodes = true,
    .summary = "a butterfly that swings to and fro on a ring, at two thirds of the usual distances",
    .paper = "De Sensi, Bonato, Saam, Hoefler, Swing, NSDI 2024",
    .title = "Swing: Short-cutting Rings for Higher Bandwidth Allreduce",
    .restrictions = "reductions: the operator must commute; latency: allreduce",
    .rounds_text =
        "bandwidth: ceil(log2 Q) for each half, where Q is P, or P-1 if P is odd, and 1 more to "
        "reduce if P is odd; latency: floor(log2 P), and 2 more if P is no power of two",
    .volume_text =
        "bandwidth: P-1 blocks for each half (if P is odd, the last rank sends them in P-1 "
        "messages); latency: floor(log2 P) vectors, and 1 more if P is no power of two",
    .scratch_text =
        "bandwidth: to reduce, two vectors, of which 3/4 of one are used; latency: one vector",
    .parameters = {{"version",
                    0,
                    BANDWIDTH,
                    LATENCY,
                    {BANDWIDTH, LATENCY},
                    "blocks by halves, or the whole vector in each round",
                    {"bandwidth", "latency"}}},
    .applicable = applicable,
    .build = build,
    .formula = formula,
    .round = round_of_all,
};
