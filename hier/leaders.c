/* Multi-leader alltoallv: a node's blocks are gathered in shared memory, one leader for each lane
 * exchanges them between nodes, and each member copies its own blocks out.
 *
 * A destination whose turn is i (core/topology/topology.h) is served on lane i mod L; of m members
 * of a node the one with turn j mod m leads lane j. On each lane the leaders exchange over the
 * nodes. An item holds the blocks of one node for that lane's destinations of another node. The
 * leaders run SLOAV; or two-phase Bruck with its lengths apart; or they send each item straight to
 * its node, `radix` messages at a time (pairwise). SLOAV with L = 1 is SLOAVx; with L = ranks per
 * node everybody leads. More than one leader, and radix r, are ours.
 *
 * A block above the threshold travels by itself: to another node as a message; inside the node,
 * where ranks may read each other's memory, its receiver takes it in one copy. */
#include "core/cost/links.h"
#include "core/plan/limits.h"
#include "core/plan/plan_sizes.h"
#include "hier/registry.h"
#include "internode/alltoall/sloav_rounds.h"
#include "internode/titles.h"
#include "intranode/signal_tree.h"

enum { LEADERS, RADIX, TREE, BETWEEN };
enum { SLOAV = 1, PAIRWISE, TWO_PHASE };

/* Everything derived from the problem that build, cost and applicable share. */
struct shape {
    const struct strata_topology *topology;
    struct strata_sloav sloav;
    struct strata_exchange exchange;
    struct strata_limits limits;
    int error;
};

/* With the largest group of messages that a leader sends between two waits, and its items. */
struct problem_stage {
    const struct strata_problem *problem;
    int messages;
    int64_t items;
};

/* Alone on a node, lanes only order the slots: one for each member lets each find its blocks by one
 * look into the sender's table. More lanes than members of the largest node would stay empty. */
static int lanes_of(const struct strata_problem *problem)
{
    const struct strata_topology *t = problem->topology;
    int wanted = problem->parameter[LEADERS];
    return t->nodes == 1 || wanted > t->largest ? t->largest : wanted;
}

/* Straight to its node an item goes with as many values of one digit as there are nodes. */
static struct strata_sloav sloav_of(const struct strata_problem *problem)
{
    int nodes = problem->topology->nodes, radix = problem->parameter[RADIX];
    struct strata_sloav sloav = {.nodes = nodes, .radix = radix};
    if (problem->parameter[BETWEEN] == PAIRWISE) {
        sloav.radix = nodes > 2 ? nodes : 2;
        sloav.batch = radix;
    }
    sloav.two_phase = problem->parameter[BETWEEN] == TWO_PHASE;
    return sloav;
}

static int find_limits(const struct problem_stage *p, const struct strata_exchange *exchange,
                       struct strata_limits *limits)
{
    return strata_limits_find(p->problem->topology, exchange, p->messages, p->items,
                              &p->problem->capacity, limits);
}

/* Direct blocks for local peers are exposed where that takes no bytes from staged blocks. */
static int find_exposing(const struct problem_stage *p, struct shape *s)
{
    struct strata_limits exposing;
    int error = find_limits(p, &s->exchange, &s->limits);
    s->exchange.exposes = p->problem->capacity.single_copy && s->topology->largest > 1;
    if (s->exchange.exposes) {
        s->exchange.exposes = find_limits(p, &s->exchange, &exposing) == STRATA_OK &&
                              exposing.threshold == s->limits.threshold &&
                              exposing.passes == s->limits.passes;
    }
    s->limits = s->exchange.exposes ? exposing : s->limits;
    return error;
}

static struct shape shape_of(const struct strata_problem *problem)
{
    struct shape s = {
        .topology = problem->topology, .sloav = sloav_of(problem), .limits = {0, 1, 1}};
    struct strata_stage stage;
    s.exchange.lanes = lanes_of(problem);
    s.exchange.staged = true;
    strata_sloav_volume(&s.sloav, &s.exchange, &stage);
    int led = (s.exchange.lanes + s.topology->smallest - 1) / s.topology->smallest;
    const struct problem_stage p = {problem, stage.messages * led, stage.items * led};
    s.error = find_exposing(&p, &s);
    return s;
}

static const char *applicable(const struct strata_problem *problem)
{
    return shape_of(problem).error ? "not even blocks of 8 bytes fit in the staging budget" : NULL;
}

/* One pass: my blocks in, the nodes' messages across, my blocks out. */
static void one_pass(struct strata_builder *b, const struct strata_problem *problem,
                     const struct shape *s, int all)
{
    const struct strata_topology *t = s->topology;
    int local = t->local_of[problem->rank];
    int turn = t->turn_of[problem->rank], lane = turn % s->exchange.lanes;
    int leader = strata_lane_leader(t, t->node_of[problem->rank], lane);
    bool across = t->nodes > 1;
    bool leads = across && turn < s->exchange.lanes;
    strata_build_phase(b, "copy in");
    strata_build_copy_in(b, strata_box_all(t->ranks));
    strata_signal_tree_arrive(b, problem, (enum strata_signal_tree)problem->parameter[TREE],
                              leads || !across);
    if (leads) {
        struct strata_sloav_lanes rounds = {t, problem->rank, s->exchange.lanes, s->sloav};
        strata_sloav_rounds(b, &rounds);
        strata_build_signal(b, STRATA_SIGNAL_DONE);
    }
    strata_build_phase(b, "copy out");
    if (across && leader != local) {
        strata_build_await(b, leader, STRATA_SIGNAL_DONE);
    }
    strata_build_copy_out(b, leader, lane, all);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    struct shape s = shape_of(problem);
    strata_build_exchange(b, s.exchange);
    strata_build_limits(b, s.limits);
    int all = strata_build_set(b, strata_box_all(s.topology->ranks));
    strata_build_phase(b, "direct blocks");
    strata_build_direct(b, all, 0);
    strata_build_passes(b);
    one_pass(b, problem, &s, all);
    strata_build_end(b);
    strata_build_wait_direct(b, 0);
}

