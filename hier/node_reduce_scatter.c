/* Reduce_scatter through the node: everybody copies its operands into its slot, where all members
 * can read them. Member l of each node combines the blocks of the ranks that are members l of their
 * nodes, and then they do a reduce_scatter among each other, by any flat row. So each rank is a
 * leader, and ends with its own block.
 *
 * That makes as many lanes as the largest node has members. Where a smaller node has no member l,
 * it has no block on lane l; a member of it that leads another lane leads this one, too, for its
 * node's operands count there.
 *
 * Paper: Graham and Shipman, "MPI support for multi-core architectures: optimized shared memory
 *        collectives", EuroPVM/MPI 2008, has the slots; a leader for each share is that of
 *        Bayatpour et al. (DPML), SC 2017.
 * Rounds: those of the reduce_scatter between the nodes, on each lane.
 * Volume: that of the reduce_scatter between the nodes, of an m-th of the blocks, m ranks a node;
 *         inside a node no message.
 * Scratch: all blocks in each place of each slot; where there are several nodes each rank has all
 *          blocks, and what the reduce_scatter between them needs.
 * Restrictions: nodes have several ranks; operands without gaps, of at most 64 bytes; where the
 *               operator does not commute, a node's ranks follow each other. Where all blocks of a
 *               reduce_scatter_block do not fit in a slot they go in slices; those of a
 *               reduce_scatter, of which nobody says how long one is, have to fit. */
#include "core/plan/embed.h"
#include "core/price/lines.h"
#include "hier/between.h"
#include "hier/node_segments.h"
#include "hier/registry.h"

enum { BETWEEN };

static const struct strata_algorithm *between_at(int number)
{
    return strata_between_at(1u << STRATA_REDUCE_SCATTER | 1u << STRATA_REDUCE_SCATTER_BLOCK,
                             number);
}

static struct strata_segments_shape shape_of(const struct strata_problem *problem)
{
    return (struct strata_segments_shape){.lanes = 1,
                                          .collective = problem->collective,
                                          .between = between_at(problem->parameter[BETWEEN]),
                                          .variant = 1};
}

static const char *applicable(const struct strata_problem *problem)
{
    struct strata_segments_shape shape = shape_of(problem);
    if (strata_segments_passes(problem, 0) > 1) {
        return "the blocks do not fit in a slot of the node's shared memory";
    }
    return strata_segments_refusal(problem, &shape);
}

/* A lane, of which each node has the block of its rank that is member `lane`, if there is one. */
struct lane {
    const struct strata_problem *problem;
    const struct strata_plan *exchange; /* what its leaders do; NULL: there is one node */
    int lane;
    int work;    /* sets of all blocks that the work store has */
    int members; /* of my node */
    int member;  /* whose slot is meant */
};

static int leader_of(const void *self, int node)
{
    const struct lane *lane = self;
    const struct strata_topology *t = lane->problem->topology;
    return strata_topology_rank(t, node, strata_lane_leader(t, node, lane->lane));
}

/* The node's rank on the lane; -1: it has none. */
static int rank_of(const struct lane *lane, int node)
{
    const struct strata_topology *t = lane->problem->topology;
    return lane->lane < strata_topology_node_size(t, node)
               ? strata_topology_rank(t, node, lane->lane)
               : -1;
}

/* Number `number` of the sets of all blocks that a store has. */
struct part {
    enum strata_store store;
    int sets, number;
};

/* There the blocks of nodes from `first` on, at most `count` of them, as long as they lie at equal
 * distances; *taken := how many. */
static struct strata_box stretch(const struct lane *lane, struct part part, int first, int count,
                                 int *taken)
{
    int rank = rank_of(lane, first), blocks = lane->problem->topology->ranks;
    int distance = count > 1 ? rank_of(lane, first + 1) - rank : 0;
    *taken = 1;
    if (rank < 0) {
        return strata_box_in(part.store, strata_box_range(part.sets * blocks, 0, 0));
    }
    while (distance > 0 && *taken < count &&
           rank_of(lane, first + *taken) == rank + *taken * distance) {
        ++*taken;
    }
    return (struct strata_box){.space = part.sets * blocks,
                               .origin = part.number * blocks + rank,
                               .limit = part.sets * blocks,
                               .ndims = 1,
                               .store = (int16_t)part.store,
                               .dim = {{.length = *taken, .stride = *taken > 1 ? distance : 1}}};
}

/* A block of the exchange is that of the node's rank on the lane. What it takes as its input was
 * combined in the first set of the work store. */
static struct strata_box blocks_of(const void *self, struct strata_run run, int *taken)
{
    const struct lane *lane = self;
    int nodes = lane->problem->topology->nodes;
    struct part part = {STRATA_OUTPUT, 1, 0};
    int node = run.first, count = run.count;
    if (run.store == STRATA_SLOT) {
        part = (struct part){STRATA_SLOT, lane->members, lane->member};
    } else if (run.store == STRATA_INPUT) {
        part = (struct part){STRATA_WORK, lane->work, 0};
    } else if (run.store == STRATA_WORK) {
        int number = lane->exchange->blocks.work_first + run.first;
        node = number % nodes;
        count = count < nodes - node ? count : nodes - node;
        part = (struct part){STRATA_WORK, lane->work, 1 + number / nodes};
    }
    return stretch(lane, part, node, count, taken);
}

