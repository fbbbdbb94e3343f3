/* Gather through the node: every member puts its block into the node's shared memory. Leaders, the
 * root among them, run any flat gather between the nodes, in which a node's blocks travel as one. A
 * leader forwards blocks from the landing, where they came. The root receives into its own buffer,
 * and copies its node's blocks out of the slots.
 *
 * Only leaders wait: a member goes on when its block is in its slot, and waits when its ring comes
 * round to a slot that its leader has not left yet. So short blocks use the deep rings. The landing
 * does not belong to these, so a leader forwards short blocks from its own memory. That leaders may
 * run any flat gather is ours.
 *
 * In a gatherv over several nodes the same plan first tells leaders the lengths of the blocks, and
 * the blocks to forward go through a leader's own memory, too. A block above the threshold goes to
 * the root as a message of its own, or the root reads it where its owner is a local peer. */
#include "core/cost/algorithm_cost.h"
#include "core/cost/lines.h"
#include "hier/between.h"
#include "hier/node_segments.h"
#include "hier/registry.h"
#include "internode/titles.h"

enum { BETWEEN };

static const struct strata_algorithm *between_at(int number)
{
    return strata_between_at(1u << STRATA_GATHER, number);
}

static void find_between(const struct strata_problem *problem, struct strata_between *between)
{
    strata_between_of(between, problem, STRATA_GATHER, between_at(problem->parameter[BETWEEN]), 1);
}

static enum strata_ring_kind ring_of(const struct strata_problem *problem)
{
    return strata_between_sends_lengths(problem) ? strata_between_lengths_ring(problem)
                                                 : strata_segments_ring(problem, 0);
}

/* Whether leaders forward blocks from their own memory, not from the landing. */
static bool forwards_own(const struct strata_problem *problem)
{
    return problem->topology->nodes > 1 &&
           (strata_between_sends_lengths(problem) || ring_of(problem) != STRATA_LARGE_RING);
}

static const char *room_refusal(const struct strata_problem *problem)
{
    return strata_between_sends_lengths(problem)   ? strata_between_threshold_refusal(problem)
           : ring_of(problem) == STRATA_LARGE_RING ? strata_between_shared_refusal(problem)
                                                   : NULL;
}

static const char *applicable(const struct strata_problem *problem)
{
    const char *refusal = strata_between_node_refusal(problem);
    struct strata_between between;
    find_between(problem, &between);
    refusal = refusal ? refusal : room_refusal(problem);
    return refusal || problem->topology->nodes == 1 ? refusal : strata_between_refusal(&between);
}

/* The steps of the leader when all blocks of its node are there. In one node the leader is the
 * root. The lengths that a leader is told come to its work store, so all blocks that it forwards
 * are there. */
static void gather(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_between_stores stores = {STRATA_SHARED, STRATA_OUTPUT_AT, STRATA_SHARED};
    struct strata_between between;
    find_between(problem, &between);
    if (problem->topology->nodes == 1) {
        strata_build_phase(b, "copy out");
        strata_between_copy(problem, STRATA_SHARED, STRATA_OUTPUT_AT, b);
        return;
    }
    if (forwards_own(problem)) {
        stores.work = STRATA_WORK;
    }
    if (strata_between_sends_lengths(problem) && problem->rank != problem->root) {
        strata_build_phase(b, "my node's blocks");
        strata_between_copy(problem, STRATA_SHARED, STRATA_WORK, b);
        stores.input = STRATA_WORK;
    }
    strata_between_build(&between, problem, &stores, b);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    const struct strata_topology *t = problem->topology;
    int ranks = t->ranks, rank = problem->rank;
    bool leads = strata_between_leader(problem, t->node_of[rank], 0) == t->local_of[rank];
    if (strata_between_sends_lengths(problem)) {
        strata_between_divide(problem, b);
    }
    strata_build_blocks(b,
                        (struct strata_blocks){.count = ranks,
                                               .work = leads && forwards_own(problem) ? ranks : 0,
                                               .ring = (uint8_t)ring_of(problem),
                                               .shared = true,
                                               .by_position = true});
    struct strata_box mine = strata_box_item(ranks, rank);
    struct strata_box slot = strata_box_item(ranks, strata_topology_position(t, rank));
    strata_build_phase(b, "my block");
    strata_build_copy(b, strata_build_set(b, strata_box_in(STRATA_INPUT, mine)),
                      strata_build_set(b, strata_box_in(STRATA_SHARED, slot)));
    strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    if (leads) {
        strata_build_await(b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
        gather(problem, b);
    }
}

/* The cost of the root: it gets nearly all blocks by messages, and copies those of its node alone,
 * for the others have gone on. */
static struct strata_cost cost_of(const struct strata_problem *problem, double bytes,
                                  const struct strata_machine *machine)
{
    const struct strata_topology *t = problem->topology;
    struct strata_machine alone = strata_machine_contended(machine, 1);
    struct strata_cost total = {0};
    strata_cost_copy(&total, bytes, 1, machine);
    strata_cost_sweep(&total, t->largest - 1, machine);
    strata_cost_slot(&total, bytes, machine);
    if (t->nodes > 1) {
        struct strata_between between;
        find_between(problem, &between);
        between.problem.block_bytes = bytes * t->ranks / t->nodes;
        struct strata_cost cost =
            strata_algorithm_cost(between.algorithm, &between.problem, machine);
        strata_cost_add(&total, &cost);
    }
    strata_cost_copy(&total, t->largest * bytes, t->largest, &alone);
    return total;
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    return strata_between_lengths_cost(problem, cost_of, machine);
}

const struct strata_algorithm strata_node_gather = {
    .name = "node_gather",
    .collectives = 1u << STRATA_GATHER | 1u << STRATA_GATHERV,
    .level = STRATA_NODE_AWARE,
    .outward = true,
    .goes_ahead = true,
    .summary = "blocks in shared memory, and a flat gather of whole nodes between leaders",
    .paper = "Träff, hierarchical gather/scatter algorithms, IPDPS 2004",
    .title = STRATA_TITLE_TRAEFF,
    .restrictions =
        "nodes have several ranks; longer blocks go in slices (gatherv: those above the "
        "threshold rank to rank, or lent)",
    .rounds_text = "those of the gather between the nodes",
    .volume_text = "that of the gather between the nodes; inside a node no message",
    .scratch_text =
        "a block in each slot, the other nodes' blocks in the landing; short blocks and "
        "gatherv: the blocks that a leader forwards in its own memory",
    .parameters = {{.name = "between",
                    .least = 1,
                    .meaning = "the gather between nodes",
                    .algorithm = between_at}},
    .applicable = applicable,
    .slice = strata_between_slice,
    .cost = cost,
    .build = build,
};