/* Blocks above the threshold: a message for each one to another node. Local peers read theirs, if
 * they may. */
static void cost_direct(struct strata_cost *total, const struct strata_problem *problem,
                        bool exposes, const struct strata_machine *machine)
{
    const struct strata_topology *t = problem->topology;
    double near = t->largest - 1, far = t->ranks - t->largest;
    struct strata_posted posted = {far, far * problem->block_bytes, 0, 0};
    struct strata_machine exposed = problem->mapped ? strata_machine_mapped(machine) : *machine;
    if (exposes) {
        strata_cost_fetch(total, near * problem->block_bytes, near, &exposed);
        strata_cost_sweep(total, near, machine);
    } else {
        posted.messages_node = near;
        posted.bytes_node = near * problem->block_bytes;
    }
    struct strata_machine contended = strata_machine_contended(machine, t->largest);
    const struct strata_flat_round others = strata_onward(1, 1, t->nodes - 1, 0);
    strata_machine_route_nodes(&contended, t->nodes, &others);
    strata_cost_posted(total, &posted, &contended);
    strata_cost_fetch_own(total, problem->block_bytes, machine);
}

/* The cost of a leader: it reads the items that it sends in the members' slots, and copies its own
 * arrived blocks. */
static int lines_of(const struct shape *s, double bytes)
{
    const struct strata_topology *t = s->topology;
    size_t words = (size_t)t->nodes * (size_t)s->exchange.lanes + 1;
    words += s->exchange.lanes < t->largest ? 2 * (size_t)t->ranks : 0;
    return t->ranks > t->nodes ? strata_table_slot_lines(words, bytes * t->ranks) : 0;
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    struct shape s = shape_of(problem);
    const struct strata_topology *t = s.topology;
    bool staged = problem->block_bytes <= (double)s.limits.threshold;
    double bytes = staged ? problem->block_bytes / s.limits.passes : 0;
    double members = (double)t->ranks / t->nodes, width = members / s.exchange.lanes;
    int led = (s.exchange.lanes + t->largest - 1) / t->largest;
    int leaders = s.exchange.lanes < t->largest ? s.exchange.lanes : t->largest;
    struct strata_machine contended = strata_machine_contended(machine, leaders);
    struct strata_cost total =
        strata_sloav_cost(&s.sloav, led, bytes * members * width, members, &contended);
    double copied = 2 * t->ranks - 1; /* in and out, my own at once */
    strata_cost_copy(&total, copied * bytes, copied, machine);
    strata_signal_tree_cost(&total, t, (enum strata_signal_tree)problem->parameter[TREE],
                            t->nodes == 1 || leaders > 1, machine);
    strata_cost_lines(&total, lines_of(&s, bytes), machine);
    strata_cost_scale(&total, s.limits.passes);
    if (!staged) {
        cost_direct(&total, problem, s.exchange.exposes, machine);
    }
    return total;
}

const struct strata_algorithm strata_leaders = {
    .name = "leaders",
    .collectives = 1u << STRATA_ALLTOALL | 1u << STRATA_ALLTOALLV | 1u << STRATA_ALLTOALLW,
    .level = STRATA_NODE_AWARE,
    .summary = "gather in shared memory, log rounds between node leaders, scatter (SLOAVx; lanes)",
    .paper = "Xu et al., SLOAVx, CCGrid 2013, section IV",
    .title = STRATA_TITLE_SLOAVX,
    .restrictions = "blocks above the threshold go rank to rank; 8-byte slices must fit",
    .rounds_text = "those of the exchange over the nodes, on each lane",
    .volume_text = "each message of a node once for each non-zero digit of its distance (pairwise: "
                   "once); inside a node no message",
    .scratch_text = "slots, landing and pack areas inside the node's budget; several passes where "
                    "they do not hold the threshold in one",
    .parameters = {{.name = "leaders",
                    .least = 1,
                    .most = 65536,
                    .choices = {1, 2, 3, 4, 8, 16, 64},
                    .meaning = "lanes, each with a leader"},
                   {.name = "radix",
                    .least = 2,
                    .most = 1024,
                    .choices = {2, 3, 4, 6, 8, 16, 32, 64},
                    .meaning = "base of the digits between nodes"},
                   {.name = "tree",
                    .least = 1,
                    .most = 2,
                    .choices = {1, 2},
                    .meaning = "signals in a node: 1 flat, 2 binomial"},
                   {.name = "between",
                    .automatic = SLOAV,
                    .across = true,
                    .least = SLOAV,
                    .most = TWO_PHASE,
                    .choices = {SLOAV, PAIRWISE, TWO_PHASE},
                    .meaning = "the exchange between nodes; pairwise: radix messages at a time",
                    .words = {"sloav", "pairwise", "two_phase"}}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
