/* Sends messages of items: fills the lane table, packs and sends. */
#include <string.h>

#include "core/engine/engine_epochs.h"
#include "core/engine/engine_items.h"
#include "core/engine/engine_steps.h"
#include "core/engine/simulated_work.h"

/* The node at distance k from mine. */
static int node_at(const struct strata_execution *x, int distance)
{
    return (strata_my_node(x) + distance) % x->plan->topology->nodes;
}

/* The number of blocks in my node's message for `node` on `lane`. */
static size_t blocks_of(const struct strata_execution *x, int node, int lane)
{
    const struct strata_topology *t = x->plan->topology;
    return (size_t)strata_topology_node_size(t, strata_my_node(x)) *
           (size_t)strata_lane_width(t, node, lane, x->plan->exchange.lanes);
}

/* Length word of the one block of a flat plan's item. */
static uint32_t flat_word(const struct strata_execution *x, int node)
{
    return strata_length_word(&x->plan->limits, strata_layout_bytes(&x->input, node),
                              x->cursor.pass, true, true);
}

/* Length word of my node's message for `node`, not counting the lengths that check mode adds. */
static uint32_t outgoing(const struct strata_execution *x, int node, int lane)
{
    if (!x->plan->exchange.staged) {
        return flat_word(x, node);
    }
    uint32_t sum = 0;
    int group = node * x->plan->exchange.lanes + lane;
    for (int member = 0; member < x->ring->members; member++) {
        const uint32_t *offset = strata_slot_of(x, member).offset;
        sum += offset[group + 1] - offset[group];
    }
    return sum;
}

int strata_run_index(struct strata_execution *x, const struct strata_step *step)
{
    if (x->progress.peer_failed) {
        return STRATA_ERR_TRANSPORT;
    }
    if (x->plan->exchange.staged && strata_landing_open(x) == STRATA_PENDING) {
        return STRATA_PENDING;
    }
    const struct strata_topology *t = x->plan->topology;
    unsigned char *lane = strata_lane_at(x, step->lane);
    struct strata_entry *entry = strata_entries(lane);
    for (int k = 0; k < t->nodes; k++) {
        int node = node_at(x, k);
        size_t lengths = x->check ? blocks_of(x, node, step->lane) * sizeof(uint32_t) : 0;
        entry[k] = (struct strata_entry){0, outgoing(x, node, step->lane) + (uint32_t)lengths, 0};
    }
    if (x->plan->exchange.staged) {
        strata_measure_node(x);
    }
    x->progress.landing_used[step->lane] = (size_t)((unsigned char *)(entry + t->nodes) - lane);
    return STRATA_OK;
}

static unsigned char *put(unsigned char *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    strata_charge_copy(bytes, bytes > 0);
    return to + bytes;
}

/* The part of a message's data that a thread packs. It passes all data of the items in it. */
struct window {
    size_t from, to; /* the part */
    size_t at;       /* where it stands */
    unsigned char *data;
};

/* Passes the next `bytes` bytes. Returns those that are in the part, which begin `*skip` bytes
 * later, at *to. */
static size_t pass(struct window *w, size_t bytes, size_t *skip, unsigned char **to)
{
    const size_t begin = w->at > w->from ? w->at : w->from;
    const size_t end = strata_least(w->at + bytes, w->to);
    *skip = begin - w->at;
    *to = w->data + begin;
    w->at += bytes;
    return end > begin ? end - begin : 0;
}

static void pack(struct window *w, const void *from, size_t bytes)
{
    size_t skip;
    unsigned char *to;
    const size_t mine = pass(w, bytes, &skip, &to);
    if (mine > 0) {
        (void)put(to, (const unsigned char *)from + skip, mine);
    }
}

/* Packs a node message that has not travelled yet: the members' parts, one after another. */
static void pack_outgoing(const struct strata_execution *x, int node, int lane, struct window *w)
{
    const struct strata_topology *t = x->plan->topology;
    int lanes = x->plan->exchange.lanes, group = node * lanes + lane;
    size_t width = (size_t)strata_lane_width(t, node, lane, lanes);
    int first = strata_lane_first(t, node, lane, lanes);
    for (int member = 0; x->check && member < x->ring->members; member++) {
        pack(w, strata_slot_of(x, member).length + first, width * sizeof(uint32_t));
    }
    for (int member = 0; member < x->ring->members; member++) {
        struct strata_slot slot = strata_slot_of(x, member);
        const uint32_t *offset = &slot.offset[group];
        pack(w, slot.data + strata_word_bytes(offset[0]), strata_word_bytes(offset[1] - offset[0]));
    }
}

