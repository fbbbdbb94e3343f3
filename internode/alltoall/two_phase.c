/* Two-phase Bruck: alltoallv in a logarithmic number of rounds, where each round sends the lengths
 * of its items first, and then the items in a message of exactly their length.
 *
 * The items move as in SLOAV (internode/alltoall/sloav.c) with radix 2: item k of a rank moves 2^x
 * ranks on in the round of each bit x that is set in k. The receiver knows what will come before it
 * comes, at the price of twice the start-ups.
 *
 * Paper: Fan, Gilray, Pascucci, Huang, Micinski, Kumar, "Optimizing the Bruck Algorithm for
 *        Non-uniform All-to-all Communication", HPDC 2022. There all blocks are rotated within one
 *        working buffer; here a table says where each lies.
 * Rounds: ceil(log2 P), of two messages each.
 * Volume: each block once for each bit of its distance.
 * Scratch: what a rank receives, at its worst size, and the messages of one round.
 * Restrictions: blocks above the threshold go rank to rank. */
#include "internode/algorithms.h"
#include "internode/alltoall/sloav_rounds.h"

static struct strata_sloav sloav_of(const struct strata_problem *problem)
{
    return (struct strata_sloav){.nodes = problem->flat->ranks, .radix = 2, .two_phase = true};
}

STRATA_SLOAV_FUNCTIONS(sloav_of)

const struct strata_algorithm strata_two_phase = {
    .name = "two_phase",
    .collectives = 1u << STRATA_ALLTOALL | 1u << STRATA_ALLTOALLV,
    .level = STRATA_FLAT,
    .summary = "log-round exchange, in each round the lengths first, then exactly the data",
    .paper = "Fan et al., two-phase Bruck, HPDC 2022",
    .restrictions = "blocks above the threshold go rank to rank; 8-byte slices must fit",
    .rounds_text = "ceil(log2 P), of two messages each",
    .volume_text = "each block once for each bit of its distance",
    .scratch_text = "what a rank receives, at its worst size, and the messages of one round",
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
