/* Scatter through the node: leaders, the root among them, run any flat scatter between the nodes,
 * in which a node's blocks travel as one, into their slots. The other members of a node copy their
 * own block out of the leader's slot. In one node the root writes each block into its owner's slot;
 * no other rank writes there.
 *
 * A leader also forwards blocks from its slot, where they came. It waits for no member of its node
 * until its ring comes round to the same slot again (hier/node_bcast.c). That leaders may run any
 * flat scatter is ours.
 *
 * In a scatterv over several nodes the same plan first tells all ranks the lengths of the blocks,
 * and the blocks that leaders receive go through memory of their own, and from there to their
 * owners' slots. A block above the threshold comes from the root as a message of its own, or its
 * owner reads it where the root is a local peer. */
#include "core/cost/algorithm_cost.h"
#include "core/cost/lines.h"
#include "hier/between.h"
#include "hier/node_segments.h"
#include "hier/registry.h"
#include "internode/titles.h"

enum { BETWEEN };

static const struct strata_algorithm *between_at(int number)
{
    return strata_between_at(1u << STRATA_SCATTER, number);
}

static void find_between(const struct strata_problem *problem, struct strata_between *between)
{
    strata_between_of(between, problem, STRATA_SCATTER, between_at(problem->parameter[BETWEEN]), 1);
}

/* Whether blocks lie in the slots of their owners. Else all lie in their leader's. */
static bool in_own_slots(const struct strata_problem *problem)
{
    return problem->topology->nodes == 1 || strata_between_sends_lengths(problem);
}

static enum strata_store node_store(const struct strata_problem *problem)
{
    return in_own_slots(problem) ? STRATA_SHARED : STRATA_SLOT;
}

/* All blocks together are the vector that must fit in a slot, or a block is. */
static struct strata_problem in_a_slot(const struct strata_problem *problem)
{
    struct strata_problem slot = *problem;
    size_t blocks = in_own_slots(problem) ? 1 : (size_t)problem->topology->ranks;
    slot.most_bytes =
        problem->most_bytes <= SIZE_MAX / blocks ? problem->most_bytes * blocks : SIZE_MAX;
    return slot;
}

static const char *room_refusal(const struct strata_problem *problem)
{
    struct strata_problem slot = in_a_slot(problem);
    if (strata_between_sends_lengths(problem)) {
        return strata_between_threshold_refusal(problem);
    }
    return strata_segments_passes(&slot, 0) == 1
               ? NULL
               : "the blocks do not fit in a slot of the node's shared memory";
}

static size_t slice(const struct strata_problem *problem)
{
    return strata_between_sends_lengths(problem) ? 0
           : in_own_slots(problem)               ? strata_segments_capacity(problem->capacity.slot)
                                                 : strata_segments_slice(problem);
}

static const char *applicable(const struct strata_problem *problem)
{
    const char *refusal = strata_between_node_refusal(problem);
    struct strata_between between;
    find_between(problem, &between);
    refusal = refusal ? refusal : room_refusal(problem);
    return refusal || problem->topology->nodes == 1 ? refusal : strata_between_refusal(&between);
}

/* The steps of the leader: its node's blocks come to slots. In one node the leader is the root. The
 * lengths that a leader is told come to its work store, so all blocks that it receives are there.
 */
static void scatter(const struct strata_problem *problem, struct strata_builder *b)
{
    const enum strata_store slots = node_store(problem);
    struct strata_between_stores stores = {STRATA_INPUT_AT, slots, slots};
    bool told = strata_between_sends_lengths(problem), root = problem->rank == problem->root;
    struct strata_between between;
    find_between(problem, &between);
    if (problem->topology->nodes == 1) {
        strata_build_phase(b, "to the slots");
        strata_between_copy(problem, STRATA_INPUT_AT, slots, b);
        return;
    }
    if (told) {
        stores.output = root ? slots : STRATA_WORK;
        stores.work = STRATA_WORK;
    }
    strata_between_build(&between, problem, &stores, b);
    if (told && !root) {
        strata_build_phase(b, "to the slots");
        strata_between_copy(problem, STRATA_WORK, slots, b);
    }
}

