/* Steps inside a node: copy in, signal, await, copy out. */
#include <stdatomic.h>
#include <string.h>

#include "core/engine_internal.h"

/* Fills a slot's tables for this pass and returns the bytes of data. */
static size_t fill_tables(struct strata_execution *x, const struct strata_slot *slot)
{
    const struct strata_topology *t = x->plan->topology;
    int lanes = x->plan->exchange.lanes, index = 0;
    uint32_t data = 0;
    for (int node = 0; node < t->nodes; node++) {
        int members = strata_topology_node_size(t, node);
        for (int lane = 0; lane < lanes; lane++) {
            slot->offset[node * lanes + lane] = data;
            for (int local = lane; local < members; local += lanes) {
                size_t bytes = strata_layout_bytes(&x->input, strata_topology_rank(t, node, local));
                bytes = strata_slice(&x->plan->limits, bytes, x->cursor.pass);
                slot->length[index++] = (uint32_t)bytes;
                data += (uint32_t)bytes;
            }
        }
    }
    slot->offset[t->nodes * lanes] = data;
    for (int position = 0; position < t->ranks; position++) {
        size_t bytes = strata_layout_bytes(&x->output, t->rank_at[position]);
        slot->expect[position] = (uint32_t)strata_slice(&x->plan->limits, bytes, x->cursor.pass);
    }
    *slot->header = (struct strata_slot_header){x->largest, x->busiest};
    return data;
}

struct copying {
    struct strata_execution *x;
    const struct strata_step *step;
    struct strata_set set;
    bool partial; /* the set leaves positions out */
    struct strata_slot slot;
    atomic_size_t copied;
    atomic_int wrong; /* 1 + the first node found whose lengths disagree */
};

static struct copying copying_of(struct strata_execution *x, const struct strata_step *step)
{
    struct copying c = {.x = x, .step = step, .set = strata_cursor_set(&x->cursor)};
    c.partial = strata_set_count(c.set) < x->plan->topology->ranks;
    return c;
}

/* Whether the step's set has the position of this rank. */
static bool wanted(const struct copying *c, int rank)
{
    return !c->partial ||
           strata_set_contains(c->set, strata_topology_position(c->x->plan->topology, rank));
}

/* Copies the blocks of slot order places [from, to) into the slot. */
static void copy_blocks_in(void *argument, int slice, int slices)
{
    struct copying *c = argument;
    const struct strata_topology *t = c->x->plan->topology;
    int lanes = c->x->plan->exchange.lanes, index = 0;
    int from = (int)((int64_t)t->ranks * slice / slices);
    int to = (int)((int64_t)t->ranks * (slice + 1) / slices);
    size_t skip = (size_t)c->x->cursor.pass * c->x->plan->limits.chunk;
    unsigned char *data = c->slot.data;
    for (int node = 0; node < t->nodes; node++) {
        int members = strata_topology_node_size(t, node);
        for (int lane = 0; lane < lanes; lane++) {
            for (int local = lane; local < members; local += lanes, index++) {
                uint32_t bytes = c->slot.length[index];
                int rank = strata_topology_rank(t, node, local);
                if (bytes > 0 && index >= from && index < to && wanted(c, rank)) {
                    strata_layout_pack(&c->x->input, rank, skip, bytes, data);
                }
                data += bytes;
            }
        }
    }
}

int strata_run_copy_in(struct strata_execution *x, const struct strata_step *step)
{
    struct copying c = copying_of(x, step);
    c.slot = strata_slot_of(x, x->segment->me);
    size_t bytes = fill_tables(x, &c.slot);
    strata_share(x, step, bytes, copy_blocks_in, &c);
    x->count.copied += bytes;
    return STRATA_OK;
}

static uint64_t phase_value(const struct strata_execution *x, const struct strata_step *step)
{
    return 4 * (x->epoch + (uint64_t)x->cursor.pass) + (uint64_t)step->count;
}

