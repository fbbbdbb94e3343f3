/* Allreduce in a node: each member copies its operands into its slot, where all can read them, and
 * combines all of them in the order of ranks.
 *
 * A pass takes one signal, so this is the fastest way for short vectors; `dpml` divides the
 * combining. */
#include "hier/node_combine.h"
#include "hier/registry.h"
#include "internode/titles.h"

const struct strata_algorithm strata_node_allreduce = {
    .name = "node_allreduce",
    .collectives = 1u << STRATA_ALLREDUCE,
    .level = STRATA_NODE_AWARE,
    .keeps_order = true,
    .left_fold = true,
    .summary = "operands in the slots of shared memory; everybody combines all of them",
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
