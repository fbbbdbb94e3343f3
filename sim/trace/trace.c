/* Walks one rank's plan and says what it does, action by action, in the engine's order. */
#include "sim/trace/trace.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/engine/engine_sizes.h"
#include "core/price/machine.h"
#include "sim/trace/trace_walk.h"

static int act(const struct strata_trace_walk *w, struct strata_action action)
{
    action.stage = w->stage;
    return w->trace->act(w->trace->self, &action);
}

static int act_copy(const struct strata_trace_walk *w, double bytes, double pieces)
{
    struct strata_action action = {.kind = STRATA_ACT_COPY, .bytes = bytes, .pieces = pieces};
    return bytes > 0 ? act(w, action) : STRATA_OK;
}

/* Room for one more in an array; NULL without memory. */
static void *grown(void *array, int used, int *capacity, size_t size)
{
    if (used < *capacity) {
        return array;
    }
    int more = 2 * *capacity + 16;
    void *larger = strata_reallocate(array, (size_t)more, size);
    *capacity = larger ? more : *capacity;
    return larger;
}

/* Posts a message; received blocks that are packed are copied when it was waited for. */
static int post(struct strata_trace_walk *w, int tag, struct strata_trace_open open, double bytes)
{
    struct strata_trace_queue *q = &w->queue[tag];
    struct strata_trace_open *room = grown(q->open, q->end, &q->capacity, sizeof *q->open);
    if (!room) {
        return STRATA_ERR_MEMORY;
    }
    q->open = room;
    q->open[q->end++] = open;
    struct strata_action action = {.kind = open.receive ? STRATA_ACT_RECV : STRATA_ACT_SEND,
                                   .peer = open.peer,
                                   .tag = tag,
                                   .bytes = bytes};
    return act(w, action);
}

typedef int trace_step(struct strata_trace_walk *w, const struct strata_step *step);

static int one_direct(struct strata_trace_walk *w, int distance, bool receive)
{
    int64_t ranks = w->plan->topology->ranks, rank = w->plan->rank;
    if (distance == 0) {
        return receive ? STRATA_OK : act_copy(w, (double)w->trace->bytes, 1);
    }
    struct strata_trace_open open = {.receive = receive};
    open.peer = (int)((rank + (receive ? ranks - distance : distance)) % ranks);
    return post(w, STRATA_TAG_DIRECT, open, (double)w->trace->bytes);
}

static int trace_direct(struct strata_trace_walk *w, const struct strata_step *step)
{
    int error = STRATA_OK;
    (void)step;
    for (int send = 0; send < 2 && w->trace->bytes > w->plan->limits.threshold; send++) {
        struct strata_set_iterator it;
        struct strata_run run;
        strata_set_begin(&it, strata_cursor_set(&w->cursor));
        while (!error && strata_set_next(&it, &run)) {
            for (int i = 0; i < run.count && !error; i++) {
                error = one_direct(w, run.first + i, !send);
            }
        }
    }
    return error;
}

/* COPY_IN and COPY_OUT: block by block. */
static int trace_slices(struct strata_trace_walk *w, const struct strata_step *step)
{
    double blocks = (double)strata_set_count(strata_cursor_set(&w->cursor));
    (void)step;
    return act_copy(w, blocks * (double)strata_trace_slice(w), blocks);
}

static int node_mate(const struct strata_trace_walk *w, int member)
{
    return strata_topology_rank(w->plan->topology, w->plan->topology->node_of[w->plan->rank],
                                member);
}

static int members(const struct strata_trace_walk *w)
{
    const struct strata_topology *t = w->plan->topology;
    return strata_topology_node_size(t, t->node_of[w->plan->rank]);
}

/* To each member that awaits this signal, or an earlier one that was not published. */
static int trace_signal(struct strata_trace_walk *w, const struct strata_step *step)
{
    int error = STRATA_OK;
    for (int m = 0; w->trace->readers && m < members(w) && !error; m++) {
        for (int signal = w->sent[m] + 1; signal <= step->count && !error; signal++) {
            if (w->trace->readers[m] >> signal & 1) {
                error = act(w, (struct strata_action){.kind = STRATA_ACT_SIGNAL,
                                                      .peer = node_mate(w, m),
                                                      .tag = STRATA_TAG_SIGNAL + signal});
            }
        }
        w->sent[m] = (unsigned char)step->count;
    }
    return error;
}

static int trace_await(struct strata_trace_walk *w, const struct strata_step *step)
{
    int error = STRATA_OK, me = w->plan->topology->local_of[w->plan->rank];
    for (int m = 0; w->trace->readers && m < members(w) && !error; m++) {
        bool meant = (step->peer == STRATA_ALL_MEMBERS || step->peer == m) && m != me;
        if (meant && w->seen[m] < step->count) {
            w->seen[m] = (unsigned char)step->count;
            error = act(w, (struct strata_action){.kind = STRATA_ACT_AWAIT,
                                                  .peer = node_mate(w, m),
                                                  .tag = STRATA_TAG_SIGNAL + step->count});
        }
    }
    return error;
}