static struct strata_blocks blocks_of(const struct strata_problem *problem, bool leads)
{
    const struct strata_topology *t = problem->topology;
    struct strata_problem slot = in_a_slot(problem);
    bool own = in_own_slots(problem), told = strata_between_sends_lengths(problem);
    enum strata_ring_kind ring =
        told ? strata_between_lengths_ring(problem) : strata_segments_ring(&slot, 0);
    return (struct strata_blocks){.count = t->ranks,
                                  .work = told && leads && t->nodes > 1 ? t->ranks : 0,
                                  .slot = own ? 0 : t->ranks,
                                  .ring = (uint8_t)ring,
                                  .shared = own,
                                  .by_position = true};
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    const struct strata_topology *t = problem->topology;
    int rank = problem->rank, leader = strata_between_leader(problem, t->node_of[rank], 0);
    bool leads = leader == t->local_of[rank];
    struct strata_box mine = strata_box_in(STRATA_OUTPUT, strata_box_item(t->ranks, rank));
    struct strata_box slot =
        strata_between_box(problem, node_store(problem), strata_topology_position(t, rank), 1);
    if (strata_between_sends_lengths(problem)) {
        strata_between_divide(problem, b);
    }
    strata_build_blocks(b, blocks_of(problem, leads));
    if (leads) {
        scatter(problem, b);
        strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    } else {
        strata_build_await(b, leader, STRATA_SIGNAL_ARRIVED);
    }
    strata_build_phase(b, "my block");
    strata_build_copy(b, strata_build_set(b, slot), strata_build_set(b, mine));
}

/* The root's, which sends to all nodes and then copies to its own, while others wait, and a
 * member's of its node. */
static struct strata_cost cost_of(const struct strata_problem *problem, double bytes,
                                  const struct strata_machine *machine)
{
    const struct strata_topology *t = problem->topology;
    struct strata_machine alone = strata_machine_contended(machine, 1);
    struct strata_cost total = {0};
    if (t->nodes > 1) {
        struct strata_between between;
        find_between(problem, &between);
        between.problem.block_bytes = bytes * t->ranks / t->nodes;
        total = strata_algorithm_cost(between.algorithm, &between.problem, machine);
    }
    strata_cost_copy(&total, t->largest * bytes, t->largest, &alone);
    strata_cost_copy(&total, bytes, 1, machine);
    strata_cost_signal(&total, 1, machine);
    strata_cost_lines(&total, 1, machine); /* the line that says that the block is there */
    return total;
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    return strata_between_lengths_cost(problem, cost_of, machine);
}

const struct strata_algorithm strata_node_scatter = {
    .name = "node_scatter",
    .collectives = 1u << STRATA_SCATTER | 1u << STRATA_SCATTERV,
    .level = STRATA_NODE_AWARE,
    .outward = true,
    .goes_ahead = true,
    .summary = "a flat scatter of whole nodes between leaders, whose slots the others copy out",
    .paper = "Träff, hierarchical gather/scatter algorithms, IPDPS 2004",
    .title = STRATA_TITLE_TRAEFF,
    .restrictions =
        "nodes have several ranks; longer blocks go in slices (scatterv: those above the "
        "threshold rank to rank, or lent)",
    .rounds_text = "those of the scatter between the nodes",
    .volume_text = "that of the scatter between the nodes; inside a node no message",
    .scratch_text = "all blocks in each place of each slot; in one node one block; scatterv: one "
                    "block, and the blocks that a leader receives in its own memory",
    .parameters = {{.name = "between",
                    .least = 1,
                    .meaning = "the scatter between nodes",
                    .algorithm = between_at}},
    .applicable = applicable,
    .slice = slice,
    .cost = cost,
    .build = build,
};
