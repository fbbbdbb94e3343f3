/* Neighbour exchange: half the ring's rounds, each between two ranks that swap.
 *
 * Ranks 2q and 2q+1 are a pair and first swap their blocks. From then on a rank talks to its
 * neighbour outside the pair and to the other of its pair in turn, and sends the two blocks of a
 * pair that it got last (at first its own): even ranks get the pairs before theirs from outside and
 * those after theirs from their partner, odd ones the other way round.
 *
 * Paper: Chen, Zhang, Zhang, Yuan, "Performance evaluation of Allgather algorithms on terascale
 *        Linux cluster with fast Ethernet", HPC Asia 2005.
 * Rounds: P/2. Volume: P-1 blocks. Scratch: none.
 * Restrictions: an even number of ranks. */
#include "internode/algorithms.h"
#include "internode/parts/party_steps.h"

static const char *applicable(const struct strata_problem *problem)
{
    return problem->flat->ranks % 2 ? "the number of ranks is odd" : NULL;
}

/* Swaps pairs, named by their first members, with `other`. In a loop the pair sent moves on by
 * `shift` and the pair got goes the other way. */
static void swap_pairs(const struct strata_party *party, struct strata_builder *b, int other,
                       int sent, int got, int shift)
{
    strata_party_recv(party, b, other, strata_party_range(party, got, 2), -shift);
    strata_party_send(party, b, other, strata_party_range(party, sent, 2), shift);
    strata_build_wait(b, 0);
}

static void rounds(const struct strata_party *party, const struct strata_problem *problem,
                   struct strata_builder *b)
{
    (void)problem;
    int own = party->me - party->me % 2, partner = party->me % 2 ? -1 : 1;
    int outside = party->me - partner, on = 2 * partner, times = (party->size / 2 - 1) / 2;
    strata_build_phase(b, "partners swap their blocks");
    strata_party_recv(party, b, party->me + partner,
                      strata_party_range(party, party->me + partner, 1), 0);
    strata_party_send(party, b, party->me + partner, strata_party_range(party, party->me, 1), 0);
    strata_build_wait(b, 0);
    strata_build_phase(b, "pairs of blocks go on");
    int written = strata_party_loop(party, b, times);
    for (int i = 0; i < written; i++) {
        swap_pairs(party, b, outside, own + i * on, own - (i + 1) * on, on);
        swap_pairs(party, b, party->me + partner, own - (i + 1) * on, own + (i + 1) * on, -on);
    }
    strata_party_loop_end(party, b, times);
    if (party->size % 4 == 0) {
        swap_pairs(party, b, outside, own + times * on, own - (times + 1) * on, 0);
    }
}

static struct strata_formula formula(const struct strata_problem *problem)
{
    int ranks = problem->flat->ranks, half = ranks / 2;
    return (struct strata_formula){half, half, ranks - 1, .copied = 1};
}

const struct strata_algorithm strata_neighbor_exchange = {
    .name = "neighbor_exchange",
    .collectives = 1u << STRATA_ALLGATHER | 1u << STRATA_ALLGATHERV,
    .level = STRATA_FLAT,
    .classic = true,
    .summary = "neighbours swap two blocks at a time, in half the ring's rounds",
    .paper = "Chen, Zhang, Zhang, Yuan, HPC Asia 2005",
    .restrictions = "an even number of ranks",
    .rounds_text = "P/2",
    .volume_text = "P-1 blocks",
    .scratch_text = "none",
    .applicable = applicable,
    .formula = formula,
    .rounds = rounds,
};