int strata_run_signal(struct strata_execution *x, const struct strata_step *step)
{
    const struct strata_topology *t = x->plan->topology;
    int members = x->segment->members;
    if (step->count == STRATA_DONE) {
        for (int lane = t->local_of[x->plan->rank]; lane < x->plan->exchange.lanes;
             lane += members) {
            struct strata_lane_header *header = (void *)strata_lane_at(x, lane);
            *header = (struct strata_lane_header){x->largest, x->busiest, x->status, {0}};
        }
    }
    strata_segment_signal(x->segment, phase_value(x, step));
    return STRATA_OK;
}

int strata_run_await(struct strata_execution *x, const struct strata_step *step)
{
    uint64_t value = phase_value(x, step);
    bool all = step->peer == STRATA_ALL_MEMBERS;
    int last = all ? x->segment->members - 1 : step->peer;
    for (int member = all ? 0 : step->peer; member <= last; member++) {
        if (!strata_segment_reached(x->segment, member, value)) {
            x->pending_member = member;
            x->pending_value = value;
            return STRATA_PENDING;
        }
    }
    return STRATA_OK;
}

/* Bytes of the blocks from the source at `position` to the members of my lane before me, to me, and
 * to all of the lane. */
struct share {
    size_t before, mine, all;
};

static struct share share_of(const struct strata_execution *x, int lane, int position)
{
    const struct strata_topology *t = x->plan->topology;
    int lanes = x->plan->exchange.lanes, me = t->local_of[x->plan->rank];
    int members = strata_topology_node_size(t, strata_my_node(x));
    struct share share = {0, 0, 0};
    for (int mate = lane; mate < members; mate += lanes) {
        size_t bytes = strata_slot_of(x, mate).expect[position];
        share.before += mate < me ? bytes : 0;
        share.mine += mate == me ? bytes : 0;
        share.all += bytes;
    }
    return share;
}

/* What the blocks of one source node are read from: its message on my lane, or its own slots. */
struct origin {
    int node;
    bool own;
    const unsigned char *at;        /* the message's blocks */
    size_t length;                  /* of the blocks */
    const unsigned char *length_of; /* check: of each block, source by source; on no boundary */
};

/* My own node's blocks are read from elsewhere; where it is the only one there is no table. */
static struct origin flat_origin(const struct copying *c, int node)
{
    struct strata_execution *x = c->x;
    int nodes = x->plan->topology->nodes;
    unsigned char *lane = strata_lane_at(x, c->step->lane);
    const struct strata_entry *entry = strata_entries(lane);
    struct origin origin = {.node = node, .own = node == strata_my_node(x)};
    if (!origin.own) {
        entry += (strata_my_node(x) - node + nodes) % nodes;
        origin.at = lane + entry->offset;
        origin.length = entry->length;
    }
    return origin;
}

/* In check mode the lengths of the blocks stand before them. */
static struct origin origin_of(const struct copying *c, int node)
{
    const struct strata_topology *t = c->x->plan->topology;
    struct origin origin = flat_origin(c, node);
    if (c->x->check && !origin.own) {
        size_t blocks = (size_t)strata_topology_node_size(t, node) *
                        (size_t)strata_lane_width(t, strata_my_node(c->x), c->step->lane,
                                                  c->x->plan->exchange.lanes);
        origin.length_of = origin.at;
        origin.at += blocks * sizeof(uint32_t);
        origin.length -= blocks * sizeof(uint32_t);
    }
    return origin;
}

/* Where the part of a source of my own node begins in its slot, and how long it is. */
static const unsigned char *own_part(const struct copying *c, int member, size_t *length)
{
    struct strata_slot slot = strata_slot_of(c->x, member);
    int group = strata_my_node(c->x) * c->x->plan->exchange.lanes + c->step->lane;
    *length = slot.offset[group + 1] - slot.offset[group];
    return slot.data + slot.offset[group];
}

