/* TuNA: two-phase Bruck with any radix, and a bound on how many messages are under way.
 *
 * In the round of digit position x and value z the items whose x-th digit in base r is z move z *
 * r^x ranks on: first their lengths, then the items in a message of exactly their length. A small
 * radix means few messages that carry each item often; a large one means many messages that carry
 * each item once or twice. The rounds of one digit do not depend on each other: up to `batch` of
 * them are posted together. The paper runs rounds one after the other, and bounds the messages
 * under way only in its exchange between nodes. */
#include "internode/algorithms.h"
#include "internode/alltoall/sloav_rounds.h"

enum { RADIX, BATCH };

static struct strata_sloav sloav_of(const struct strata_problem *problem)
{
    return (struct strata_sloav){.nodes = problem->flat->ranks,
                                 .radix = problem->parameter[RADIX],
                                 .batch = problem->parameter[BATCH],
                                 .two_phase = true};
}

STRATA_SLOAV_FUNCTIONS(sloav_of)

const struct strata_algorithm strata_tuna = {
    .name = "tuna",
    .collectives = 1u << STRATA_ALLTOALL | 1u << STRATA_ALLTOALLV,
    .level = STRATA_FLAT,
    .knows_nodes = true,
    .summary = "two-phase exchange with any radix, a digit's messages in batches",
    .paper = "Fan et al., TuNA, arXiv 2411.02581",
    .title = "Configurable Non-uniform All-to-all Algorithms (HPDC 2025: Parameterized Algorithms "
             "for Non-uniform All-to-all)",
    .restrictions = "blocks above the threshold go rank to rank; 8-byte slices must fit",
    .rounds_text = "sum over digit positions x of min(r-1, floor((P-1)/r^x)), each of two messages",
    .volume_text = "each block once for each non-zero digit of its distance",
    .scratch_text =
        "the blocks that a rank receives, at their worst size, and the messages of one batch",
    .parameters = {{.name = "radix",
                    .least = 2,
                    .most = 65536,
                    .choices = {2, 4, 8, 16, 32, 64},
                    .meaning = "base of the digits; to P: direct"},
                   {.name = "batch",
                    .least = 1,
                    .most = 65536,
                    .choices = {1, 4, 16},
                    .meaning = "messages of a digit posted together"}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
