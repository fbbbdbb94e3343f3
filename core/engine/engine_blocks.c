/* The messages of blocks, and the beginning of calls of plans over blocks. */
#include "core/engine/engine_blocks.h"

#include "core/base/seldom.h"
#include "core/engine/broadcast_lengths.h"
#include "core/engine/engine_epochs.h"
#include "core/engine/engine_items.h"
#include "core/engine/engine_moving.h"

/* Copies between blocks and a packed message; several threads share the copying. */
struct packing {
    const struct strata_execution *x;
    struct strata_set set;
    unsigned char *packed;
    bool unpack;
    size_t bytes;
};

static void move_packed(void *argument, int chunk, int chunks)
{
    const struct packing *m = argument;
    struct strata_span_walk walk;
    struct strata_span span;
    size_t from = (size_t)strata_chunk_begin((int64_t)m->bytes, chunk, chunks);
    size_t to = (size_t)strata_chunk_begin((int64_t)m->bytes, chunk + 1, chunks);
    size_t at = 0;
    for (strata_spans_begin(&walk, m->x, m->set); at < to && strata_spans_next(&walk, &span);) {
        size_t end = strata_least(at + span.bytes, to);
        if (end > from) {
            size_t skip = at < from ? from - at : 0;
            struct strata_span part = strata_part_of(&span, skip, end - at - skip);
            if (m->unpack) {
                strata_span_unpack(&part, m->packed + at + skip);
            } else {
                strata_span_pack(&part, m->packed + at + skip);
            }
        }
        at += span.bytes;
    }
}

static unsigned char *take_pack(struct strata_execution *x, size_t bytes)
{
    unsigned char *at = x->progress.pack + x->progress.pack_used;
    x->progress.pack_used += strata_align(bytes, 16);
    return at;
}

/* Lists the spans of a message that are not empty; returns how many there are. */
static int list_spans(struct strata_execution *x, struct strata_set set)
{
    struct strata_span_walk walk;
    int count = 0;
    for (strata_spans_begin(&walk, x, set); strata_spans_next(&walk, &x->progress.spans[count]);) {
        count += x->progress.spans[count].bytes > 0;
    }
    return count;
}

/* In place of a message, where this rank has not the root's vector. */
static STRATA_SELDOM int send_void(struct strata_execution *x, const struct strata_step *step)
{
    x->progress.posted[STRATA_LANE_TRAFFIC]++;
    strata_count_message(x, step->peer, 0);
    return x->transport->send_void(x->transport_self, step->peer);
}

int strata_send_blocks(struct strata_execution *x, const struct strata_step *step)
{
    if (strata_lacks_vector(x)) {
        return send_void(x, step);
    }
    struct strata_set set = strata_cursor_set(&x->cursor);
    struct strata_extent found = strata_find_extent(x, set);
    unsigned char *message = found.address;
    x->progress.posted[STRATA_LANE_TRAFFIC]++;
    strata_count_message(x, step->peer, found.bytes);
    if (!message && step->how == STRATA_TYPED && x->transport->send_spans) {
        return x->transport->send_spans(x->transport_self, step->peer, x->progress.spans,
                                        list_spans(x, set));
    }
    if (!message || (step->how == STRATA_PACKED && found.bytes > 0)) {
        message = take_pack(x, found.bytes);
        struct packing m = {.x = x, .set = set, .packed = message, .bytes = found.bytes};
        strata_workshare(x, step, found.bytes, move_packed, &m);
        x->count.copied += found.bytes;
    }
    return x->transport->send_exactly(x->transport_self, step->peer, message, found.bytes);
}

int strata_recv_blocks(struct strata_execution *x, const struct strata_step *step)
{
    struct strata_set set = strata_cursor_set(&x->cursor);
    bool lands = strata_set_is_in(set, STRATA_SHARED);
    if ((lands ? strata_landing_open(x) : strata_set_open(x, set)) == STRATA_PENDING) {
        return STRATA_PENDING;
    }
    struct strata_extent found = strata_find_extent(x, set);
    unsigned char *message = found.address;
    x->progress.posted[STRATA_LANE_TRAFFIC]++;
    if (!message && step->how == STRATA_TYPED && x->transport->recv_spans) {
        return x->transport->recv_spans(x->transport_self, step->peer, x->progress.spans,
                                        list_spans(x, set));
    }
    if (!message) {
        message = take_pack(x, found.bytes);
        x->progress.open_blocks[x->progress.nopen_blocks++] =
            (struct strata_open_blocks){set, message, found.bytes};
    }
    return x->transport->recv_exactly(x->transport_self, step->peer, message, found.bytes);
}

int strata_land_blocks(struct strata_execution *x)
{
    static const struct strata_step workshared = {.workshare = 1};
    for (int i = 0; i < x->progress.nopen_blocks; i++) {
        const struct strata_open_blocks *open = &x->progress.open_blocks[i];
        struct packing m = {.x = x, .set = open->set, .packed = open->packed, .unpack = true};
        m.bytes = open->bytes;
        strata_workshare(x, &workshared, open->bytes, move_packed, &m);
        x->count.copied += open->bytes;
    }
    x->progress.nopen_blocks = 0;
    return STRATA_OK;
}

/* The lengths of blocks are known, so ranks need not agree on sizes, except in an alltoall whose
 * blocks are exposed. */
void strata_blocks_start(struct strata_execution *x)
{
    strata_stores_begin(x);
    if (strata_agrees_on_sizes(x->plan)) {
        strata_measure_blocks(x);
    }
}
