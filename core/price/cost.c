#include "core/price/cost.h"

#include <math.h>

#include "core/engine/engine_sizes.h"

/* Messages posted and not yet waited for, between nodes and inside the node. */
struct stage {
    double messages, bytes, messages_node, bytes_node;
};

struct pricing {
    const struct strata_plan *plan;
    const struct strata_machine *machine;
    const struct strata_cursor *cursor;
    double block_bytes;
    double members, width; /* mean ranks of a node, mean destinations of a lane on one */
    double item_bytes;     /* plans over blocks: a block may be a part of the vector */
    struct stage lane, direct, arriving; /* what is sent; and blocks to be received */
    struct strata_cost cost;
};

/* strata_slice for mean sizes, which need not be whole. */
static double slice_bytes(const struct pricing *p)
{
    const struct strata_limits *limits = &p->plan->limits;
    double left = p->block_bytes - (double)p->cursor->pass * (double)limits->slice;
    if (p->block_bytes > (double)limits->threshold || left <= 0) {
        return 0;
    }
    return left < (double)limits->slice ? left : (double)limits->slice;
}

static void post(struct pricing *p, struct stage *stage, int peer, double bytes)
{
    const int *node_of = p->plan->topology->node_of;
    if (node_of[peer] == node_of[p->plan->rank]) {
        stage->messages_node++;
        stage->bytes_node += bytes;
    } else {
        stage->messages++;
        stage->bytes += bytes;
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

static double set_items(const struct pricing *p)
{
    return (double)strata_set_count(strata_cursor_set(p->cursor));
}

typedef void price_step(struct pricing *p, const struct strata_step *step);

static void price_nothing(struct pricing *p, const struct strata_step *step)
{
    (void)p;
    (void)step;
}

static void price_direct(struct pricing *p, const struct strata_step *step)
{
    (void)step;
    if (p->block_bytes <= (double)p->plan->limits.threshold) {
        return;
    }
    int ranks = p->plan->topology->ranks;
    struct strata_set_iterator it;
    struct strata_run run;
    strata_set_begin(&it, strata_cursor_set(p->cursor));
    while (strata_set_next(&it, &run)) {
        for (int distance = run.first; distance < run.first + run.count; distance++) {
            if (distance == 0) {
                strata_cost_copy(&p->cost, p->block_bytes, 1, p->machine);
            } else {
                int to = (int)(((int64_t)p->plan->rank + distance) % ranks);
                post(p, &p->direct, to, p->block_bytes);
            }
        }
    }
}

/* COPY_IN and COPY_OUT. */
static void price_copy(struct pricing *p, const struct strata_step *step)
{
    (void)step;
    double blocks = set_items(p);
    strata_cost_copy(&p->cost, blocks * slice_bytes(p), blocks, p->machine);
}

static void price_await(struct pricing *p, const struct strata_step *step)
{
    const struct strata_topology *t = p->plan->topology;
    if (step->peer == STRATA_ALL_MEMBERS) {
        int members = strata_topology_node_size(t, t->node_of[p->plan->rank]);
        strata_cost_sweep(&p->cost, members - 1, p->machine);
    } else {
        strata_cost_signal(&p->cost, 1, p->machine);
    }
}

/* An item is packed in one piece for each member of the node that it comes from. */
static void price_send(struct pricing *p, const struct strata_step *step)
{
    double items = set_items(p);
    double item = p->members * p->width * slice_bytes(p);
    if (step->part == STRATA_LENGTHS) {
        post(p, &p->lane, step->peer, strata_message_bytes(items, 0));
        return;
    }
    strata_cost_copy(&p->cost, items * item, items * p->members, p->machine);
    post(p, &p->lane, step->peer,
         step->part == STRATA_DATA ? items * item : strata_message_bytes(items, item));
}

/* A message that is not one run of blocks is packed run by run, by us or by the transport's own
 * library to which it was described. */
static void price_gathering(struct pricing *p, bool packed)
{
    double runs = run_count(strata_cursor_set(p->cursor));
    if (packed || runs > 1) {
        strata_cost_copy(&p->cost, set_items(p) * p->item_bytes, runs, p->machine);
    }
}

static void price_send_blocks(struct pricing *p, const struct strata_step *step)
{
    price_gathering(p, step->how == STRATA_PACKED);
    post(p, &p->lane, step->peer, set_items(p) * p->item_bytes);
}

static void price_recv_blocks(struct pricing *p, const struct strata_step *step)
{
    price_gathering(p, false);
    post(p, &p->arriving, step->peer, set_items(p) * p->item_bytes);
}

/* COPY of blocks: cut where either side is. */
static void price_copy_blocks(struct pricing *p, const struct strata_step *step)
{
    (void)step;
    double pieces =
        fmax(run_count(strata_cursor_from(p->cursor)), run_count(strata_cursor_set(p->cursor)));
    strata_cost_copy(&p->cost, set_items(p) * p->item_bytes, pieces, p->machine);
}

static void price_reduce(struct pricing *p, const struct strata_step *step)
{
    (void)step;
    strata_cost_reduce(&p->cost, set_items(p) * p->item_bytes, p->machine);
}

/* Ranks of this node that send at the same time: for direct blocks all, on lanes the leaders. A
 * flat plan does not know its node; who asks for its price says how many share it. */
static double senders(const struct strata_plan *plan, bool direct, double given)
{
    int leaders = plan->exchange.lanes, largest = plan->topology->largest;
    if (!plan->exchange.staged) {
        return given;
    }
    if (strata_plan_over_blocks(plan)) {
        return 1; /* such a plan does not say how many leaders there are */
    }
    return direct || leaders > largest ? largest : leaders;
}

/* Lasts as long as what is sent, or as what is received where that is more. */
static void price_stage(struct pricing *p, const struct stage *sent, const struct stage *received,
                        double contenders)
{
    struct strata_cost cost = {0};
    struct strata_machine contended = strata_machine_contended(p->machine, contenders);
    strata_cost_stage(&cost, fmax(sent->messages, received->messages),
                      fmax(sent->bytes, received->bytes), &contended);
    strata_cost_stage_node(&cost, fmax(sent->messages_node, received->messages_node),
                           fmax(sent->bytes_node, received->bytes_node), p->machine);
    cost.messages = sent->messages;
    cost.bytes = sent->bytes;
    cost.messages_node = sent->messages_node;
    cost.bytes_node = sent->bytes_node;
    strata_cost_add(&p->cost, &cost);
}

/* A wait that lets `count` messages stay open closes a stage when more of them are: a window. Plans
 * over items receive as many messages as they send. */
static void price_wait(struct pricing *p, const struct strata_step *step)
{
    static const struct stage none = {0};
    struct stage *stage = step->direct ? &p->direct : &p->lane;
    bool blocks = strata_plan_over_blocks(p->plan);
    const struct stage *other = blocks ? &p->arriving : stage;
    double open = stage->messages + stage->messages_node + other->messages + other->messages_node;
    if (open > step->count) {
        price_stage(p, stage, blocks ? other : &none,
                    senders(p->plan, step->direct, p->machine->contenders));
        *stage = (struct stage){0};
        p->arriving = (struct stage){0};
    }
}

static void price_native(struct pricing *p, const struct strata_step *step)
{
    (void)step;
    struct strata_cost native = strata_native_cost(p->plan->topology, p->block_bytes, p->machine);
    strata_cost_add(&p->cost, &native);
}

static price_step *const price[STRATA_STEP_COUNT] = {
    [STRATA_STEP_PHASE] = price_nothing,
    [STRATA_STEP_REPEAT] = price_nothing,
    [STRATA_STEP_END] = price_nothing,
    [STRATA_STEP_DIRECT] = price_direct,
    [STRATA_STEP_COPY_IN] = price_copy,
    [STRATA_STEP_SIGNAL] = price_nothing,
    [STRATA_STEP_AWAIT] = price_await,
    [STRATA_STEP_INDEX] = price_nothing,
    [STRATA_STEP_RECV] = price_nothing,
    [STRATA_STEP_SEND] = price_send,
    [STRATA_STEP_WAIT] = price_wait,
    [STRATA_STEP_COPY_OUT] = price_copy,
    [STRATA_STEP_SEND_BLOCKS] = price_send_blocks,
    [STRATA_STEP_RECV_BLOCKS] = price_recv_blocks,
    [STRATA_STEP_COPY] = price_copy_blocks,
    [STRATA_STEP_REDUCE] = price_reduce,
    [STRATA_STEP_NATIVE] = price_native,
};

struct strata_cost strata_plan_cost(const struct strata_plan *plan, double block_bytes,
                                    const struct strata_machine *machine)
{
    struct strata_cursor cursor;
    const struct strata_step *step;
    const struct strata_topology *t = plan->topology;
    int lanes = plan->exchange.lanes > 0 ? plan->exchange.lanes : 1;
    struct pricing p = {.plan = plan,
                        .machine = machine,
                        .cursor = &cursor,
                        .block_bytes = block_bytes,
                        .item_bytes = block_bytes,
                        .members = (double)t->ranks / t->nodes,
                        .width = (double)t->ranks / t->nodes / lanes};
    if (strata_plan_over_blocks(plan) && !strata_collective_info[plan->collective].ranked) {
        p.item_bytes = block_bytes / plan->blocks.count;
    }
    strata_cursor_begin(&cursor, plan);
    for (; (step = strata_cursor_step(&cursor)); strata_cursor_advance(&cursor)) {
        price[step->op](&p, step);
    }
    return p.cost;
}

int strata_busiest_rank(const struct strata_topology *topology)
{
    int node = 0;
    while (strata_topology_node_size(topology, node) < topology->largest) {
        node++;
    }
    return strata_topology_rank(topology, node, 0);
}
