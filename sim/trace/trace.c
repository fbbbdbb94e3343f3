/* Goes through the actions of one rank's plan and turns them into events. */
#include "sim/trace/trace.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/cost/machine.h"
#include "core/engine/node_memory.h"
#include "core/plan/plan_sizes.h"
#include "sim/trace/trace_walk.h"

static int tell(const struct strata_trace_walk *w, struct strata_event event)
{
    event.stage = w->stage;
    return w->trace->take(w->trace->self, &event);
}

static int tell_copy(const struct strata_trace_walk *w, double bytes, double pieces)
{
    struct strata_event event = {.kind = STRATA_EVENT_COPY, .bytes = bytes, .pieces = pieces};
    return bytes > 0 ? tell(w, event) : STRATA_OK;
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
    struct strata_event event = {.kind = open.receive ? STRATA_EVENT_RECV : STRATA_EVENT_SEND,
                                 .peer = open.peer,
                                 .tag = tag,
                                 .bytes = bytes};
    return tell(w, event);
}

static int node_peer(const struct strata_trace_walk *w, int member)
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
static int trace_signal(struct strata_trace_walk *w, const struct strata_action *a)
{
    int error = STRATA_OK, last = a->step->count;
    for (int m = 0; w->trace->readers && m < members(w) && !error; m++) {
        for (int signal = w->sent[m] + 1; signal <= last && !error; signal++) {
            if (w->trace->readers[m] >> signal & 1) {
                error = tell(w, (struct strata_event){.kind = STRATA_EVENT_SIGNAL,
                                                      .peer = node_peer(w, m),
                                                      .tag = STRATA_TAG_SIGNAL + signal});
            }
        }
        w->sent[m] = (unsigned char)last;
    }
    return error;
}

/* Several flags are read side by side: all are awaited before any was seen. */
static int trace_await(struct strata_trace_walk *w, const struct strata_action *a)
{
    int error = STRATA_OK, me = w->plan->topology->local_of[w->plan->rank], signal = a->step->count;
    int others = -1, last = -1;
    struct strata_awaited of = strata_awaited_by(w->plan, a->step);
    struct strata_event event = {.kind = STRATA_EVENT_AWAIT, .tag = STRATA_TAG_SIGNAL + signal};
    for (int m = of.first; w->trace->readers && m < of.end && !error; m++) {
        if (m != me && w->seen[m] < signal) {
            event.peer = node_peer(w, last = m);
            error = tell(w, event);
            others++;
        }
    }
    event.kind = STRATA_EVENT_SEEN;
    for (int m = of.first; m <= last && !error; m++) {
        if (m != me && w->seen[m] < signal) {
            w->seen[m] = (unsigned char)signal;
            event.peer = node_peer(w, m);
            event.pieces = m == last ? others : 0;
            error = tell(w, event);
        }
    }
    return error;
}

/* The table begins with nothing moved. */
static int trace_index(struct strata_trace_walk *w, const struct strata_action *a)
{
    size_t nodes = (size_t)w->plan->topology->nodes;
    memset(w->moved + (size_t)a->step->lane * nodes, 0, nodes * sizeof *w->moved);
    return STRATA_OK;
}

/* The most bytes of a message of so many items; the sender says the length of the message. */
static double worst(const struct strata_trace_walk *w, double items, int part)
{
    const struct strata_topology *t = w->plan->topology;
    int lanes = w->plan->exchange.lanes, width = (t->largest + lanes - 1) / lanes;
    double item = (double)t->largest * width * (double)strata_trace_slice(w);
    return part == STRATA_LENGTHS ? strata_message_bytes(items, 0)
           : part == STRATA_DATA  ? items * item
                                  : strata_message_bytes(items, item);
}

/* A message with items of the lane is not empty; its items move at the wait. */
static int keep_landing(struct strata_trace_walk *w, const struct strata_action *a)
{
    const struct strata_topology *t = w->plan->topology;
    int from = t->node_of[a->peer], mine = t->node_of[w->plan->rank];
    void *room = grown(w->landing, w->nlanding, &w->landing_capacity, sizeof *w->landing);
    if (!room) {
        return STRATA_ERR_MEMORY;
    }
    w->landing = room;
    w->landing[w->nlanding++] = (struct strata_trace_landing){
        a->step->lane, (int)(((int64_t)mine - from + t->nodes) % t->nodes), a->set};
    return STRATA_OK;
}