static void pack_flat(const struct strata_execution *x, int node, struct window *w)
{
    const uint32_t word = flat_word(x, node);
    size_t skip;
    unsigned char *to;
    if (x->check) {
        pack(w, &word, sizeof word);
    }
    const size_t mine = pass(w, strata_word_bytes(word), &skip, &to);
    skip += (size_t)x->cursor.pass * x->plan->limits.slice;
    strata_layout_pack(&x->input, node, skip, mine, to);
}

static void pack_item(const struct strata_execution *x, int lane, int k, struct window *w)
{
    unsigned char *base = strata_lane_at(x, lane);
    const struct strata_entry *entry = &strata_entries(base)[k];
    if (entry->landed) {
        pack(w, base + entry->offset, strata_word_bytes(entry->length));
    } else if (x->plan->exchange.staged) {
        pack_outgoing(x, node_at(x, k), lane, w);
    } else {
        pack_flat(x, node_at(x, k), w);
    }
}

struct packing {
    const struct strata_execution *x;
    int lane;
    struct strata_set set;
    int64_t items;
    size_t bytes;
    unsigned char *data;
};

/* Packs a part of the set's items. An item may be all there is, so threads divide the bytes. */
static void pack_items(void *argument, int chunk, int chunks)
{
    const struct packing *p = argument;
    const struct strata_entry *entry = strata_entries(strata_lane_at(p->x, p->lane));
    struct window w = {(size_t)strata_chunk_begin((int64_t)p->bytes, chunk, chunks),
                       (size_t)strata_chunk_begin((int64_t)p->bytes, chunk + 1, chunks), 0,
                       p->data};
    struct strata_set_iterator it;
    struct strata_run run;
    for (strata_set_begin(&it, p->set); w.at < w.to && strata_set_next(&it, &run);) {
        for (int k = run.first; k < run.first + run.count && w.at < w.to; k++) {
            const size_t end = w.at + strata_word_bytes(entry[k].length);
            if (end > w.from) {
                pack_item(p->x, p->lane, k, &w);
            }
            w.at = end;
        }
    }
}

/* Bytes of the items; writes their lengths, unless `length` is NULL. */
static size_t measure_items(const struct packing *p, uint32_t *length)
{
    const struct strata_entry *entry = strata_entries(strata_lane_at(p->x, p->lane));
    struct strata_set_iterator it;
    struct strata_run run;
    size_t bytes = 0;
    for (strata_set_begin(&it, p->set); strata_set_next(&it, &run);) {
        for (int k = run.first; k < run.first + run.count; k++) {
            if (length) {
                *length++ = entry[k].length;
            }
            bytes += strata_word_bytes(entry[k].length);
        }
    }
    return bytes;
}

/* Writes header and lengths; returns the bytes of data that follow. */
static size_t write_head(const struct packing *p, unsigned char *message)
{
    struct strata_message_header header = {p->x->progress.largest, p->x->progress.load};
    return measure_items(p, (uint32_t *)(void *)put(message, &header, sizeof header));
}

int strata_send_items(struct strata_execution *x, const struct strata_step *step)
{
    struct packing p = {.x = x, .lane = step->lane, .set = strata_cursor_set(&x->cursor)};
    unsigned char *message = x->progress.pack + x->progress.pack_used;
    bool known = strata_lengths_known(x), head = step->how != STRATA_DATA && !known;
    p.items = strata_set_count(p.set);
    p.data = message + (head ? strata_message_data((size_t)p.items) : 0);
    size_t data = head ? write_head(&p, message) : measure_items(&p, NULL);
    if (step->how == STRATA_LENGTHS) {
        data = 0;
    } else {
        p.bytes = data;
        strata_workshare(x, step, data, pack_items, &p);
    }
    size_t bytes = (size_t)(p.data - message) + data;
    if (bytes == 0 && known) {
        return STRATA_OK; /* the receiver receives nothing either */
    }
    x->progress.pack_used += strata_align(bytes, 16);
    x->count.copied += data;
    x->progress.posted[STRATA_LANE_TRAFFIC]++;
    strata_count_message(x, step->peer, bytes);
    return step->how == STRATA_WHOLE && !known
               ? x->transport->send(x->transport_self, step->peer, message, bytes)
               : x->transport->send_exactly(x->transport_self, step->peer, message, bytes);
}
