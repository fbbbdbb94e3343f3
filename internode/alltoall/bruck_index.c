/* Bruck's index algorithm: alltoall in a logarithmic number of rounds, as published.
 *
 * A rank rotates its blocks so that number k is the block for the rank at distance k. Then, digit
 * by digit of k in base r, every block whose digit is z moves z * r^x ranks on. All blocks of one
 * digit value travel in one message, and the blocks that arrive replace those that left. In the end
 * number k is the block from the rank at distance -k. A second rotation, which also reverses the
 * order, puts each block into its place. The messages of one digit do not depend on each other and
 * are posted together. */
#include "core/cost/round_cost.h"
#include "internode/algorithms.h"
#include "internode/parts/digits.h"
#include "internode/titles.h"

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

static int digit_set(struct strata_builder *b, int ranks, int radix, int position, int value)
{
    return strata_build_set(
        b, strata_box_in(STRATA_WORK, strata_box_digit(ranks, radix, position, value)));
}

/* The blocks that leave are packed first, so arriving blocks may take their places. */
static void exchange_digit(const struct strata_problem *problem, struct strata_builder *b,
                           int position, int64_t weight)
{
    int ranks = problem->flat->ranks, radix = problem->parameter[0];
    strata_build_phase(b, "digit %d: %lld rank%s on", position, (long long)weight,
                       weight == 1 ? "" : "s");
    for (int value = 1; value < radix && value * weight < ranks; value++) {
        strata_build_send_blocks(b, strata_rank_at(problem, value * weight),
                                 digit_set(b, ranks, radix, position, value), STRATA_PACKED);
    }
    for (int value = 1; value < radix && value * weight < ranks; value++) {
        strata_build_recv_blocks(b, strata_rank_at(problem, -value * weight),
                                 digit_set(b, ranks, radix, position, value), STRATA_AS_FITS);
    }
    strata_build_wait(b, 0);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks, me = problem->rank;
    strata_build_blocks(b, (struct strata_blocks){.count = ranks, .work = ranks});
    int work = strata_build_set(b, strata_box_in(STRATA_WORK, strata_box_all(ranks)));
    strata_build_phase(b, "rotate");
    strata_build_copy(
        b, strata_build_set(b, strata_box_in(STRATA_INPUT, strata_box_range(ranks, me, ranks))),
        work);
    int position = 0;
    for (int64_t weight = 1; weight < ranks; weight *= problem->parameter[0]) {
        exchange_digit(problem, b, position++, weight);
    }
    strata_build_phase(b, "reverse and rotate back");
    strata_build_copy(
        b, work,
        strata_build_set(b, strata_box_in(STRATA_OUTPUT, strata_box_down(ranks, me, ranks))));
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    int ranks = problem->flat->ranks;
    struct strata_formula formula = strata_digit_formula(ranks, problem->parameter[0]);
    formula.copied = 2.0 * ranks;
    return formula;
}

/* The cost by the formula, and of packing. A run of blocks is copied at once. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    int ranks = problem->flat->ranks, radix = problem->parameter[0];
    double bytes = problem->block_bytes;
    struct strata_cost total = {0};
    for (int64_t weight = 1; weight < ranks; weight *= radix) {
        struct strata_digit_stage s = strata_digit_stage(ranks, radix, weight);
        struct strata_flat_round round = strata_onward(weight, weight, s.messages, s.blocks);
        strata_cost_round(&total, problem->topology, &round, bytes, machine);
        strata_cost_copy(&total, (s.blocks + s.split_blocks) * bytes, s.groups + s.split_groups,
                         machine);
    }
    strata_cost_copy(&total, 2.0 * ranks * bytes, (ranks > 1 ? 2 : 1) + ranks, machine);
    return total;
}

const struct strata_algorithm strata_bruck_index = {
    .name = "bruck_index",
    .collectives = 1u << STRATA_ALLTOALL,
    .level = STRATA_FLAT,
    .classic = true,
    .knows_nodes = true,
    .summary = "Bruck's log-round exchange with a rotation before and one after it",
    .paper = "Bruck et al., IEEE TPDS 1997, section 3",
    .title = STRATA_TITLE_BRUCK,
    .restrictions = "blocks of equal length",
    .rounds_text = "ceil(log_r P), each of min(r-1, floor((P-1)/r^x)) messages",
    .volume_text =
        "each block once for each non-zero digit of its distance; copies: all blocks twice",
    .scratch_text = "P blocks, and the messages of one digit",
    .parameters =
        {{"radix", 0, 2, 65536, {2, 3, 4, 8, 16}, "base of the digits; more: fewer hops", {NULL}}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
    .formula = formula,
};
