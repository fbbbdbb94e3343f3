/* Two-phase Bruck: alltoallv in a logarithmic number of rounds. Each round sends the lengths of its
 * items first, and then the items in a message of exactly their length.
 *
 * The items move as in SLOAV (internode/alltoall/sloav.c) with radix 2: item k of a rank moves 2^x
 * ranks on in the round of each bit x that is set in k. The receiver knows the length of a message
 * before the message comes, for twice the start-ups. The paper rotates all blocks
 * within one working buffer; here a table says where each block lies. */
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
    .knows_nodes = true,
    .summary = "log-round exchange, in each round the lengths first, then exactly the data",
    .paper = "Fan et al., two-phase Bruck, HPDC 2022",
    .title = "Optimizing the Bruck Algorithm for Non-uniform All-to-all Communication",
    .restrictions = "blocks above the threshold go rank to rank; 8-byte slices must fit",
    .rounds_text = "ceil(log2 P), each of two messages",
    .volume_text = "each block once for each bit of its distance",
    .scratch_text =
        "the blocks that a rank receives, at their worst size, and the messages of one round",
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
