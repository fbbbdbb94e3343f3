/* Broadcast in a node: the root copies segment after segment into its slot, and the others copy
 * them out.
 *
 * The root waits for nobody until it comes round to a place of its ring again: by then all must
 * have left what it held there before. So it fills one place while the others read the next one.
 * MPI's own sends short vectors ahead, many calls of them, and its root waits for nobody; of long
 * ones it makes one copy less. Those are left to it.
 *
 * Paper: Graham and Shipman, "MPI support for multi-core architectures: optimized shared memory
 *        collectives", EuroPVM/MPI 2008; the ring's credit is ours.
 * Rounds: none.
 * Volume: no message; each rank copies the vector once.
 * Scratch: a segment in each place of the root's slot.
 * Restrictions: one node with several ranks. */
#include "core/engine/node_memory.h"
#include "hier/node_segments.h"
#include "hier/registry.h"

enum { SEGMENT };

static const char *applicable(const struct strata_problem *problem)
{
    return strata_segments_refusal(problem, 1, strata_segments_bytes(problem, SEGMENT));
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_segments s =
        strata_segments_of(problem, 1, strata_segments_bytes(problem, SEGMENT));
    int root = problem->topology->local_of[problem->root];
    struct strata_box slot, mine;
    strata_segments_begin(&s, b);
    slot = strata_segments_slot(&s, root, 0, 1);
    mine = strata_segments_in(&s, STRATA_OUTPUT, 0, 1);
    strata_build_passes(b);
    if (problem->rank == problem->root) {
        strata_build_phase(b, "to my slot");
        strata_segments_copy(&s, b, mine, slot);
        strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    } else {
        strata_build_phase(b, "from the root's");
        strata_build_await(b, root, STRATA_SIGNAL_ARRIVED);
        strata_segments_copy(&s, b, slot, mine);
    }
    strata_build_end(b);
}

/* Of a reader: the last segment comes when the root has copied all of them, and has heard that the
 * places that it came round to were left. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct strata_segments s =
        strata_segments_of(problem, 1, strata_segments_bytes(problem, SEGMENT));
    struct strata_cost total = {0};
    strata_cost_copy(&total, problem->block_bytes / s.passes * (s.passes + 1), s.passes + 1,
                     machine);
    int again = s.passes > STRATA_PLACES ? s.passes - STRATA_PLACES : 0;
    strata_cost_signal(&total, s.passes + again, machine);
    return total;
}

const struct strata_algorithm strata_node_bcast = {
    .name = "node_bcast",
    .collectives = 1u << STRATA_BCAST,
    .level = STRATA_NODE_AWARE,
    .from_bytes = 512,
    .to_bytes = 131072,
    .summary = "the root's slot in shared memory, segment by segment, while others copy out",
    .paper = "Graham and Shipman, shared memory collectives, EuroPVM/MPI 2008",
    .restrictions = "one node with several ranks",
    .rounds_text = "none",
    .volume_text = "no message; each rank copies the vector once",
    .scratch_text = "a segment in each place of the root's slot",
    .parameters = {{.name = "segment",
                    .automatic = 128,
                    .least = 1,
                    .most = 65536,
                    .choices = {16, 128},
                    .meaning = "KiB of a segment, at most"}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
