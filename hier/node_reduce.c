/* Reduce in a node: each member copies its operands into its slot, and the root combines them in
 * the order of ranks.
 *
 * The other members go on as soon as their operands are in their slots. They wait only when their
 * ring comes round to a slot that the root has not left yet. The native reduce sends short vectors
 * ahead over many calls; the sizes in hier/tuning.c leave those to it. */
#include "hier/node_combine.h"
#include "hier/registry.h"
#include "internode/titles.h"

const struct strata_algorithm strata_node_reduce = {
    .name = "node_reduce",
    .collectives = 1u << STRATA_REDUCE,
    .level = STRATA_NODE_AWARE,
    .outward = true,
    .keeps_order = true,
    .left_fold = true,
    .goes_ahead = true,
    .summary = "operands in the slots of shared memory, which the root combines",
    .paper = "Graham and Shipman, shared memory collectives, EuroPVM/MPI 2008",
    .title = STRATA_TITLE_GRAHAM,
    .restrictions = "one node with several ranks; operands without gaps, of at most 64 bytes",
    .rounds_text = "none",
    .volume_text = "no message",
    .scratch_text = "a segment in each place of each slot",
    .parameters = {STRATA_SEGMENT_PARAMETER},
    .applicable = strata_node_combine_refusal,
    .cost = strata_node_combine_cost,
    .build = strata_node_combine_build,
};
