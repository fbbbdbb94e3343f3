/* Reduce_scatter through the node: each member copies its operands into its slot, where all members
 * can read them. Each node's members are cut into as many runs as there are lanes
 * (hier/lane_runs.h). The first member of a run leads its lane. The leader combines the blocks that
 * this lane's runs have on all nodes. Then the leaders of a lane do a reduce_scatter among each
 * other, by any flat algorithm, in which the blocks of a node's run are one block. A leader leaves
 * the results of its run in its slot, where it alone reads operands for them, and the other members
 * copy them out.
 *
 * With as many lanes as the largest node has members, each run is one rank, which ends with its own
 * block. That shares the combining among all members. But then all of them have messages, which
 * costs where they take turns on a core. Where a node has fewer members than there are lanes, some
 * of its runs are empty; it still has operands for those lanes' blocks, and a member leads several
 * lanes.
 *
 * Where all blocks do not fit in a slot, the blocks of some nodes do, in as many passes as it
 * takes. The combined blocks wait for the reduce_scatter between the nodes, which begins behind the
 * last pass. This holds where all nodes have as many members, each of which leads a lane.
 * Elsewhere, and where the blocks of one node do not fit either, blocks go in slices.
 *
 * The slots are those of node_reduce (Graham and Shipman); a leader for each share is DPML's. */
#include "core/cost/lines.h"
#include "core/plan/slices.h"
#include "hier/between.h"
#include "hier/lane_runs.h"
#include "hier/node_segments.h"
#include "hier/registry.h"
#include "internode/titles.h"
#include "intranode/signal_tree.h"

enum { LEADERS, BETWEEN, TREE };

static const struct strata_algorithm *between_at(int number)
{
    return strata_between_at(1u << STRATA_REDUCE_SCATTER | 1u << STRATA_REDUCE_SCATTER_BLOCK,
                             number);
}

static int lanes_of(const struct strata_problem *problem)
{
    int leaders = problem->parameter[LEADERS], largest = problem->topology->largest;
    return leaders < largest ? leaders : largest;
}

static struct strata_segments_shape shape_of(const struct strata_problem *problem)
{
    return (struct strata_segments_shape){.lanes = 1,
                                          .collective = problem->collective,
                                          .between = between_at(problem->parameter[BETWEEN]),
                                          .variant = 1};
}

/* The number of nodes whose blocks a pass moves: all nodes, or fewer that fit in a slot in passes
 * of equal size; 0: not even those of one node fit, or nodes differ in size, or not all members
 * lead. */
static int nodes_at_once(const struct strata_problem *problem)
{
    const struct strata_topology *t = problem->topology;
    size_t longest = strata_longest_block(problem);
    size_t most = longest > 0 ? strata_segments_capacity(problem->capacity.slot) / longest : 0;
    int nodes = t->nodes;
    if (strata_segments_passes(problem, 0) == 1) {
        return nodes;
    }
    if (t->smallest < t->largest || lanes_of(problem) < t->largest) {
        return 0;
    }
    while (nodes > 0 && (t->nodes % nodes > 0 || (size_t)nodes * (size_t)t->largest > most)) {
        nodes--;
    }
    return nodes;
}

/* The problem has not been refused. */
static int passes_of(const struct strata_problem *problem)
{
    int nodes = nodes_at_once(problem);
    return nodes > 0 ? problem->topology->nodes / nodes : 1;
}

static const char *applicable(const struct strata_problem *problem)
{
    struct strata_segments_shape shape = shape_of(problem);
    if (nodes_at_once(problem) == 0) {
        return "the blocks do not fit in a slot of the node's shared memory";
    }
    return strata_segments_refusal(problem, &shape);
}

/* Blocks of a pass. In one that is repeated for slices they are the same each time. */
static void move(const struct strata_lane_runs *r, struct strata_builder *b, enum strata_op op,
                 int from, int into)
{
    const struct strata_topology *t = r->problem->topology;
    int nodes = nodes_at_once(r->problem);
    strata_build_step(b, (struct strata_step){.op = (uint8_t)op,
                                              .workshare = op == STRATA_STEP_COPY,
                                              .set = into,
                                              .set_step = nodes < t->nodes ? nodes * t->largest : 0,
                                              .from = from});
}

static bool alone(const struct strata_lane_runs *r)
{
    return !r->exchange && strata_run_width(r, r->members) == 1;
}

/* The lane's blocks of a pass, of all members of my node, to where the exchange takes its input. In
 * one node to where the results belong; not at once to my slot, of which the operands are still to
 * be read. */
