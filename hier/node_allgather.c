/* Multi-leader allgather(v): every member puts its block into the node's shared memory, one leader
 * for each lane fetches the blocks of the other nodes' members, and each member copies all blocks
 * out.
 *
 * Lane j of L carries the blocks of the members with local index i = j mod L; of a node with m
 * members the one with turn j mod m (core/topology/topology.h) leads it. The leaders of a lane run
 * any flat allgather between as many ranks as there are nodes; a node's block there is its members'
 * blocks of that lane. That the exchange may be any flat allgather is ours. No block is copied on
 * arrival: a leader forwards each block from the place where it came.
 *
 * Where the result is to lie once in a node (node_allgather_once), the shared store is the result,
 * and members copy nothing out. So a block is written once, where it stays. */
#include "core/cost/formula_cost.h"
#include "core/cost/lines.h"
#include "core/cost/links.h"
#include "core/plan/embed.h"
#include "hier/between.h"
#include "hier/registry.h"
#include "internode/titles.h"
#include "intranode/signal_tree.h"

enum { LEADERS, BETWEEN, VARIANT, TREE };

/* More lanes than members of the largest node would carry nothing. */
static int lanes_of(const struct strata_problem *problem)
{
    int largest = problem->topology->largest;
    return problem->parameter[LEADERS] < largest ? problem->parameter[LEADERS] : largest;
}

static const struct strata_algorithm *between_at(int number)
{
    return strata_between_at(1u << STRATA_ALLGATHER, number);
}

static void find_between(const struct strata_problem *problem, struct strata_between *between)
{
    strata_between_of(between, problem, problem->collective,
                      between_at(problem->parameter[BETWEEN]), problem->parameter[VARIANT]);
}

static const char *between_refusal(const struct strata_problem *problem)
{
    struct strata_between between;
    find_between(problem, &between);
    /* their own blocks lie in slots, where the members of their node read them */
    if (between.algorithm->returns) {
        return "what is to run between the nodes sends them blocks of their own";
    }
    return strata_between_refusal(&between);
}

static const char *applicable(const struct strata_problem *problem)
{
    const char *refusal = strata_between_shared_refusal(problem);
    return refusal || problem->topology->nodes == 1 ? refusal : between_refusal(problem);
}

static const char *applicable_once(const struct strata_problem *problem)
{
    const char *refusal = strata_between_once_refusal(problem);
    return refusal || problem->topology->nodes == 1 ? refusal : between_refusal(problem);
}

/* Lane `lane` of `lanes`, which carries the blocks of members with local index i = lane mod lanes;
 * a node with no more than `lane` members has nothing on it. */
struct lane {
    const struct strata_topology *topology;
    int lanes, lane;
};

static int leader_of(const void *self, int node)
{
    const struct lane *l = self;
    return strata_topology_rank(l->topology, node, strata_lane_leader(l->topology, node, l->lane));
}

/* A node's block is its members' blocks of the lane. The members of neighbouring nodes have
 * neighbouring positions. A part of each node's members is one box where the nodes are equally
 * large. */
static struct strata_box members_of(const void *self, struct strata_run run, int *taken)
{
    const struct lane *l = self;
    const struct strata_topology *t = l->topology;
    int first = run.first, end = first + 1, size = strata_topology_node_size(t, first);
    while (end < first + run.count &&
           (l->lanes == 1 || strata_topology_node_size(t, end) == size)) {
        end++;
    }
    *taken = end - first;
    struct strata_box box =
        strata_box_range(t->ranks, t->first[first], t->first[end] - t->first[first]);
    if (l->lanes > 1) {
        int width = strata_lane_width(t, first, l->lane, l->lanes);
        box = strata_box_item(t->ranks, (t->first[first] + l->lane) % t->ranks);
        box.ndims = 2;
        box.dim[0] = (struct strata_dim){.length = end - first, .stride = size};
        box.dim[1] = (struct strata_dim){.length = width, .stride = l->lanes};
    }
    return strata_box_in(STRATA_SHARED, box);
}

