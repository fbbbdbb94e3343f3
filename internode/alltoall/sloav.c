/* SLOAV: alltoallv in a logarithmic number of rounds.
 *
 * Item k of a rank's table starts as its message for the rank at distance k. In the round of digit
 * position x and value z each item whose x-th digit in base r is z moves z * r^x ranks on. All
 * items of a round travel in one message, behind their lengths. After the last position each item
 * has moved k ranks. The table says where each item lies, so no item is rotated, and none is copied
 * on arrival. The paper has radix 2; radix r is Bruck's. */
#include "internode/alltoall/sloav_rounds.h"

#include "internode/algorithms.h"
#include "internode/titles.h"

static struct strata_sloav sloav_of(const struct strata_problem *problem)
{
    return (struct strata_sloav){.nodes = problem->flat->ranks, .radix = problem->parameter[0]};
}

STRATA_SLOAV_FUNCTIONS(sloav_of)

const struct strata_algorithm strata_sloav = {
    .name = "sloav",
    .collectives = 1u << STRATA_ALLTOALL | 1u << STRATA_ALLTOALLV,
    .level = STRATA_FLAT,
    .knows_nodes = true,
    .summary = "log-round exchange between all ranks, lengths in the message, nothing rotated",
    .paper = "Xu et al., SLOAVx, CCGrid 2013, section III",
    .title = STRATA_TITLE_SLOAVX,
    .restrictions = "blocks above the threshold go rank to rank; 8-byte slices must fit",
    .rounds_text = "sum over digit positions x of min(r-1, floor((P-1)/r^x)), those of one "
                   "position posted together; ceil(log2 P) at r = 2",
    .volume_text = "each item once for each non-zero digit of its distance",
    .scratch_text =
        "the blocks that a rank receives, at their worst size, and the messages of one position",
    .parameters = {{.name = "radix",
                    .least = 2,
                    .most = 1024,
                    .choices = {2, 3, 4, 8, 16},
                    .meaning = "base of the digits; more: fewer hops"}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