static void combine(struct strata_lane_runs *r, struct strata_builder *b)
{
    const struct strata_topology *t = r->problem->topology;
    const struct strata_embedding e = strata_run_embedding(r);
    struct strata_box some = strata_box_range(t->nodes, 0, nodes_at_once(r->problem));
    struct strata_box into = strata_box_in(alone(r) ? STRATA_OUTPUT : STRATA_INPUT, some);
    struct strata_box from = strata_box_in(STRATA_SLOT, some);
    strata_build_phase(b, "combine lane %d", r->lane);
    for (r->member = 0; r->member < r->members; r->member++) {
        int set = strata_build_embedded_set(b, &e, (struct strata_set){&into, 1, 0});
        int read = strata_build_embedded_set(b, &e, (struct strata_set){&from, 1, 0});
        move(r, b, r->member == 0 ? STRATA_STEP_COPY : STRATA_STEP_FOLD, read, set);
    }
}

/* Between the nodes. */
static void exchange(struct strata_lane_runs *r, struct strata_builder *b)
{
    const struct strata_embedding e = strata_run_embedding(r);
    struct strata_box all = strata_box_all(1);
    if (r->exchange) {
        strata_build_embedded(b, r->exchange, &e);
    } else if (!alone(r)) {
        struct strata_box from = strata_box_in(STRATA_INPUT, all);
        struct strata_box into = strata_box_in(STRATA_OUTPUT, all);
        int read = strata_build_embedded_set(b, &e, (struct strata_set){&from, 1, 0});
        strata_build_copy(b, read,
                          strata_build_embedded_set(b, &e, (struct strata_set){&into, 1, 0}));
    }
}

/* Appends the steps of all lanes that I lead, one lane after another. */
static void lead(struct strata_lane_runs *r, struct strata_builder *b,
                 void (*part)(struct strata_lane_runs *r, struct strata_builder *b))
{
    for (r->lane = 0; r->lane < r->lanes; r->lane++) {
        if (strata_run_begin(r, r->lane, r->members) == r->me) {
            part(r, b);
        }
    }
}

/* Copies my block out of the slot of my lane's leader. */
static void copy_out(const struct strata_lane_runs *r, int leader, struct strata_builder *b)
{
    const struct strata_topology *t = r->problem->topology;
    int rank = r->problem->rank, ranks = t->ranks;
    int number = leader * ranks + strata_topology_position(t, rank);
    struct strata_box from = strata_box_item(r->members * ranks, number);
    struct strata_box into = strata_box_item(ranks, rank);
    if (leader == r->me) {
        strata_build_signal(b, STRATA_SIGNAL_DONE);
    } else {
        strata_build_await(b, leader, STRATA_SIGNAL_DONE);
    }
    strata_build_phase(b, "my block");
    strata_build_copy(b, strata_build_set(b, strata_box_in(STRATA_SLOT, from)),
                      strata_build_set(b, strata_box_in(STRATA_OUTPUT, into)));
}

/* The problem of a lane's leaders. */
static struct strata_plan *find_exchange(struct strata_lane_runs *r, struct strata_builder *b)
{
    const struct strata_problem *problem = r->problem;
    int nodes = problem->topology->nodes;
    struct strata_between between;
    if (nodes == 1) {
        r->work = r->lanes < r->members;
        return NULL;
    }
    strata_between_of(&between, problem, problem->collective,
                      between_at(problem->parameter[BETWEEN]), 1);
    struct strata_plan *exchange = strata_between_plan(&between, b);
    int work = exchange ? exchange->blocks.work_first + exchange->blocks.work : 0;
    r->exchange = exchange;
    r->work = 1 + (work + nodes - 1) / nodes;
    return exchange;
}

/* The operands of a pass, so many, by position. */
static void hand_in(const struct strata_lane_runs *r, bool by_position, int count,
                    struct strata_builder *b)
{
    int ranks = r->problem->topology->ranks;
    struct strata_box some = strata_box_range(ranks, 0, count);
    struct strata_box slot = strata_box_range(r->members * ranks, r->me * ranks, count);
    strata_build_phase(b, "my operands");
    move(r, b, STRATA_STEP_COPY,
         strata_build_set(b, strata_box_in(by_position ? STRATA_INPUT_AT : STRATA_INPUT, some)),
         strata_build_set(b, strata_box_in(STRATA_SLOT, slot)));
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    const struct strata_topology *t = problem->topology;
    bool by_position = !strata_topology_in_order(t);
    enum strata_signal_tree tree = (enum strata_signal_tree)problem->parameter[TREE];
    struct strata_lane_runs r = {
        .problem = problem,
        .lanes = lanes_of(problem),
        .members = strata_topology_node_size(t, t->node_of[problem->rank]),
        .me = t->local_of[problem->rank],
    };
    r.lane = strata_run_mine(&r);
    int leader = strata_run_begin(&r, r.lane, r.members);
    bool together = strata_run_width(&r, r.members) > 1;
    struct strata_plan *between = find_exchange(&r, b);
    int passes = passes_of(problem), count = t->ranks / passes;
    if (passes > 1) {
        strata_build_limits(b, (struct strata_limits){.passes = passes});
    }
    strata_build_blocks(b, (struct strata_blocks){.count = t->ranks,
                                                  .slot = count,
                                                  .ring = (uint8_t)strata_segments_ring(problem, 0),
                                                  .work = leader == r.me ? r.work * t->ranks : 0,
                                                  .by_position = by_position});
    if (passes > 1) {
        strata_build_passes(b);
    }
    hand_in(&r, by_position, count, b);
    strata_signal_tree_arrive(b, problem, tree, leader == r.me);
    lead(&r, b, combine);
    if (passes > 1) {
        strata_build_end(b);
    }
    lead(&r, b, exchange);
    if (together) {
        copy_out(&r, leader, b);
    }
    strata_plan_destroy(between);
}

