/* The last step inside a node: every member copies its own blocks out. */
#include "core/engine/engine_copying.h"
#include "core/engine/engine_epochs.h"
#include "core/engine/engine_steps.h"

/* Adds up the bytes that the members of my lane expect from each position, to find where my part of
 * a message begins. */
static void add_lengths(struct strata_copying *c)
{
    const struct strata_topology *t = c->x->plan->topology;
    int lanes = c->x->plan->exchange.lanes, me = t->turn_of[c->x->plan->rank];
    int node = strata_my_node(c->x), members = c->x->ring->members;
    uint32_t *before = c->x->progress.lengths, *all = before + t->ranks;
    for (int position = 0; position < t->ranks; position++) {
        before[position] = all[position] = 0;
    }
    for (int turn = c->step->lane; turn < members; turn += lanes) {
        int peer = strata_topology_in_turn(t, node, turn);
        const uint32_t *expect = strata_slot_of(c->x, peer).expect;
        for (int position = 0; position < t->ranks; position++) {
            before[position] += turn < me ? expect[position] : 0;
            all[position] += expect[position];
        }
    }
    c->before = before;
    c->all = all;
}

/* The length words that I expect of each position. */
static const uint32_t *my_lengths(const struct strata_execution *x)
{
    if (strata_slot_has_lengths(x)) {
        return strata_slot_of(x, x->ring->me).expect;
    }
    strata_expected_words(x, x->progress.lengths);
    return x->progress.lengths;
}

/* Finds the sums of length words. If I am alone on my lane, nothing needs to be added up. */
static void find_lengths(struct strata_copying *c)
{
    const struct strata_plan *plan = c->x->plan;
    c->mine = my_lengths(c->x);
    if (strata_lane_width(plan->topology, strata_my_node(c->x), c->step->lane,
                          plan->exchange.lanes) > 1) {
        add_lengths(c);
    } else {
        c->before = NULL;
        c->all = c->mine;
    }
}

static size_t before_me(const struct strata_copying *c, int position)
{
    return c->before ? strata_word_bytes(c->before[position]) : 0;
}

static void compare(struct strata_copying *c, int node, uint32_t found, uint32_t expected)
{
    if (found != expected) {
        atomic_store_explicit(&c->wrong, node + 1, memory_order_relaxed);
    }
    if ((found ^ expected) >= STRATA_MOST_ITEM) {
        atomic_store_explicit(&c->directs_differ, true, memory_order_relaxed);
    }
}

/* Finds a node's message on the lane. The blocks of my own node are read from elsewhere; a plan of
 * one node has no table. */
static struct strata_origin flat_origin(const struct strata_copying *c, int node)
{
    struct strata_execution *x = c->x;
    int nodes = x->plan->topology->nodes;
    unsigned char *lane = strata_lane_at(x, c->step->lane);
    const struct strata_entry *entry = strata_entries(lane);
    struct strata_origin origin = {.node = node, .own = node == strata_my_node(x)};
    if (!origin.own) {
        entry += (strata_my_node(x) - node + nodes) % nodes;
        origin.at = lane + entry->offset;
        origin.length = entry->length;
    }
    return origin;
}

/* The same, but in check mode the lengths of the blocks stand before the blocks. */
static struct strata_origin origin_of(const struct strata_copying *c, int node)
{
    const struct strata_topology *t = c->x->plan->topology;
    struct strata_origin origin = flat_origin(c, node);
    if (c->x->check && !origin.own) {
        size_t blocks = (size_t)strata_topology_node_size(t, node) *
                        (size_t)strata_lane_width(t, strata_my_node(c->x), c->step->lane,
                                                  c->x->plan->exchange.lanes);
        origin.length_of = origin.at;
        origin.at += blocks * sizeof(uint32_t);
        origin.length -= (uint32_t)(blocks * sizeof(uint32_t));
    }
    return origin;
}

/* Where the part of my lane begins in the slot of a source on my own node, and its length word. */
static const unsigned char *own_part(const struct strata_copying *c, int member, uint32_t *length)
{
    struct strata_slot slot = strata_slot_of(c->x, member);
    int group = strata_my_node(c->x) * c->x->plan->exchange.lanes + c->step->lane;
    *length = slot.offset[group + 1] - slot.offset[group];
    return slot.data + strata_word_bytes(slot.offset[group]);
}

static void unpack(struct strata_copying *c, int rank, size_t bytes, const unsigned char *from)
{
    size_t skip = (size_t)c->x->cursor.pass * c->x->plan->limits.slice;
    if (bytes > 0 && strata_wanted(c, rank)) {
        strata_layout_unpack(&c->x->output, rank, skip, bytes, from);
    }
}

/* Copies my own block from buffer to buffer, unless it goes through a slot or as a direct block.
 * Returns its bytes. */
static size_t copy_mine(const struct strata_execution *x)
{
    int me = x->plan->rank;
    size_t bytes = strata_layout_bytes(&x->output, me);
    if (x->in_place || x->cursor.pass > 0 || bytes > x->plan->limits.threshold) {
        return 0;
    }
    strata_layout_copy(&x->input, me, &x->output, me);
    return bytes;
}

/* Copies my blocks from the sources on my own node at positions [from, to); staged plans only. */
static size_t copy_own(struct strata_copying *c, int node, int from, int to)
{
    const struct strata_topology *t = c->x->plan->topology;
    size_t copied = 0;
    for (int position = from; position < to; position++) {
        if (!strata_wanted(c, t->rank_at[position])) {
            continue;
        }
        copied += t->rank_at[position] == c->x->plan->rank ? copy_mine(c->x) : 0;
        uint32_t length, bytes = strata_word_bytes(c->mine[position]);
        const unsigned char *at = own_part(c, position - t->first[node], &length);
        compare(c, node, length, c->all[position]);
        if (length == c->all[position]) {
            unpack(c, t->rank_at[position], bytes, at + before_me(c, position));
            copied += bytes;
        }
    }
    return copied;
}

