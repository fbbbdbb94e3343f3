#include "core/cost/plan_cost.h"

#include <math.h>

#include "core/cost/lines.h"
#include "core/cost/round_cost.h"
#include "core/plan/actions.h"
#include "core/plan/plan_sizes.h"

/* Messages that are posted and not waited for yet, between nodes and inside the node, and of the
 * latter how many go over each distance. */
struct stage {
    double messages, bytes, messages_node, bytes_node;
    double over[STRATA_DISTANCES];
};

struct costing {
    const struct strata_plan *plan;
    const struct strata_machine *machine;
    const int *node_of; /* the node of each rank, as the machine tells them apart */
    const struct strata_topology *topology; /* where ranks really are */
    double leaders; /* of a node, where the plan does not say how many there are */
    double block_bytes;
    /* Mean number of a node's ranks, and of a lane's destinations on a node. */
    double members, width;
    /* Bytes of an item; in plans over blocks, of a block, which may be a part of the vector. */
    double item_bytes;
    /* Messages sent on lanes and directly; blocks to be received. */
    struct stage lane, direct, arriving;
    struct strata_lines lines;
    struct strata_machine reading; /* the machine as the rank sees it that awaited members last */
    struct strata_cost cost;
};

/* strata_slice for mean sizes, which need not be whole. */
static double slice_bytes(const struct costing *p, int pass)
{
    const struct strata_limits *limits = &p->plan->limits;
    double left = p->block_bytes - (double)pass * (double)limits->slice;
    if (p->block_bytes > (double)limits->threshold || left <= 0) {
        return 0;
    }
    return left < (double)limits->slice ? left : (double)limits->slice;
}

static void post(struct costing *p, struct stage *stage, int peer, double bytes)
{
    if (p->node_of[peer] == p->node_of[p->plan->rank]) {
        stage->messages_node++;
        stage->bytes_node += bytes;
    } else {
        stage->messages++;
        stage->bytes += bytes;
    }
    if (strata_topology_has_levels(p->topology) &&
        p->topology->node_of[peer] == p->topology->node_of[p->plan->rank]) {
        stage->over[strata_topology_distance(p->topology, p->plan->rank, peer)]++;
    }
}

static double run_count(struct strata_set set)
{
    struct strata_set_iterator it;
    struct strata_run run;
    double runs = 0;
    for (strata_set_begin(&it, set); strata_set_next(&it, &run);) {
        runs++;
    }
    return runs;
}

/* Bytes of one unit of the action's set. */
static double unit_bytes(const struct costing *p, const struct strata_action *a)
{
    return a->unit == STRATA_UNIT_BLOCKS   ? p->item_bytes
           : a->unit == STRATA_UNIT_DIRECT ? p->block_bytes
           : a->unit == STRATA_UNIT_SLICES ? slice_bytes(p, a->pass)
                                           : p->members * p->width * slice_bytes(p, a->pass);
}

static double units(const struct costing *p, const struct strata_action *a)
{
    return (double)strata_action_units(p->plan, a);
}

typedef void cost_action(struct costing *p, const struct strata_action *a);

/* Ranks that read in the memory of one rank at the same time: all local peers of a root that has
 * what they need. Others begin with different ranks. */
static double readers(const struct strata_plan *plan)
{
    return strata_collective_info[plan->collective].root == 'i' ? plan->topology->largest - 1 : 1;
}

/* A copy has a piece wherever either side has one. */
static void cost_copy(struct costing *p, const struct strata_action *a)
{
    bool blocks = a->unit == STRATA_UNIT_BLOCKS;
    double pieces = blocks ? fmax(run_count(a->from), run_count(a->set)) : units(p, a);
    double bytes = units(p, a) * unit_bytes(p, a);
    bool fetches = blocks ? strata_set_is_of_peers(a->from)
                          : a->unit == STRATA_UNIT_DIRECT && a->peer != p->plan->rank;
    if (fetches) {
        strata_cost_fetch_in_turn(&p->cost, bytes, pieces, readers(p->plan), p->machine);
    } else {
        strata_cost_copy(&p->cost, bytes, pieces, p->machine);
    }
}

static void cost_combine(struct costing *p, const struct strata_action *a)
{
    double bytes = units(p, a) * unit_bytes(p, a);
    if (strata_set_is_of_peers(a->from)) {
        strata_cost_reduce_fetched(&p->cost, bytes, units(p, a), p->machine);
    } else {
        strata_cost_reduce(&p->cost, bytes, p->machine);
    }
}