static int trace_nothing(struct strata_trace_walk *w, const struct strata_step *step)
{
    (void)w;
    (void)step;
    return STRATA_OK;
}

/* The table begins with nothing moved. */
static int trace_index(struct strata_trace_walk *w, const struct strata_step *step)
{
    size_t nodes = (size_t)w->plan->topology->nodes;
    memset(w->moved + (size_t)step->lane * nodes, 0, nodes * sizeof *w->moved);
    return STRATA_OK;
}

/* The largest that any message of so many items can be; what comes is as long as its sender
 * says. */
static double worst(const struct strata_trace_walk *w, double items, int part)
{
    const struct strata_topology *t = w->plan->topology;
    int lanes = w->plan->exchange.lanes, width = (t->largest + lanes - 1) / lanes;
    double item = (double)t->largest * width * (double)strata_trace_slice(w);
    return part == STRATA_LENGTHS ? strata_message_bytes(items, 0)
           : part == STRATA_DATA  ? items * item
                                  : strata_message_bytes(items, item);
}

static int trace_recv(struct strata_trace_walk *w, const struct strata_step *step)
{
    const struct strata_topology *t = w->plan->topology;
    struct strata_set set = strata_cursor_set(&w->cursor);
    double items = (double)strata_set_count(set);
    int from = t->node_of[step->peer], mine = t->node_of[w->plan->rank];
    if (step->part != STRATA_LENGTHS) {
        void *room = grown(w->landing, w->nlanding, &w->landing_capacity, sizeof *w->landing);
        if (!room) {
            return STRATA_ERR_MEMORY;
        }
        w->landing = room;
        w->landing[w->nlanding++] = (struct strata_trace_landing){
            step->lane, (int)(((int64_t)mine - from + t->nodes) % t->nodes), set};
    }
    struct strata_trace_open open = {.peer = step->peer, .receive = true};
    return post(w, STRATA_TAG_LANE, open, worst(w, items, step->part));
}

static int trace_send(struct strata_trace_walk *w, const struct strata_step *step)
{
    struct strata_set set = strata_cursor_set(&w->cursor);
    double head = strata_message_bytes((double)strata_set_count(set), 0);
    struct strata_trace_volume items = {0, 0, 0};
    if (step->part != STRATA_LENGTHS) {
        items = strata_trace_items(w, step->lane, set);
    }
    bool headed = step->part != STRATA_DATA;
    int error = act_copy(w, items.bytes + (headed ? 16 : 0), items.pieces + headed);
    struct strata_trace_open open = {.peer = step->peer};
    return error ? error : post(w, STRATA_TAG_LANE, open, items.bytes + (headed ? head : 0));
}

static int trace_send_blocks(struct strata_trace_walk *w, const struct strata_step *step)
{
    struct strata_trace_volume v = strata_trace_blocks(w, strata_cursor_set(&w->cursor));
    bool packed = step->how == STRATA_PACKED || (v.places > 1 && step->how != STRATA_TYPED);
    int error = packed ? act_copy(w, v.bytes, v.pieces) : STRATA_OK;
    struct strata_trace_open open = {.peer = step->peer};
    return error ? error : post(w, STRATA_TAG_LANE, open, v.bytes);
}

static int trace_recv_blocks(struct strata_trace_walk *w, const struct strata_step *step)
{
    struct strata_trace_volume v = strata_trace_blocks(w, strata_cursor_set(&w->cursor));
    struct strata_trace_open open = {.peer = step->peer, .receive = true};
    if (v.places > 1 && step->how != STRATA_TYPED) {
        open.unpack = v.bytes;
        open.pieces = v.pieces;
    }
    return post(w, STRATA_TAG_LANE, open, v.bytes);
}

static int trace_copy(struct strata_trace_walk *w, const struct strata_step *step)
{
    struct strata_trace_volume from = strata_trace_blocks(w, strata_cursor_from(&w->cursor));
    struct strata_trace_volume into = strata_trace_blocks(w, strata_cursor_set(&w->cursor));
    double pieces = from.pieces > into.pieces ? from.pieces : into.pieces;
    bool whole = from.places <= 1 && into.places <= 1;
    (void)step;
    return act_copy(w, into.bytes, whole ? 1 : pieces);
}

static int trace_reduce(struct strata_trace_walk *w, const struct strata_step *step)
{
    struct strata_trace_volume v = strata_trace_blocks(w, strata_cursor_set(&w->cursor));
    (void)step;
    return v.bytes > 0 ? act(w, (struct strata_action){.kind = STRATA_ACT_COMBINE,
                                                       .bytes = v.bytes,
                                                       .pieces = v.pieces})
                       : STRATA_OK;
}

/* Where some may stay open, whoever runs the plan goes on with whichever is complete first, and
 * that is a send: MPI takes small ones off its caller's hands. Otherwise oldest first. */
