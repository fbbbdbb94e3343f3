/* Posts messages, and matches them first come first served for each (from, to, kind), as MPI
 * does. */
#include "core/base/memory.h"
#include "core/check/check_blocks.h"

static int grow(struct checker *k)
{
    int more = 2 * k->nmessages + 64;
    struct check_message *messages =
        strata_reallocate(k->messages, (size_t)more, sizeof(*messages));
    if (!messages) {
        return STRATA_ERR_MEMORY;
    }
    k->messages = messages;
    for (int i = more - 1; i >= k->nmessages; i--) {
        messages[i] = (struct check_message){.next_free = k->free_message};
        k->free_message = i;
    }
    k->nmessages = more;
    return STRATA_OK;
}

int strata_check_message_new(struct checker *k, struct check_rank *me,
                             const struct strata_step *step, bool is_send, int32_t *message)
{
    if (k->free_message < 0 && grow(k)) {
        return STRATA_ERR_MEMORY;
    }
    *message = k->free_message;
    struct check_message *m = &k->messages[*message];
    k->free_message = m->next_free;
    *m = (struct check_message){.next_open = -1,
                                .lengths = -1,
                                .rank = me->rank,
                                .at = me->cursor.at,
                                .call = me->call,
                                .lane = step->lane,
                                .pass = me->cursor.pass,
                                .is_send = is_send,
                                .capacity = m->capacity,
                                .symbols = m->symbols,
                                .value_capacity = m->value_capacity,
                                .values = m->values,
                                .clock = m->clock};
    return STRATA_OK;
}

/* Copies the sender's clock into its message. */
static int take_clock(struct checker *k, struct check_message *m)
{
    if (!k->clocks) {
        return STRATA_OK;
    }
    if (!m->clock) {
        m->clock = strata_allocate((size_t)k->ranks, sizeof(*m->clock));
    }
    for (int p = 0; m->clock && p < k->ranks; p++) {
        m->clock[p] = k->rank[m->rank].clock[p];
    }
    return m->clock ? STRATA_OK : STRATA_ERR_MEMORY;
}

/* Makes room for the symbols of a send, and copies my clock into it. */
int strata_check_message_symbols(struct checker *k, int32_t message, int64_t count)
{
    struct check_message *m = &k->messages[message];
    if (m->capacity < count) {
        int32_t *symbols = strata_reallocate(m->symbols, (size_t)count, sizeof(*symbols));
        if (!symbols) {
            return STRATA_ERR_MEMORY;
        }
        m->symbols = symbols;
        m->capacity = count;
    }
    m->nitems = (int32_t)count;
    return take_clock(k, m);
}

/* The same for the values of a send. */
int strata_check_message_values(struct checker *k, int32_t message, int64_t count)
{
    struct check_message *m = &k->messages[message];
    if (m->value_capacity < count) {
        struct check_value *values = strata_reallocate(m->values, (size_t)count, sizeof(*values));
        if (!values) {
            return STRATA_ERR_MEMORY;
        }
        m->values = values;
        m->value_capacity = count;
    }
    return take_clock(k, m);
}

void strata_check_message_free(struct checker *k, int32_t message)
{
    k->messages[message].next_free = k->free_message;
    k->free_message = message;
}

bool strata_check_same_items(struct strata_set a, struct strata_set b)
{
    struct strata_set_iterator in_a, in_b;
    struct strata_run run_a, run_b;
    bool more_a, more_b;
    strata_set_begin(&in_a, a);
    strata_set_begin(&in_b, b);
    do {
        more_a = strata_set_next(&in_a, &run_a);
        more_b = strata_set_next(&in_b, &run_b);
        if (more_a != more_b ||
            (more_a && (run_a.first != run_b.first || run_a.count != run_b.count))) {
            return false;
        }
    } while (more_a);
    return true;
}

static bool same_boxes(struct strata_set a, struct strata_set b)
{
    bool same = a.nboxes == b.nboxes && a.shift == b.shift;
    for (int i = 0; same && i < a.nboxes; i++) {
        const struct strata_box *x = &a.boxes[i], *y = &b.boxes[i];
        same = x->space == y->space && x->origin == y->origin && x->limit == y->limit &&
               x->ndims == y->ndims && x->down == y->down;
        for (int d = 0; same && d < x->ndims; d++) {
            same = x->dim[d].start == y->dim[d].start && x->dim[d].length == y->dim[d].length &&
                   x->dim[d].stride == y->dim[d].stride && x->dim[d].extent == y->dim[d].extent;
        }
    }
    return same;
}