/* Appends the exchange between the nodes on all lanes that I lead, one lane after another. */
static void exchange_lanes(struct strata_builder *b, const struct strata_problem *problem)
{
    const struct strata_topology *t = problem->topology;
    struct lane lane = {.topology = t, .lanes = lanes_of(problem)};
    struct strata_embedding embedding = {.self = &lane, .rank = leader_of, .box = members_of};
    int members = strata_topology_node_size(t, t->node_of[problem->rank]);
    struct strata_between between;
    find_between(problem, &between);
    struct strata_plan *plan = strata_between_plan(&between, b);
    lane.lane = t->turn_of[problem->rank];
    for (; plan && lane.lane < lane.lanes; lane.lane += members) {
        strata_build_embedded(b, plan, &embedding);
    }
    strata_plan_destroy(plan);
}

/* Until all lanes are complete: every leader of my node but me. */
static void await_leaders(struct strata_builder *b, const struct strata_problem *problem)
{
    const struct strata_topology *t = problem->topology;
    int members = strata_topology_node_size(t, t->node_of[problem->rank]);
    for (int lane = 0; lane < members && lane < lanes_of(problem); lane++) {
        int leader = strata_lane_leader(t, t->node_of[problem->rank], lane);
        if (leader != t->local_of[problem->rank]) {
            strata_build_await(b, leader, STRATA_SIGNAL_DONE);
        }
    }
}

/* Brings all blocks to the shared store, and waits until they are there. */
static void collect(const struct strata_problem *problem, struct strata_builder *b)
{
    const struct strata_topology *t = problem->topology;
    int ranks = t->ranks, rank = problem->rank, position = strata_topology_position(t, rank);
    bool across = t->nodes > 1, leads = across && t->turn_of[rank] < lanes_of(problem);
    strata_build_phase(b, "my block");
    struct strata_box mine = strata_box_in(STRATA_INPUT, strata_box_item(ranks, rank));
    struct strata_box slot = strata_box_in(STRATA_SHARED, strata_box_item(ranks, position));
    strata_build_copy(b, strata_build_set(b, mine), strata_build_set(b, slot));
    strata_signal_tree_arrive(b, problem, (enum strata_signal_tree)problem->parameter[TREE],
                              leads || !across);
    if (leads) {
        exchange_lanes(b, problem);
        strata_build_signal(b, STRATA_SIGNAL_DONE);
    }

    if (across) {
        strata_build_phase(b, "all blocks");
        await_leaders(b, problem);
    }
}

/* My own block not out of my slot, whose lines others are reading. */
static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    const int ranks = problem->topology->ranks, rank = problem->rank;
    const int next = (strata_topology_position(problem->topology, rank) + 1) % ranks;
    struct strata_box mine = strata_box_item(ranks, rank);
    struct strata_box others = strata_box_range(ranks, next, ranks - 1);
    strata_build_blocks(b, (struct strata_blocks){.count = ranks, .shared = true});
    collect(problem, b);
    strata_build_phase(b, "copy out");
    strata_build_copy(b, strata_build_set(b, strata_box_in(STRATA_INPUT, mine)),
                      strata_build_set(b, strata_box_in(STRATA_OUTPUT, mine)));
    strata_build_copy(b, strata_build_set(b, strata_box_in(STRATA_SHARED, others)),
                      strata_build_set(b, strata_box_in(STRATA_OUTPUT_AT, others)));
}

static void build_once(const struct strata_problem *problem, struct strata_builder *b)
{
    strata_build_blocks(
        b, (struct strata_blocks){.count = problem->topology->ranks, .shared = true, .once = true});
    collect(problem, b);
}

/* The cost of a leader between the nodes, by the formula of the exchange. The blocks of one of
 * several lanes lie apart, so its messages are packed and unpacked. With one lane only the blocks
 * of the leader's node are packed, which lie in their slots. */