/* The cost of a rank of the smallest node, which leads most lanes, with the longest runs; then the
 * wait of a member. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    const struct strata_topology *t = problem->topology;
    struct strata_segments_shape shape = shape_of(problem);
    const int lanes = lanes_of(problem), width = (t->largest + lanes - 1) / lanes;
    const int led = (lanes + t->smallest - 1) / t->smallest;
    struct strata_machine leading = strata_machine_contended(machine, lanes);
    const int passes = passes_of(problem);
    const enum strata_signal_tree tree = (enum strata_signal_tree)problem->parameter[TREE];
    struct strata_cost total = {0}, pass = {0};
    double run = width * problem->block_bytes;
    shape.lanes = lanes;
    shape.once = true; /* the exchange, whatever the passes before it */
    strata_segments_combine_cost(&total, problem, t->nodes * run, &leading);
    strata_segments_exchange_cost(&total, problem, &shape, run, machine);
    strata_cost_scale(&total, led);
    strata_cost_copy(&pass, t->ranks * problem->block_bytes / passes, 1, machine);
    strata_signal_tree_cost(&pass, t, tree, false, machine);
    strata_cost_signal(&pass, tree != STRATA_SIGNAL_TREE_FLAT, machine); /* by which 0 releases */
    strata_cost_slot(&pass, t->ranks * problem->block_bytes / passes, machine);
    strata_cost_scale(&pass, passes);
    strata_cost_add(&total, &pass);
    if (width > 1) {
        strata_cost_signal(&total, 1, machine);
        strata_cost_slot(&total, t->ranks * problem->block_bytes, machine);
        strata_cost_copy(&total, problem->block_bytes, 1, machine);
    }
    return total;
}

const struct strata_algorithm strata_node_reduce_scatter = {
    .name = "node_reduce_scatter",
    .collectives = 1u << STRATA_REDUCE_SCATTER | 1u << STRATA_REDUCE_SCATTER_BLOCK,
    .level = STRATA_NODE_AWARE,
    .keeps_order = true,
    .left_fold = true,
    .summary = "operands in shared memory; leaders of parts of all nodes do a flat reduce_scatter",
    .paper = "Bayatpour et al., multi-leader reductions (DPML), SC 2017",
    .title = STRATA_TITLE_DPML,
    .restrictions = "nodes have several ranks; operands without gaps, of at most 64 bytes; ordered "
                    "only where a node's ranks follow each other; where not all blocks fit in "
                    "slots, those of some nodes at a time, or slices",
    .rounds_text = "those of the reduce_scatter between the nodes, on each lane",
    .volume_text = "that of the reduce_scatter between the nodes, of an L-th of the blocks for L "
                   "lanes; inside a node no message",
    .scratch_text = "all blocks in each place of each slot; where there are several nodes, a "
                    "leader all blocks, and the scratch of the reduce_scatter between them",
    .parameters = {{.name = "leaders",
                    .automatic = 65536,
                    .least = 1,
                    .most = 65536,
                    .choices = {65536, 1, 2, 4, 8, 16},
                    .across = true,
                    .meaning = "lanes, each with a leader on each node"},
                   {.name = "between",
                    .least = 1,
                    .meaning = "the reduce_scatter between nodes",
                    .algorithm = between_at},
                   {.name = "tree",
                    .automatic = STRATA_SIGNAL_TREE_FLAT,
                    .least = 1,
                    .most = 2,
                    .choices = {1, 2},
                    .across = true,
                    .meaning = "signals in a node: 1 flat, 2 binomial"}},
    .applicable = applicable,
    .slice = strata_segments_slice,
    .cost = cost,
    .build = build,
};