static bool any_wanted(const struct strata_copying *c, int from, int to)
{
    while (from < to && !strata_wanted(c, c->x->plan->topology->rank_at[from])) {
        from++;
    }
    return from < to;
}

/* The same from another node's message. If no block of it is wanted, the message may not have come
 * yet. The chunk that reaches the message's end compares its length. */
static size_t copy_message(struct strata_copying *c, int node, int from, int to)
{
    const struct strata_topology *t = c->x->plan->topology;
    if (!any_wanted(c, from, to)) {
        return 0;
    }
    struct strata_origin origin = origin_of(c, node);
    uint32_t at = 0;
    size_t copied = 0;
    for (int position = t->first[node]; position < to; position++) {
        size_t begin = strata_word_bytes(at) + before_me(c, position);
        size_t bytes = strata_word_bytes(c->mine[position]);
        if (position >= from && begin + bytes <= strata_word_bytes(origin.length)) {
            unpack(c, t->rank_at[position], bytes, origin.at + begin);
            copied += bytes;
        }
        at += c->all[position];
    }
    if (to == t->first[node + 1]) {
        compare(c, node, origin.length, at);
    }
    return copied;
}

/* Flat plans: copies the one block of a source. My own goes straight from buffer to buffer. */
static size_t copy_flat(struct strata_copying *c, int node)
{
    struct strata_execution *x = c->x;
    struct strata_origin origin = origin_of(c, node);
    if (origin.own) {
        return copy_mine(x);
    }
    uint32_t expected = strata_block_word(x, &x->output, node, true, true);
    uint32_t bytes = strata_word_bytes(expected);
    compare(c, node, origin.length, expected);
    if (origin.length != expected) {
        return 0;
    }
    unpack(c, node, bytes, origin.at);
    return bytes;
}

static void copy_blocks_out(void *argument, int chunk, int chunks)
{
    struct strata_copying *c = argument;
    const struct strata_plan *plan = c->x->plan;
    const struct strata_topology *t = plan->topology;
    int from = (int)strata_chunk_begin(t->ranks, chunk, chunks);
    int to = (int)strata_chunk_begin(t->ranks, chunk + 1, chunks);
    size_t copied = 0;
    for (int position = from; position < to;) {
        int node = t->node_of[t->rank_at[position]];
        int end = t->first[node + 1] < to ? t->first[node + 1] : to;
        if (!plan->exchange.staged) {
            copied += strata_wanted(c, node) ? copy_flat(c, node) : 0;
        } else if (node == strata_my_node(c->x)) {
            copied += copy_own(c, node, position, end);
        } else {
            copied += copy_message(c, node, position, end);
        }
        position = end;
    }
    atomic_fetch_add_explicit(&c->copied, copied, memory_order_relaxed);
}

/* Staged plans: takes the agreed sizes from the lane's leader or, if there is one node only, from
 * the slots. */
static void read_agreed(struct strata_execution *x, const struct strata_step *step)
{
    if (x->progress.peer_failed) {
        strata_record_error(x, STRATA_ERR_TRANSPORT, "rank %d: another rank of its node failed",
                            x->plan->rank);
        return;
    }
    if (x->plan->topology->nodes == 1) {
        strata_merge_slots(x);
        return;
    }
    const struct strata_lane_header *header = (void *)strata_lane_at(x, step->lane);
    x->progress.largest = header->largest;
    x->progress.load = header->load;
    if (header->status != STRATA_OK) {
        strata_record_error(x, header->status, "rank %d: the leader of its node failed: %s",
                            x->plan->rank, strata_error_text(header->status));
    }
}

/* Bytes that the step copies at most. Where some blocks are direct, the others are counted. */
static size_t worth_of(const struct strata_execution *x)
{
    const struct strata_plan *plan = x->plan;
    const int ranks = plan->topology->ranks;
    size_t most = plan->limits.slice * (size_t)ranks, staged = 0;
    most = x->progress.all_in < most ? (size_t)x->progress.all_in : most;
    if (x->progress.longest_in <= plan->limits.threshold || !strata_is_sharable(x, most)) {
        return most;
    }
    for (int rank = 0; rank < ranks; rank++) {
        const size_t bytes = strata_layout_bytes(&x->output, rank);
        staged += bytes <= plan->limits.threshold ? strata_least(bytes, plan->limits.slice) : 0;
    }
    return staged;
}

int strata_run_copy_out(struct strata_execution *x, const struct strata_step *step)
{
    struct strata_copying c = strata_copying_of(x, step);
    if (x->plan->exchange.staged) {
        read_agreed(x, step);
        find_lengths(&c);
    }
    if (!strata_in_step(x)) {
        return STRATA_OK;
    }
    strata_workshare(x, step, worth_of(x), copy_blocks_out, &c);
    x->count.copied += atomic_load_explicit(&c.copied, memory_order_relaxed);
    x->progress.directs_differ =
        x->progress.directs_differ || atomic_load_explicit(&c.directs_differ, memory_order_relaxed);
    int wrong = atomic_load_explicit(&c.wrong, memory_order_relaxed);
    if (wrong > 0) {
        struct strata_origin origin = origin_of(&c, wrong - 1);
        strata_report_wrong(&c, &origin);
    }
    return STRATA_OK;
}