static struct strata_cost cost_between(const struct strata_problem *problem,
                                       const struct strata_machine *machine)
{
    const struct strata_topology *t = problem->topology;
    double width = (double)t->ranks / t->nodes / lanes_of(problem); /* members that a lane serves */
    struct strata_machine contended = strata_machine_contended(machine, lanes_of(problem));
    struct strata_between between;
    find_between(problem, &between);
    between.problem.block_bytes = width * problem->block_bytes;
    between.nodes.largest = lanes_of(problem); /* ranks of a node that send at a time */
    strata_machine_route_mean(&contended, between.algorithm, &between.problem);
    struct strata_formula formula = between.algorithm->formula(&between.problem);
    formula.copied =
        formula.copied > 1 ? formula.copied - 1 : 0; /* its own block is there already */
    struct strata_cost total =
        strata_formula_cost(&formula, between.problem.block_bytes, &contended);
    double packed = width <= 1 ? 0 : width * (lanes_of(problem) > 1 ? 2 * formula.blocks : 1);
    strata_cost_copy(&total, packed * problem->block_bytes, packed, machine);
    return total;
}

/* `blocks`: the blocks that each rank copies. */
static struct strata_cost cost_of(const struct strata_problem *problem, double copied,
                                  const struct strata_machine *machine)
{
    const struct strata_topology *t = problem->topology;
    struct strata_cost total = {0};
    if (t->nodes > 1) {
        total = cost_between(problem, machine);
        strata_cost_sweep(&total, lanes_of(problem) - 1, machine);
    }
    strata_cost_copy(&total, copied * problem->block_bytes, copied, machine);
    if (copied > 1 && t->nodes == 1) {
        strata_cost_slot(&total, problem->block_bytes, machine);
    } else if (copied > 1) { /* from the landing, too */
        strata_cost_lines(&total, 1, machine);
    }
    strata_signal_tree_cost(&total, t, (enum strata_signal_tree)problem->parameter[TREE],
                            t->nodes == 1 || lanes_of(problem) > 1, machine);
    return total;
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    return cost_of(problem, 1 + (double)problem->topology->ranks, machine);
}

static struct strata_cost cost_once(const struct strata_problem *problem,
                                    const struct strata_machine *machine)
{
    return cost_of(problem, 1, machine);
}

#define PARAMETERS                                                                                 \
    {                                                                                              \
        {.name = "leaders",                                                                        \
         .least = 1,                                                                               \
         .most = 65536,                                                                            \
         .choices = {1, 2, 3, 4, 8, 16, 64},                                                       \
         .meaning = "lanes, each with a leader"},                                                  \
            {.name = "between",                                                                    \
             .least = 1,                                                                           \
             .meaning = "the allgather between nodes",                                             \
             .algorithm = between_at},                                                             \
            STRATA_VARIANT_PARAMETER,                                                              \
            {.name = "tree",                                                                       \
             .least = 1,                                                                           \
             .most = 2,                                                                            \
             .choices = {1, 2},                                                                    \
             .meaning = "signals in a node: 1 flat, 2 binomial"},                                  \
    }

const struct strata_algorithm strata_node_allgather = {
    .name = "node_allgather",
    .collectives = 1u << STRATA_ALLGATHER | 1u << STRATA_ALLGATHERV,
    .level = STRATA_NODE_AWARE,
    .summary = "gather in shared memory, a flat allgather between node leaders, copy out (lanes)",
    .paper = "Kandalla et al., multi-leader allgather, CAC 2009",
    .title = STRATA_TITLE_KANDALLA,
    .restrictions = "nodes have several ranks; longer blocks go in slices",
    .rounds_text = "those of the exchange over the nodes, on each lane",
    .volume_text = "that of the exchange; inside a node no message",
    .scratch_text = "a block in each slot, the other nodes' blocks in the landing",
    .parameters = PARAMETERS,
    .applicable = applicable,
    .slice = strata_between_slice,
    .cost = cost,
    .build = build,
};

const struct strata_algorithm strata_node_allgather_once = {
    .name = "node_allgather_once",
    .collectives = 1u << STRATA_ALLGATHER,
    .level = STRATA_NODE_AWARE,
    .once = true,
    .summary = "node_allgather into one result for each node, which nobody copies out",
    .paper = "Kandalla et al., multi-leader allgather, CAC 2009",
    .title = STRATA_TITLE_KANDALLA,
    .restrictions = "strata_allgather_shared only; nodes have several ranks",
    .rounds_text = "those of the exchange over the nodes, on each lane",
    .volume_text = "that of the exchange; inside a node no message; each rank copies its block",
    .scratch_text = "none but the result",
    .parameters = PARAMETERS,
    .applicable = applicable_once,
    .cost = cost_once,
    .build = build_once,
};