static struct strata_trace_open take(struct strata_trace_queue *q, bool window)
{
    int at = q->first;
    while (window && at < q->end && q->open[at].receive) {
        at++;
    }
    at = at < q->end ? at : q->first;
    struct strata_trace_open taken = q->open[at];
    for (; at > q->first; at--) {
        q->open[at] = q->open[at - 1];
    }
    q->open[q->first++] = taken;
    return taken;
}

/* What was received packed goes to its blocks once nothing is open. */
static int trace_wait(struct strata_trace_walk *w, const struct strata_step *step)
{
    int tag = step->direct ? STRATA_TAG_DIRECT : STRATA_TAG_LANE, error = STRATA_OK;
    struct strata_trace_queue *q = &w->queue[tag];
    bool any = q->end - q->first > step->count;
    while (!error && q->end - q->first > step->count) {
        struct strata_trace_open open = take(q, step->count > 0);
        error = act(w, (struct strata_action){.kind = open.receive ? STRATA_ACT_WAIT_RECV
                                                                   : STRATA_ACT_WAIT_SEND,
                                              .peer = open.peer,
                                              .tag = tag});
    }
    w->stage += any;
    if (q->first < q->end) {
        return error;
    }
    for (int i = 0; i < q->end && !error; i++) {
        error = act_copy(w, q->open[i].unpack, q->open[i].pieces);
    }
    q->first = q->end = 0;
    if (!step->direct) {
        strata_trace_land(w);
    }
    return error;
}

static int trace_native(struct strata_trace_walk *w, const struct strata_step *step)
{
    (void)w;
    (void)step;
    return STRATA_ERR_UNSUPPORTED;
}

static trace_step *const steps[STRATA_STEP_COUNT] = {
    [STRATA_STEP_PHASE] = trace_nothing,
    [STRATA_STEP_REPEAT] = trace_nothing,
    [STRATA_STEP_END] = trace_nothing,
    [STRATA_STEP_DIRECT] = trace_direct,
    [STRATA_STEP_COPY_IN] = trace_slices,
    [STRATA_STEP_SIGNAL] = trace_signal,
    [STRATA_STEP_AWAIT] = trace_await,
    [STRATA_STEP_INDEX] = trace_index,
    [STRATA_STEP_RECV] = trace_recv,
    [STRATA_STEP_SEND] = trace_send,
    [STRATA_STEP_SEND_BLOCKS] = trace_send_blocks,
    [STRATA_STEP_RECV_BLOCKS] = trace_recv_blocks,
    [STRATA_STEP_COPY] = trace_copy,
    [STRATA_STEP_REDUCE] = trace_reduce,
    [STRATA_STEP_WAIT] = trace_wait,
    [STRATA_STEP_COPY_OUT] = trace_slices,
    [STRATA_STEP_NATIVE] = trace_native,
};

/* An epoch is one pass: its signals are published and awaited anew. */
static void begin_pass(struct strata_trace_walk *w)
{
    if (w->cursor.pass != w->pass) {
        w->pass = w->cursor.pass;
        memset(w->seen, 0, (size_t)members(w));
        memset(w->sent, 0, (size_t)members(w));
    }
}

static int prepare(struct strata_trace_walk *w, const struct strata_trace *trace)
{
    const struct strata_plan *plan = trace->plan;
    size_t lanes = plan->exchange.lanes > 0 ? (size_t)plan->exchange.lanes : 0;
    *w = (struct strata_trace_walk){.trace = trace, .plan = plan};
    w->layout = (struct strata_layout){.type = &strata_byte_type, .count = trace->bytes};
    if (strata_plan_over_blocks(plan) && !strata_collective_info[plan->collective].ranked) {
        w->layout.segments = (size_t)plan->blocks.count;
        w->layout.unit = trace->unit > 0 ? trace->unit : 1;
    }
    w->moved = strata_allocate(lanes * (size_t)plan->topology->nodes, sizeof *w->moved);
    w->seen = strata_allocate((size_t)members(w), 1);
    w->sent = strata_allocate((size_t)members(w), 1);
    strata_cursor_begin(&w->cursor, plan);
    return w->moved && w->seen && w->sent ? STRATA_OK : STRATA_ERR_MEMORY;
}

static void release(struct strata_trace_walk *w)
{
    strata_release(w->queue[STRATA_TAG_LANE].open);
    strata_release(w->queue[STRATA_TAG_DIRECT].open);
    strata_release(w->landing);
    strata_release(w->moved);
    strata_release(w->seen);
    strata_release(w->sent);
}

int strata_trace_run(const struct strata_trace *trace)
{
    struct strata_trace_walk w;
    const struct strata_step *step;
    int error = prepare(&w, trace);
    for (; !error && (step = strata_cursor_step(&w.cursor)); strata_cursor_advance(&w.cursor)) {
        begin_pass(&w);
        error = steps[step->op](&w, step);
    }
    release(&w);
    return error;
}
