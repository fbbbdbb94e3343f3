/* Neighbour exchange: half the ring's rounds, each between two ranks that swap.
 *
 * Ranks 2q and 2q+1 are a pair and first swap their blocks. From then on a rank exchanges with its
 * neighbour outside the pair and with its partner in turn. It sends the two blocks of the pair that
 * it got last, at first its own. Even ranks get the pairs before theirs from outside and those
 * after theirs from their partner, odd ranks the other way round. */
#include "internode/algorithms.h"
#include "internode/parts/gather.h"

static const char *applicable(const struct strata_problem *problem)
{
    return problem->flat->ranks % 2 ? "the number of ranks is odd" : NULL;
}

/* Swaps pairs, named by their first members, with `other`. In a loop the pair sent moves on by
 * `shift` and the pair got goes the other way. */
static void swap_pairs(struct strata_builder *b, int ranks, int other, int sent, int got, int shift)
{
    strata_gather_recv(b, other, strata_gather_blocks(ranks, got, 2), -shift);
    strata_gather_send(b, other, strata_gather_blocks(ranks, sent, 2), shift);
    strata_build_wait(b, 0);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    int ranks = problem->flat->ranks, me = problem->rank;
    int own = me - me % 2, partner = me % 2 ? me - 1 : me + 1;
    int outside = me - (partner - me), on = 2 * (partner - me), times = (ranks / 2 - 1) / 2;
    strata_gather_begin(b, ranks, me);
    strata_build_phase(b, "partners swap their blocks");
    strata_gather_recv(b, partner, strata_gather_blocks(ranks, partner, 1), 0);
    strata_gather_send(b, partner, strata_gather_blocks(ranks, me, 1), 0);
    strata_build_wait(b, 0);
    strata_build_phase(b, "pairs of blocks go on");
    if (times > 0) {
        strata_build_repeat(b, times);
        swap_pairs(b, ranks, outside, own, own - on, on);
        swap_pairs(b, ranks, partner, own - on, own + on, -on);
        strata_build_end(b);
    }
    if (ranks % 4 == 0) {
        swap_pairs(b, ranks, outside, own + times * on, own - (times + 1) * on, 0);
    }
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    int ranks = problem->flat->ranks, half = ranks / 2;
    return (struct strata_formula){half, half, ranks - 1, .copied = 1};
}

/* Partners swap one block, then ranks swap two with the other neighbour and with the partner in
 * turn. */
static bool round_of_all(const struct strata_problem *problem, int number,
                         struct strata_flat_round *round)
{
    int others = problem->flat->ranks / 2 - 1;
    round->peers = STRATA_SWINGING;
    round->first = number % 2 ? -1 : 1;
    round->messages = 1;
    round->blocks = number == 0 ? 1 : 2;
    round->times = number == 0 ? 1 : number == 1 ? (others + 1) / 2 : others / 2;
    return number < 3 && round->times > 0;
}

const struct strata_algorithm strata_neighbor_exchange = {
    .name = "neighbor_exchange",
    .collectives = 1u << STRATA_ALLGATHER | 1u << STRATA_ALLGATHERV,
    .level = STRATA_FLAT,
    .knows_nodes = true,
    .classic = true,
    .summary = "neighbours swap two blocks at a time, in half the ring's rounds",
    .paper = "Chen, Zhang, Zhang, Yuan, HPC Asia 2005",
    .title = "Performance evaluation of Allgather algorithms on terascale Linux cluster with fast "
             "Ethernet",
    .restrictions = "an even number of ranks",
    .rounds_text = "P/2",
    .volume_text = "P-1 blocks",
    .scratch_text = "none",
    .applicable = applicable,
    .formula = formula,
    .round = round_of_all,
    .build = build,
};