static void cost_signal(struct costing *p, const struct strata_action *a)
{
    (void)p;
    (void)a;
}

static void cost_index(struct costing *p, const struct strata_action *a)
{
    cost_signal(p, a);
}

static void cost_await(struct costing *p, const struct strata_action *a)
{
    struct strata_awaited of = strata_awaited_by(p->plan, a->step);
    p->reading =
        strata_machine_reading(p->machine, p->plan->topology, p->plan->rank, of.first, of.end);
    if (a->step->peer == STRATA_ALL_MEMBERS) {
        strata_cost_sweep(&p->cost, of.end - of.first - 1, &p->reading);
    } else {
        strata_cost_signal(&p->cost, 1, &p->reading);
    }
}

/* An item is packed in one piece for each member of the node that it comes from. */
static void send_items(struct costing *p, const struct strata_action *a)
{
    double items = units(p, a), item = unit_bytes(p, a);
    int part = a->step->how;
    if (part != STRATA_LENGTHS) {
        strata_cost_copy(&p->cost, items * item, items * p->members, p->machine);
    }
    post(p, &p->lane, a->peer,
         part == STRATA_DATA ? items * item
                             : strata_message_bytes(items, part == STRATA_LENGTHS ? 0 : item));
}

/* A message that is not one run of blocks is packed run by run: by Strata, or by the transport's
 * library, which got a description of the blocks. */
static void cost_gathering(struct costing *p, const struct strata_action *a, bool packed)
{
    double runs = run_count(a->set);
    if (packed || runs > 1) {
        const struct strata_machine library = strata_machine_alone(p->machine);
        const bool typed = a->step->how == STRATA_TYPED;
        strata_cost_copy(&p->cost, units(p, a) * unit_bytes(p, a), runs,
                         typed ? &library : p->machine);
    }
}

static void cost_send(struct costing *p, const struct strata_action *a)
{
    if (a->unit == STRATA_UNIT_ITEMS) {
        send_items(p, a);
        return;
    }
    bool direct = a->unit == STRATA_UNIT_DIRECT;
    if (!direct) {
        cost_gathering(p, a, a->step->how == STRATA_PACKED);
    }
    post(p, direct ? &p->direct : &p->lane, a->peer, units(p, a) * unit_bytes(p, a));
}

static void cost_recv(struct costing *p, const struct strata_action *a)
{
    if (a->unit == STRATA_UNIT_BLOCKS) {
        cost_gathering(p, a, false);
        post(p, &p->arriving, a->peer, units(p, a) * unit_bytes(p, a));
    }
}

/* The number of ranks of this node that send at the same time: for direct blocks all, on lanes the
 * leaders. A flat plan does not know its node, so the caller says how many ranks share it. */
static double senders(const struct costing *p, bool direct)
{
    const struct strata_plan *plan = p->plan;
    int leaders = plan->exchange.lanes, largest = plan->topology->largest;
    if (!plan->exchange.staged) {
        return p->machine->contenders;
    }
    if (strata_plan_over_blocks(plan)) {
        return p->leaders;
    }
    return direct || leaders > largest ? largest : leaders;
}

/* What a stage costs whose messages inside the node go as those of `way` do. */
static struct strata_cost cost_way(const struct costing *p, const struct strata_posted *posted,
                                   const struct stage *way, double contenders)
{
    struct strata_cost cost = {0};
    struct strata_machine contended = strata_machine_contended(p->machine, contenders);
    strata_machine_sends(&contended, way->over);
    strata_cost_posted(&cost, posted, &contended);
    return cost;
}

static bool stays(const struct stage *stage)
{
    double inside = 0;
    for (int distance = 0; distance < STRATA_DISTANCES; distance++) {
        inside += stage->over[distance];
    }
    return inside > 0;
}

/* A stage lasts as long as its sends, or as its receives if they have more bytes or come from
 * farther away. */
static void cost_stage(struct costing *p, const struct stage *sent, const struct stage *received,
                       double contenders)
{
    struct strata_posted posted = {fmax(sent->messages, received->messages),
                                   fmax(sent->bytes, received->bytes),
                                   fmax(sent->messages_node, received->messages_node),
                                   fmax(sent->bytes_node, received->bytes_node)};
    struct strata_cost cost = cost_way(p, &posted, stays(sent) ? sent : received, contenders);
    struct strata_cost other = cost_way(p, &posted, stays(received) ? received : sent, contenders);
    cost = strata_cost_time(&other) > strata_cost_time(&cost) ? other : cost;
    cost.messages = sent->messages;
    cost.bytes = sent->bytes;
    cost.messages_node = sent->messages_node;
    cost.bytes_node = sent->bytes_node;
    strata_cost_add(&p->cost, &cost);
}