static void unpack(struct copying *c, int rank, size_t bytes, const unsigned char *from)
{
    size_t skip = (size_t)c->x->cursor.pass * c->x->plan->limits.chunk;
    if (bytes > 0 && wanted(c, rank)) {
        strata_layout_unpack(&c->x->output, rank, skip, bytes, from);
    }
}

/* My blocks from the sources of my own node with places [from, to); staged plans. */
static size_t copy_own(struct copying *c, int node, int from, int to)
{
    const struct strata_topology *t = c->x->plan->topology;
    size_t copied = 0;
    for (int position = from; position < to; position++) {
        if (!wanted(c, t->rank_at[position])) {
            continue;
        }
        size_t length;
        const unsigned char *at = own_part(c, position - t->first[node], &length);
        struct share share = share_of(c->x, c->step->lane, position);
        if (share.all != length) {
            atomic_store_explicit(&c->wrong, node + 1, memory_order_relaxed);
            continue;
        }
        unpack(c, t->rank_at[position], share.mine, at + share.before);
        copied += share.mine;
    }
    return copied;
}

static bool any_wanted(const struct copying *c, int from, int to)
{
    while (from < to && !wanted(c, c->x->plan->topology->rank_at[from])) {
        from++;
    }
    return from < to;
}

/* The same from another node's message, which may not be there yet where nothing of it is wanted;
 * its length is judged by whoever reaches its end. */
static size_t copy_message(struct copying *c, int node, int from, int to)
{
    const struct strata_topology *t = c->x->plan->topology;
    if (!any_wanted(c, from, to)) {
        return 0;
    }
    struct origin origin = origin_of(c, node);
    size_t at = 0, copied = 0;
    for (int position = t->first[node]; position < to; position++) {
        struct share share = share_of(c->x, c->step->lane, position);
        if (position >= from && at + share.before + share.mine <= origin.length) {
            unpack(c, t->rank_at[position], share.mine, origin.at + at + share.before);
            copied += share.mine;
        }
        at += share.all;
    }
    if (to == t->first[node + 1] && at != origin.length) {
        atomic_store_explicit(&c->wrong, node + 1, memory_order_relaxed);
    }
    return copied;
}

/* Flat plans: the one block of a source; my own goes straight from buffer to buffer. */
static size_t copy_flat(struct copying *c, int node)
{
    struct strata_execution *x = c->x;
    struct origin origin = origin_of(c, node);
    size_t expected = strata_layout_bytes(&x->output, node);
    expected = strata_slice(&x->plan->limits, expected, x->cursor.pass);
    if (origin.own) {
        if (expected > 0 && x->cursor.pass == 0 && !x->in_place) {
            strata_layout_copy(&x->input, node, &x->output, node);
        }
        return 0;
    }
    if (origin.length != expected) {
        atomic_store_explicit(&c->wrong, node + 1, memory_order_relaxed);
        return 0;
    }
    unpack(c, node, expected, origin.at);
    return expected;
}

static void copy_blocks_out(void *argument, int slice, int slices)
{
    struct copying *c = argument;
    const struct strata_plan *plan = c->x->plan;
    const struct strata_topology *t = plan->topology;
    int from = (int)((int64_t)t->ranks * slice / slices);
    int to = (int)((int64_t)t->ranks * (slice + 1) / slices);
    size_t copied = 0;
    for (int position = from; position < to;) {
        int node = t->node_of[t->rank_at[position]];
        int end = t->first[node + 1] < to ? t->first[node + 1] : to;
        if (!plan->exchange.staged) {
            copied += wanted(c, node) ? copy_flat(c, node) : 0;
        } else if (node == strata_my_node(c->x)) {
            copied += copy_own(c, node, position, end);
        } else {
            copied += copy_message(c, node, position, end);
        }
        position = end;
    }
    atomic_fetch_add_explicit(&c->copied, copied, memory_order_relaxed);
}