/* Those of the lane, of all members of my node, to where the exchange takes its input; in one node
 * that is my block, to the output. */
static void combine(struct lane *lane, const struct strata_embedding *e, struct strata_builder *b)
{
    struct strata_box all = strata_box_all(lane->problem->topology->nodes);
    struct strata_box into = strata_box_in(lane->exchange ? STRATA_INPUT : STRATA_OUTPUT, all);
    struct strata_box from = strata_box_in(STRATA_SLOT, all);
    strata_build_phase(b, "combine lane %d", lane->lane);
    for (lane->member = lane->members - 1; lane->member >= 0; lane->member--) {
        int set = strata_build_embedded_set(b, e, (struct strata_set){&into, 1, 0});
        int read = strata_build_embedded_set(b, e, (struct strata_set){&from, 1, 0});
        if (lane->member == lane->members - 1) {
            strata_build_copy(b, read, set);
        } else {
            strata_build_reduce(b, read, set);
        }
    }
}

/* All lanes that I lead, one after another. */
static void combine_lanes(struct lane *lane, struct strata_builder *b)
{
    const struct strata_topology *t = lane->problem->topology;
    struct strata_embedding e = {.self = lane, .rank = leader_of, .box = blocks_of};
    for (lane->lane = t->local_of[lane->problem->rank]; lane->lane < t->largest;
         lane->lane += lane->members) {
        combine(lane, &e, b);
        if (lane->exchange) {
            strata_build_embedded(b, lane->exchange, &e);
        }
    }
}

/* What the leaders of a lane do. */
static struct strata_plan *find_exchange(struct lane *lane, struct strata_builder *b)
{
    const struct strata_problem *problem = lane->problem;
    int nodes = problem->topology->nodes;
    struct strata_between between;
    if (nodes == 1) {
        return NULL;
    }
    strata_between_of(&between, problem, problem->collective,
                      between_at(problem->parameter[BETWEEN]), 1);
    struct strata_plan *exchange = strata_between_plan(&between, b);
    int work = exchange ? exchange->blocks.work_first + exchange->blocks.work : 0;
    lane->exchange = exchange;
    lane->work = 1 + (work + nodes - 1) / nodes;
    return exchange;
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    const struct strata_topology *t = problem->topology;
    int me = t->local_of[problem->rank], node = t->node_of[problem->rank];
    struct lane lane = {.problem = problem, .members = strata_topology_node_size(t, node)};
    struct strata_plan *exchange = find_exchange(&lane, b);
    strata_build_blocks(b, (struct strata_blocks){.count = t->ranks,
                                                  .slot = t->ranks,
                                                  .ring = (uint8_t)strata_segments_ring(problem, 0),
                                                  .work = lane.work * t->ranks});
    struct strata_box all = strata_box_all(t->ranks);
    struct strata_box slot = strata_box_range(lane.members * t->ranks, me * t->ranks, t->ranks);
    strata_build_phase(b, "my operands");
    strata_build_copy(b, strata_build_set(b, strata_box_in(STRATA_INPUT, all)),
                      strata_build_set(b, strata_box_in(STRATA_SLOT, slot)));
    strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    strata_build_await(b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
    combine_lanes(&lane, b);
    strata_plan_destroy(exchange);
}

/* Of a rank of the smallest node, which leads most lanes. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    const struct strata_topology *t = problem->topology;
    const int lanes = (t->largest + t->smallest - 1) / t->smallest;
    struct strata_segments_shape shape = shape_of(problem);
    struct strata_cost total = {0};
    shape.lanes = t->largest;
    strata_segments_combine_cost(&total, problem, t->nodes * problem->block_bytes, machine);
    strata_segments_exchange_cost(&total, problem, &shape, problem->block_bytes, machine);
    strata_cost_scale(&total, lanes);
    strata_cost_copy(&total, t->ranks * problem->block_bytes, 1, machine);
    strata_cost_sweep(&total, t->largest - 1, machine);
    strata_cost_slot(&total, t->ranks * problem->block_bytes, machine);
    return total;
}

const struct strata_algorithm strata_node_reduce_scatter = {
    .name = "node_reduce_scatter",
    .collectives = 1u << STRATA_REDUCE_SCATTER | 1u << STRATA_REDUCE_SCATTER_BLOCK,
    .level = STRATA_NODE_AWARE,
    .keeps_order = true,
    .summary = "operands in shared memory; equal members of all nodes do a flat reduce_scatter",
    .paper = "Bayatpour et al., multi-leader reductions (DPML), SC 2017",
    .restrictions = "nodes have several ranks; operands without gaps, of at most 64 bytes; ordered "
                    "only where a node's ranks follow each other; longer blocks go in slices "
                    "(reduce_scatter: all fit in a slot)",
    .rounds_text = "those of the reduce_scatter between the nodes, on each lane",
    .volume_text = "that between the nodes, of an m-th of the blocks; inside a node no message",
    .scratch_text = "all blocks in each place of each slot; all blocks, and what runs between",
    .parameters = {{.name = "between",
                    .least = 1,
                    .meaning = "the reduce_scatter between nodes",
                    .row = between_at}},
    .applicable = applicable,
    .slice = strata_segments_slice,
    .cost = cost,
    .build = build,
};