/* A wait that lets `count` messages stay open closes a stage if more are open: it is a window.
 * Plans over items receive as many messages as they send. */
static void cost_wait(struct costing *p, const struct strata_action *a)
{
    const struct strata_step *step = a->step;
    static const struct stage none = {0};
    struct stage *stage = step->direct ? &p->direct : &p->lane;
    bool blocks = strata_plan_over_blocks(p->plan);
    const struct stage *other = blocks ? &p->arriving : stage;
    double open = stage->messages + stage->messages_node + other->messages + other->messages_node;
    if (open > step->count) {
        cost_stage(p, stage, blocks ? other : &none, senders(p, step->direct));
        *stage = (struct stage){0};
        p->arriving = (struct stage){0};
    }
}

static void cost_native(struct costing *p, const struct strata_action *a)
{
    (void)a;
    struct strata_cost native = strata_native_cost(p->plan->topology, p->block_bytes, p->machine);
    strata_cost_add(&p->cost, &native);
}

/* The lines that a step waits for before it can begin, except flags, whose cost is estimated where
 * they are awaited. Exposed blocks are read in another way, which has its own cost. */
static void cost_lines(struct costing *p, const struct strata_action *a)
{
    int lines = strata_lines_of(&p->lines, a);
    if (a->kind != STRATA_ACT_AWAIT && !strata_set_is_of_peers(a->from)) {
        strata_cost_lines(&p->cost, lines, &p->reading);
    }
}

static cost_action *const cost[STRATA_ACTIONS] = {
#define STRATA_COST_ROW(id, word) [STRATA_ACT_##id] = cost_##word,
    STRATA_ACTION_TABLE(STRATA_COST_ROW)
#undef STRATA_COST_ROW
};

static struct strata_cost cost_of(const struct strata_plan *plan, double block_bytes,
                                  const struct strata_machine *machine,
                                  const struct strata_topology *topology, double leaders)
{
    struct strata_actions walk;
    const struct strata_action *a;
    const struct strata_topology *t = plan->topology;
    int lanes = plan->exchange.lanes > 0 ? plan->exchange.lanes : 1;
    const int first = t->first[t->node_of[plan->rank]], end = t->first[t->node_of[plan->rank] + 1];
    struct strata_machine seen = strata_machine_reading(machine, t, plan->rank, 0, end - first);
    seen.inside = topology->nodes == 1;
    const bool tells = strata_cost_tells_nodes(topology, machine);
    struct costing p = {.plan = plan,
                        .machine = &seen,
                        .node_of = (tells ? topology : t)->node_of,
                        .topology = topology,
                        .leaders = tells ? leaders : 1,
                        .reading = seen,
                        .block_bytes = block_bytes,
                        .item_bytes = block_bytes / strata_plan_slice_count(plan),
                        .members = (double)t->ranks / t->nodes,
                        .width = (double)t->ranks / t->nodes / lanes};
    if (strata_plan_over_blocks(plan) && !strata_collective_info[plan->collective].ranked) {
        p.item_bytes = block_bytes / plan->blocks.count;
    }
    bool direct = block_bytes > (double)plan->limits.threshold;
    strata_actions_begin(&walk, plan, direct);
    strata_lines_begin(&p.lines, plan, block_bytes);
    while ((a = strata_actions_next(&walk))) {
        cost_lines(&p, a);
        cost[a->kind](&p, a);
    }
    if (plan->blocks.exposes || (plan->exchange.exposes && direct)) {
        strata_cost_sweep(&p.cost, t->largest - 1,
                          &seen); /* the others have read the exposed blocks */
    }
    return p.cost;
}

struct strata_cost strata_plan_cost_on(const struct strata_plan *plan, double block_bytes,
                                       const struct strata_machine *machine,
                                       const struct strata_topology *topology, double leaders)
{
    const struct strata_machine alone = strata_machine_alone(machine);
    if (machine->threads > 1) {
        struct strata_cost shared = cost_of(plan, block_bytes, machine, topology, leaders);
        if (strata_cost_opens_team(&shared, machine)) {
            shared.time_start += machine->opening;
            return shared;
        }
    }
    return cost_of(plan, block_bytes, &alone, topology, leaders);
}

struct strata_cost strata_plan_cost(const struct strata_plan *plan, double block_bytes,
                                    const struct strata_machine *machine)
{
    return strata_plan_cost_on(plan, block_bytes, machine, plan->topology, 1);
}