/* In check mode: names the first pair of ranks whose lengths differ. */
static bool name_pair(struct copying *c, int node)
{
    struct strata_execution *x = c->x;
    const struct strata_topology *t = x->plan->topology;
    int lanes = x->plan->exchange.lanes, mine = strata_my_node(x);
    int members = strata_topology_node_size(t, mine);
    int width = strata_lane_width(t, mine, c->step->lane, lanes);
    int first = strata_lane_first(t, mine, c->step->lane, lanes);
    const unsigned char *sent = origin_of(c, node).length_of;
    for (int position = t->first[node]; position < t->first[node + 1]; position++) {
        int source = position - t->first[node];
        const void *row = sent ? (const void *)(sent + sizeof(uint32_t) * (size_t)(source * width))
                               : strata_slot_of(x, source).length + first;
        for (int mate = c->step->lane, i = 0; mate < members; mate += lanes, i++) {
            uint32_t expected =
                x->plan->exchange.staged
                    ? strata_slot_of(x, mate).expect[position]
                    : (uint32_t)strata_slice(&x->plan->limits,
                                             strata_layout_bytes(&x->output, node), x->cursor.pass);
            uint32_t found;
            memcpy(&found, (const unsigned char *)row + sizeof found * (size_t)i, sizeof found);
            if (found != expected) {
                strata_note(x, STRATA_ERR_TRUNCATE,
                            "rank %d sends rank %d %u staged bytes, which expects %u",
                            t->rank_at[position], strata_topology_rank(t, mine, mate), found,
                            expected);
                return true;
            }
        }
    }
    return false;
}

static void report_wrong(struct copying *c, int node)
{
    bool staged = c->x->plan->exchange.staged;
    if (c->x->check && (staged || node != strata_my_node(c->x)) && name_pair(c, node)) {
        return;
    }
    const struct strata_topology *t = c->x->plan->topology;
    strata_note(c->x, STRATA_ERR_TRUNCATE,
                "rank %d: the blocks from %s %d (rank %d%s) are not as long as expected; "
                "STRATA_CHECK=1 names the pair",
                c->x->plan->rank, staged ? "node" : "rank", node, t->rank_at[t->first[node]],
                strata_topology_node_size(t, node) > 1 ? " and its mates" : "");
}

/* Staged plans: the figure that the leader has, or without other nodes what the slots say. */
static void read_agreed(struct strata_execution *x, const struct strata_step *step)
{
    if (x->plan->topology->nodes > 1) {
        const struct strata_lane_header *header = (void *)strata_lane_at(x, step->lane);
        x->largest = header->largest;
        x->busiest = header->busiest;
        if (header->status != STRATA_OK) {
            strata_note(x, header->status, "rank %d: the leader of its node failed: %s",
                        x->plan->rank, strata_error_text(header->status));
        }
        return;
    }
    for (int member = 0; member < x->segment->members; member++) {
        const struct strata_slot_header *header = strata_slot_of(x, member).header;
        x->largest = header->largest > x->largest ? header->largest : x->largest;
        x->busiest = header->busiest > x->busiest ? header->busiest : x->busiest;
    }
}

int strata_run_copy_out(struct strata_execution *x, const struct strata_step *step)
{
    struct copying c = copying_of(x, step);
    if (x->plan->exchange.staged) {
        read_agreed(x, step);
    }
    if (x->status != STRATA_OK) {
        return STRATA_OK;
    }
    size_t worth = x->busiest < x->plan->limits.chunk ? x->busiest : x->plan->limits.chunk;
    strata_share(x, step, worth * (size_t)x->plan->topology->ranks, copy_blocks_out, &c);
    x->count.copied += atomic_load_explicit(&c.copied, memory_order_relaxed);
    int wrong = atomic_load_explicit(&c.wrong, memory_order_relaxed);
    if (wrong > 0) {
        report_wrong(&c, wrong - 1);
    }
    return STRATA_OK;
}