static int mismatch(const struct checker *k, const struct check_message *recv,
                    const struct check_message *send)
{
    const struct check_rank *receiver = &k->rank[recv->rank];
    static const char *const part[] = {
        [STRATA_WHOLE] = "", [STRATA_LENGTHS] = "lengths of ", [STRATA_DATA] = "data of "};
    struct check_text expected = strata_check_set_text(recv->set),
                      found = strata_check_set_text(send->set);
    struct check_text from = strata_check_step_text(k, recv->call, recv->rank, recv->at);
    struct check_text to = strata_check_step_text(k, send->call, send->rank, send->at);
    if (over_blocks(receiver)) {
        return strata_check_fail(k, receiver,
                                 "%s expects blocks %s in call %d from rank %d, whose %s sends "
                                 "blocks %s in call %d",
                                 from.text, expected.text, recv->call, send->rank, to.text,
                                 found.text, send->call);
    }
    return strata_check_fail(
        k, receiver,
        "%s expects %sitems %s, lane %d, call %d, pass %d from rank %d, whose %s sends "
        "%sitems %s, lane %d, call %d, pass %d",
        from.text, part[strata_check_part(k, recv)], expected.text, recv->lane, recv->call,
        recv->pass, send->rank, to.text, part[strata_check_part(k, send)], found.text, send->lane,
        send->call, send->pass);
}

/* The receiver learns what the sender knew. */
static void hand_clock_over(struct check_message *recv, struct check_message *send)
{
    int32_t *clock = recv->clock;
    recv->clock = send->clock;
    send->clock = clock;
}

static int meet_blocks(struct checker *k, struct check_message *recv, struct check_message *send)
{
    if (recv->call != send->call || !strata_check_meet_blocks(k, recv, send)) {
        return mismatch(k, recv, send);
    }
    hand_clock_over(recv, send);
    return STRATA_OK;
}

static int meet_lane(struct checker *k, struct check_message *recv, struct check_message *send)
{
    if (over_blocks(&k->rank[recv->rank])) {
        return meet_blocks(k, recv, send);
    }
    if (recv->call != send->call || recv->pass != send->pass || recv->lane != send->lane ||
        strata_check_part(k, recv) != strata_check_part(k, send) ||
        !(same_boxes(recv->set, send->set) || strata_check_same_items(recv->set, send->set))) {
        return mismatch(k, recv, send);
    }
    struct check_message held = *recv;
    recv->symbols = send->symbols;
    recv->capacity = send->capacity;
    recv->nitems = send->nitems;
    send->symbols = held.symbols;
    send->capacity = held.capacity;
    hand_clock_over(recv, send);
    return STRATA_OK;
}

static int meet_direct(const struct checker *k, const struct check_message *recv,
                       const struct check_message *send)
{
    return recv->call == send->call
               ? STRATA_OK
               : strata_check_fail(
                     k, &k->rank[recv->rank],
                     "the direct block from rank %d in call %d meets the one of call %d",
                     send->rank, recv->call, send->call);
}

static int meet(struct checker *k, enum strata_traffic kind, int32_t recv, int32_t send)
{
    struct check_message *to = &k->messages[recv], *from = &k->messages[send];
    int status = kind == STRATA_LANE_TRAFFIC ? meet_lane(k, to, from) : meet_direct(k, to, from);
    k->rank[to->rank].incomplete[kind]--;
    if (k->options->rendezvous) {
        k->rank[from->rank].incomplete[kind]--;
    }
    strata_check_message_free(k, send);
    if (kind == STRATA_DIRECT_TRAFFIC) {
        strata_check_message_free(k, recv);
    }
    return status;
}

int strata_check_message_post(struct checker *k, struct check_rank *me, enum strata_traffic kind,
                              int peer, int32_t message)
{
    struct check_message *m = &k->messages[message];
    int from = m->is_send ? me->rank : peer, to = m->is_send ? peer : me->rank;
    struct strata_pair_table *queues = &k->queues[kind];
    struct strata_pair *queue =
        strata_pair_find(queues, (uint64_t)from * (uint64_t)k->ranks + (uint64_t)to);
    if (!queue) {
        return STRATA_ERR_MEMORY;
    }
    if (!over_blocks(me) && kind == STRATA_LANE_TRAFFIC) {
        const struct strata_exchange *x = &plan_of(me)->exchange;
        const long long room = (long long)x->lanes * 2 * (long long)x->lane_messages;
        me->requests++;
        if (me->requests > room) {
            return strata_check_fail(k, me, "opens %lld messages; the exchange has room for %lld",
                                     (long long)me->requests, room);
        }
    }
    me->unwaited[kind] = true;
    me->incomplete[kind] += !m->is_send || k->options->rendezvous;
    int32_t first = strata_pair_first(queues, queue);
    if (first < 0 || k->messages[first].is_send == m->is_send) {
        return strata_pair_put(queues, queue, message);
    }
    strata_pair_take(queues, queue);
    return m->is_send ? meet(k, kind, first, message) : meet(k, kind, message, first);
}
