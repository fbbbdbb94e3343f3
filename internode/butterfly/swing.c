/* Swing: a butterfly whose ranks meet at distances 1, 1, 3, 5, 11, ..., now on one side, now on the
 * other, so that on a ring messages travel two thirds of the hops of recursive doubling.
 *
 * In step s an even rank r meets r + rho(s) and an odd one r - rho(s), modulo P, with rho(s) =
 * (1 - (-2)^(s+1)) / 3. Two versions:
 *   bandwidth  a reduce-scatter from step 0 up, then an allgather back to it. A rank sends the
 *              blocks that its partner and whoever that meets later answer for. Even P that are no
 *              power of two: what would reach a rank twice is left out, the earlier way of the
 *              allgather is taken. Odd P: the last rank exchanges its blocks with each other
 *              rank, in step s with half, a quarter, ... of them; only what is summed up for it
 *              travels with its neighbour's block (that is ours) and comes in one message.
 *   latency    the whole vector in every step. P that are no power of two: of the first ranks each
 *              even one leaves its part to the next.
 * Reduce-scatter and allgather are the halves of the first version.
 *
 * Paper: De Sensi, Bonato, Saam, Hoefler, "Swing: Short-cutting Rings for Higher Bandwidth
 *        Allreduce", NSDI 2024 (one dimension, one port).
 * Rounds: S = ceil(log2 P) for allgather, S + (P odd) for reduce-scatter, their sum for allreduce;
 *         latency: floor(log2 P), and 2 more where P is no power of two.
 * Volume: (P-1)/P of the vector for each half, in one message a round (odd P: P-1 messages of the
 *         last rank); latency: a vector in each round, but in one where P is no power of two.
 * Scratch: reduce-scatter and bandwidth: two vectors, of which three quarters of one are used;
 *          latency: one vector.
 * Restrictions: operators that commute; the latency version is of allreduce. */
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

const struct strata_algorithm strata_swing = {
    .name = "swing",
    .collectives = 1u << STRATA_ALLREDUCE | 1u << STRATA_REDUCE_SCATTER |
                   1u << STRATA_REDUCE_SCATTER_BLOCK | 1u << STRATA_ALLGATHER |
                   1u << STRATA_ALLGATHERV,
    .level = STRATA_FLAT,
    .summary = "a butterfly that swings to and fro on a ring, at two thirds of the usual distances",
    .paper = "De Sensi, Bonato, Saam, Hoefler, Swing, NSDI 2024",
    .restrictions = "reductions: the operator must commute; latency: allreduce",
    .rounds_text = "S = ceil(log2 P) for each half, one more to reduce on odd P; latency: "
                   "floor(log2 P), 2 more on other than powers of two",
    .volume_text = "(P-1)/P of the vector for each half (odd P: the last rank in P-1 messages); "
                   "latency: floor(log2 P) vectors, 1 more on other than powers of two",
    .scratch_text = "two vectors to reduce; latency: one",
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
};
