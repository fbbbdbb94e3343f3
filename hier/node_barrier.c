/* Barrier in a node: everybody signals, and looks for everybody's signal.
 *
 * A signal is a number in the signaller's own line, so all that moves is a line for each pair of
 * members.
 *
 * Paper: Graham and Shipman, "MPI support for multi-core architectures: optimized shared memory
 *        collectives", EuroPVM/MPI 2008.
 * Rounds: none.
 * Volume: no message.
 * Scratch: none.
 * Restrictions: one node with several ranks. */
#include "hier/node_segments.h"
#include "hier/registry.h"

static const char *applicable(const struct strata_problem *problem)
{
    return strata_segments_refusal(problem, 1, 0);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    strata_build_blocks(
        b, (struct strata_blocks){.count = problem->topology->ranks, .shared = true}); /* empty */
    strata_build_phase(b, "meet");
    strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    strata_build_await(b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_cost total = {0};
    strata_cost_sweep(&total, problem->topology->largest - 1, machine);
    return total;
}

const struct strata_algorithm strata_node_barrier = {
    .name = "node_barrier",
    .collectives = 1u << STRATA_BARRIER,
    .level = STRATA_NODE_AWARE,
    .summary = "everybody signals in shared memory, and looks for everybody's signal",
    .paper = "Graham and Shipman, shared memory collectives, EuroPVM/MPI 2008",
    .restrictions = "one node with several ranks",
    .rounds_text = "none",
    .volume_text = "no message",
    .scratch_text = "none",
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
