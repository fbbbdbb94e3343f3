/* Gather through the node: every member puts its block into the node's shared memory, and leaders,
 * the root among them, run any flat gather between the nodes, in which a node's blocks travel as
 * one. What a leader passes on stays in the landing, where it came; the root receives into its own
 * buffer, and copies its node's blocks out of the slots.
 *
 * Nobody but leaders waits: a member goes on when its block is in its slot.
 *
 * Paper: Träff, "Hierarchical gather/scatter algorithms with graceful degradation", IPDPS 2004,
 *        has a gather for clusters of nodes; that leaders may run any flat one is ours.
 * Rounds: those of the gather between the nodes.
 * Volume: that of the gather between the nodes; inside a node no message.
 * Scratch: a block in each slot, the other nodes' blocks in the landing.
 * Restrictions: nodes have several ranks; a block fits in a slot, those of the other nodes in the
 *               landing. */
#include "hier/between.h"
#include "hier/registry.h"

enum { BETWEEN };

static const struct strata_algorithm *between_at(int number)
{
    return strata_between_at(1u << STRATA_GATHER, number);
}

static void find_between(const struct strata_problem *problem, struct strata_between *between)
{
    strata_between_of(between, problem, STRATA_GATHER, between_at(problem->parameter[BETWEEN]));
}

static const char *applicable(const struct strata_problem *problem)
{
    const char *refusal = strata_between_shared_refusal(problem);
    struct strata_between between;
    find_between(problem, &between);
    return refusal || problem->topology->nodes == 1 ? refusal : strata_between_refusal(&between);
}

/* The leader's, when all blocks of its node are there. In one node it is the root. */
static void gather(const struct strata_problem *problem, struct strata_builder *b)
{
    static const struct strata_between_stores stores = {STRATA_SHARED, STRATA_OUTPUT_AT,
                                                        STRATA_SHARED};
    int ranks = problem->topology->ranks;
    struct strata_between between;
    find_between(problem, &between);
    if (problem->topology->nodes > 1) {
        strata_between_build(&between, problem, &stores, b);
        return;
    }
    strata_build_phase(b, "copy out");
    strata_build_copy(b, strata_build_set(b, strata_between_box(problem, STRATA_SHARED, 0, ranks)),
                      strata_build_set(b, strata_between_box(problem, STRATA_OUTPUT_AT, 0, ranks)));
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    const struct strata_topology *t = problem->topology;
    int ranks = t->ranks, rank = problem->rank, node = t->node_of[rank];
    struct strata_box mine = strata_box_item(ranks, rank);
    struct strata_box slot = strata_box_item(ranks, strata_topology_position(t, rank));
    strata_build_blocks(b, (struct strata_blocks){.count = ranks, .shared = true});
    strata_build_phase(b, "my block");
    strata_build_copy(b, strata_build_set(b, strata_box_in(STRATA_INPUT, mine)),
                      strata_build_set(b, strata_box_in(STRATA_SHARED, slot)));
    strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    if (strata_between_leader(problem, node, 0) == t->local_of[rank]) {
        strata_build_await(b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
        gather(problem, b);
    }
}

/* The root's: it gets nearly all blocks by messages, and copies those of its node. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    const struct strata_topology *t = problem->topology;
    double bytes = problem->block_bytes;
    struct strata_cost total = {0};
    strata_cost_copy(&total, bytes, 1, machine);
    strata_cost_sweep(&total, t->largest - 1, machine);
    if (t->nodes > 1) {
        struct strata_between between;
        find_between(problem, &between);
        between.problem.block_bytes = bytes * t->ranks / t->nodes;
        struct strata_cost cost = strata_algorithm_cost(between.row, &between.problem, machine);
        strata_cost_add(&total, &cost);
    }
    strata_cost_copy(&total, t->largest * bytes, t->largest, machine);
    return total;
}

const struct strata_algorithm strata_node_gather = {
    .name = "node_gather",
    .collectives = 1u << STRATA_GATHER,
    .level = STRATA_NODE_AWARE,
    .from_bytes = 512,
    .from_bytes_across = 512,
    .summary = "blocks in shared memory, and a flat gather of whole nodes between leaders",
    .paper = "Träff, hierarchical gather/scatter algorithms, IPDPS 2004",
    .restrictions = "nodes have several ranks; blocks fit in the node's shared memory",
    .rounds_text = "those of the gather between the nodes",
    .volume_text = "that of the gather between the nodes; inside a node no message",
    .scratch_text = "a block in each slot, the other nodes' blocks in the landing",
    .parameters =
        {{.name = "between", .least = 1, .meaning = "the gather between nodes", .row = between_at}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
