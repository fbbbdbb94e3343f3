/* SLOAV: alltoallv in a logarithmic number of rounds.
 *
 * Item k of a node's table starts as its message for the node at distance k. In the round of digit
 * position x and value z every item whose x-th digit in base r is z moves z * r^x nodes on, all in
 * one message with their lengths in front; after the last position each item has moved k. The table
 * says where an item lies, so nothing is rotated and nothing is copied on arrival.
 *
 * Paper: Xu et al., "SLOAVx: Scalable LOgarithmic AlltoallV Algorithm for Hierarchical Multicore
 *        Systems", CCGrid 2013, section III; radix r after Bruck et al., 1997.
 * Rounds: sum over positions x of min(r-1, floor((N-1)/r^x)); ceil(log2 N) at r = 2. The rounds of
 *         one position are posted together.
 * Volume: each item once for each non-zero digit of its distance.
 * Scratch: what a rank receives, at its worst size, and the messages of one position.
 * Restrictions: blocks above the threshold go rank to rank. */
#include "internode/alltoall/sloav_rounds.h"

#include "internode/algorithms.h"

static struct strata_sloav sloav_of(const struct strata_problem *problem)
{
    return (struct strata_sloav){.nodes = problem->flat->ranks, .radix = problem->parameter[0]};
}

STRATA_SLOAV_FUNCTIONS(sloav_of)

const struct strata_algorithm strata_sloav = {
    .name = "sloav",
    .collectives = 1u << STRATA_ALLTOALL | 1u << STRATA_ALLTOALLV,
    .level = STRATA_FLAT,
    .summary = "log-round exchange between all ranks, lengths in the message, nothing rotated",
    .paper = "Xu et al., SLOAVx, CCGrid 2013, section III",
    .restrictions = "blocks above the threshold go rank to rank; 8-byte slices must fit",
    .rounds_text = "sum over positions x of min(r-1, floor((N-1)/r^x)); ceil(log2 N) at r = 2. The "
                   "rounds of one position are posted together",
    .volume_text = "each item once for each non-zero digit of its distance",
    .scratch_text = "what a rank receives, at its worst size, and the messages of one position",
    .parameters = {{.name = "radix",
                    .least = 2,
                    .most = 1024,
                    .choices = {2, 3, 4, 8, 16},
                    .meaning = "base of the digits; more: fewer hops"}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