/* Without header and lengths. */
static struct strata_trace_volume items_of(const struct strata_trace_walk *w,
                                           const struct strata_action *a, int sender)
{
    if (a->step->how == STRATA_LENGTHS) {
        return (struct strata_trace_volume){0, 0, 0};
    }
    return strata_trace_items(w, w->plan->topology->node_of[sender], a->step->lane, a->set);
}

/* In a repeated call receives are exact, and both ends leave out empty messages. */
static int recv_items(struct strata_trace_walk *w, const struct strata_action *a)
{
    int part = a->step->how, error = part == STRATA_LENGTHS ? STRATA_OK : keep_landing(w, a);
    struct strata_trace_open open = {.peer = a->peer, .receive = true};
    double bytes = w->trace->again ? items_of(w, a, a->peer).bytes
                                   : worst(w, (double)strata_set_count(a->set), part);
    if (error || (w->trace->again && bytes <= 0)) {
        return error;
    }
    return post(w, STRATA_TAG_LANE, open, bytes);
}

static int trace_recv(struct strata_trace_walk *w, const struct strata_action *a)
{
    struct strata_trace_open open = {.peer = a->peer, .receive = true};
    if (a->unit == STRATA_UNIT_DIRECT) {
        return post(w, STRATA_TAG_DIRECT, open, (double)w->trace->bytes);
    }
    if (a->unit == STRATA_UNIT_ITEMS) {
        return recv_items(w, a);
    }
    struct strata_trace_volume v = strata_trace_blocks(w, a->set);
    if (v.places > 1 && a->step->how != STRATA_TYPED) {
        open.unpack = v.bytes;
        open.pieces = v.pieces;
    }
    return post(w, STRATA_TAG_LANE, open, v.bytes);
}

static int send_items(struct strata_trace_walk *w, const struct strata_action *a)
{
    double head = strata_message_bytes((double)strata_set_count(a->set), 0);
    struct strata_trace_volume items = items_of(w, a, w->plan->rank);
    bool headed = a->step->how != STRATA_DATA && !w->trace->again;
    int error = tell_copy(w, items.bytes + (headed ? 16 : 0), items.pieces + headed);
    struct strata_trace_open open = {.peer = a->peer};
    if (error || (w->trace->again && items.bytes <= 0)) {
        return error;
    }
    return post(w, STRATA_TAG_LANE, open, items.bytes + (headed ? head : 0));
}

static int trace_send(struct strata_trace_walk *w, const struct strata_action *a)
{
    struct strata_trace_open open = {.peer = a->peer};
    if (a->unit == STRATA_UNIT_DIRECT) {
        return post(w, STRATA_TAG_DIRECT, open, (double)w->trace->bytes);
    }
    if (a->unit == STRATA_UNIT_ITEMS) {
        return send_items(w, a);
    }
    struct strata_trace_volume v = strata_trace_blocks(w, a->set);
    int how = a->step->how;
    bool packed = how == STRATA_PACKED || (v.places > 1 && how != STRATA_TYPED);
    int error = packed ? tell_copy(w, v.bytes, v.pieces) : STRATA_OK;
    return error ? error : post(w, STRATA_TAG_LANE, open, v.bytes);
}

/* Slices block by block. */
static int trace_copy(struct strata_trace_walk *w, const struct strata_action *a)
{
    if (a->unit != STRATA_UNIT_BLOCKS) {
        bool direct = a->unit == STRATA_UNIT_DIRECT;
        double blocks = (double)strata_action_units(w->plan, a);
        size_t bytes = direct ? w->trace->bytes : strata_trace_slice(w);
        return tell_copy(w, blocks * (double)bytes, blocks);
    }
    struct strata_trace_volume from = strata_trace_blocks(w, a->from);
    struct strata_trace_volume into = strata_trace_blocks(w, a->set);
    double pieces = from.pieces > into.pieces ? from.pieces : into.pieces;
    bool whole = from.places <= 1 && into.places <= 1;
    return tell_copy(w, into.bytes, whole ? 1 : pieces);
}

static int trace_combine(struct strata_trace_walk *w, const struct strata_action *a)
{
    struct strata_trace_volume v = strata_trace_blocks(w, a->set);
    struct strata_event event = {
        .kind = STRATA_EVENT_COMBINE, .bytes = v.bytes, .pieces = v.pieces};
    return v.bytes > 0 ? tell(w, event) : STRATA_OK;
}

/* Where some requests may stay open, the engine goes on with the request that completes first,
 * which is a send: MPI completes small ones at once. Otherwise the oldest comes first. */
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

