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
#include "hier/node_segments.h"
#include "hier/registry.h"

enum { SEGMENT };

static struct strata_segments_shape shape_of(const struct strata_problem *problem)
{
    return (struct strata_segments_shape){.lanes = 1,
                                          .most = strata_segments_bytes(problem, SEGMENT)};
}

static const char *applicable(const struct strata_problem *problem)
{
    struct strata_segments_shape shape = shape_of(problem);
    return strata_segments_refusal(problem, &shape);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_segments_shape shape = shape_of(problem);
    struct strata_vector input = {STRATA_INPUT, 0}, output = {STRATA_OUTPUT, 0};
    struct strata_segments s;
    strata_segments_begin(&s, problem, &shape, b);
    strata_build_phase(b, "my operands");
    strata_segments_copy(&s, strata_segments_in(&s, input, 0, 1),
                         strata_segments_slot(&s, s.me, 0, 1));
    strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    if (problem->rank == problem->root) {
        strata_build_phase(b, "combine all");
        strata_build_await(b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
        strata_segments_combine(&s, 0, output);
    }
    strata_segments_end(&s);
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    int passes = strata_segments_passes(problem, strata_segments_bytes(problem, SEGMENT));
    double pass = problem->block_bytes / passes;
    struct strata_machine alone = strata_machine_contended(machine, 1);
    struct strata_cost total = {0};
    strata_cost_copy(&total, pass, 1, machine);
    strata_segments_combine_cost(&total, problem, pass, &alone);
    strata_cost_sweep(&total, problem->topology->largest - 1, machine);
    strata_cost_scale(&total, passes);
    return total;
}

const struct strata_algorithm strata_node_reduce = {
    .name = "node_reduce",
    .collectives = 1u << STRATA_REDUCE,
    .level = STRATA_NODE_AWARE,
    .keeps_order = true,
    .from_bytes = 512,
    .to_bytes = 131072,
    .summary = "operands in the slots of shared memory, which the root combines",
    .paper = "Graham and Shipman, shared memory collectives, EuroPVM/MPI 2008",
    .restrictions = "one node with several ranks; operands without gaps, of at most 64 bytes",
    .rounds_text = "none",
    .volume_text = "no message",
    .scratch_text = "a segment in each place of each slot",
    .parameters = {{.name = "segment",
                    .automatic = 128,
                    .least = 1,
                    .most = 65536,
                    .choices = {16, 128},
                    .meaning = "KiB of the vector that a pass moves, at most"}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
