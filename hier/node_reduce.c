/* Reduce in a node: everybody copies its operands into its slot, and the root combines them in the
 * order of ranks.
 *
 * The others go on as soon as their operands are in their slots, and wait only when they come round
 * to a slot that the root has not left yet. MPI's own sends short vectors ahead, many calls of
 * them: those are left to it.
 *
 * Paper: Graham and Shipman, "MPI support for multi-core architectures: optimized shared memory
 *        collectives", EuroPVM/MPI 2008.
 * Rounds: none.
 * Volume: no message.
 * Scratch: a segment in each place of each slot.
 * Restrictions: one node with several ranks; operands without gaps, of at most 64 bytes. */
#include "hier/node_combine.h"
#include "hier/registry.h"

const struct strata_algorithm strata_node_reduce = {
    .name = "node_reduce",
    .collectives = 1u << STRATA_REDUCE,
    .level = STRATA_NODE_AWARE,
    .keeps_order = true,
    .left_fold = true,
    .from_bytes = 512,
    .to_bytes = 131072,
    .goes_ahead = true,
    .summary = "operands in the slots of shared memory, which the root combines",
    .paper = "Graham and Shipman, shared memory collectives, EuroPVM/MPI 2008",
    .restrictions = "one node with several ranks; operands without gaps, of at most 64 bytes",
    .rounds_text = "none",
    .volume_text = "no message",
    .scratch_text = "a segment in each place of each slot",
    .parameters = {STRATA_SEGMENT_PARAMETER},
    .applicable = strata_node_combine_refusal,
    .cost = strata_node_combine_cost,
    .build = strata_node_combine_build,
};