/* Packed messages are unpacked when no receive is open. */
static int trace_wait(struct strata_trace_walk *w, const struct strata_action *a)
{
    const struct strata_step *step = a->step;
    int tag = step->direct ? STRATA_TAG_DIRECT : STRATA_TAG_LANE, error = STRATA_OK;
    struct strata_trace_queue *q = &w->queue[tag];
    bool any = q->end - q->first > step->count;
    while (!error && q->end - q->first > step->count) {
        struct strata_trace_open open = take(q, step->count > 0);
        error = tell(w, (struct strata_event){.kind = open.receive ? STRATA_EVENT_WAIT_RECV
                                                                   : STRATA_EVENT_WAIT_SEND,
                                              .peer = open.peer,
                                              .tag = tag});
    }
    w->stage += any;
    if (q->first < q->end) {
        return error;
    }
    for (int i = 0; i < q->end && !error; i++) {
        error = tell_copy(w, q->open[i].unpack, q->open[i].pieces);
    }
    q->first = q->end = 0;
    if (!step->direct) {
        strata_trace_land(w);
    }
    return error;
}

static int trace_native(struct strata_trace_walk *w, const struct strata_action *a)
{
    (void)w;
    (void)a;
    return STRATA_ERR_UNSUPPORTED;
}

static int (*const trace_of[STRATA_ACTIONS])(struct strata_trace_walk *w,
                                             const struct strata_action *a) = {
#define STRATA_TRACE_ROW(id, word) [STRATA_ACT_##id] = trace_##word,
    STRATA_ACTION_TABLE(STRATA_TRACE_ROW)
#undef STRATA_TRACE_ROW
};

/* The members have left the pass before, so a member that waits for that may write again; this rank
 * may be one that waits. */
static int trace_leaving(struct strata_trace_walk *w, int pass)
{
    int error = STRATA_OK;
    int places = (int)strata_ring_depth((enum strata_ring_kind)w->plan->blocks.ring);
    for (int m = 0; w->trace->readers && m < members(w) && !error; m++) {
        struct strata_event event = {.peer = node_peer(w, m), .tag = STRATA_TAG_SIGNAL};
        if (w->trace->readers[m] & 1 && w->pass + places < w->plan->limits.passes) {
            event.kind = STRATA_EVENT_SIGNAL;
            error = tell(w, event);
        }
        if (!error && w->awaited[m] & 1 && pass >= places) {
            event.kind = STRATA_EVENT_AWAIT;
            error = tell(w, event);
            event.kind = STRATA_EVENT_SEEN;
            error = error ? error : tell(w, event);
        }
    }
    return error;
}

/* As the engine cuts blocks. */
static void slice(struct strata_trace_walk *w, int pass)
{
    if (strata_plan_slices(w->plan)) {
        size_t unit = w->trace->unit > 0 ? w->trace->unit : 1;
        w->layout.slice = w->plan->limits.slice / unit * unit;
        w->layout.skip = (size_t)pass * w->layout.slice;
    }
}

/* An epoch is one pass: its signals are published and awaited anew. */
static int begin_pass(struct strata_trace_walk *w, int pass)
{
    int error = STRATA_OK;
    if (pass != w->pass) {
        error = trace_leaving(w, pass);
        w->pass = pass;
        slice(w, pass);
        memset(w->seen, 0, (size_t)members(w));
        memset(w->sent, 0, (size_t)members(w));
    }
    return error;
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
    slice(w, 0);
    w->moved = strata_allocate(lanes * (size_t)plan->topology->nodes, sizeof *w->moved);
    w->seen = strata_allocate((size_t)members(w), 1);
    w->sent = strata_allocate((size_t)members(w), 1);
    w->awaited = strata_allocate((size_t)members(w), 1);
    strata_actions_begin(&w->actions, plan, trace->bytes > plan->limits.threshold);
    if (!w->moved || !w->seen || !w->sent || !w->awaited) {
        return STRATA_ERR_MEMORY;
    }
    strata_plan_awaits(plan, w->awaited);
    return STRATA_OK;
}

static void release(struct strata_trace_walk *w)
{
    strata_release(w->queue[STRATA_TAG_LANE].open);
    strata_release(w->queue[STRATA_TAG_DIRECT].open);
    strata_release(w->landing);
    strata_release(w->moved);
    strata_release(w->seen);
    strata_release(w->sent);
    strata_release(w->awaited);
}

int strata_trace_run(const struct strata_trace *trace)
{
    struct strata_trace_walk w;
    const struct strata_action *a;
    int error = prepare(&w, trace);
    while (!error && (a = strata_actions_next(&w.actions))) {
        error = begin_pass(&w, a->pass);
        error = error ? error : trace_of[a->kind](&w, a);
    }
    release(&w);
    return error;
}
