/* Steps of plans over blocks: messages, copies, reductions. */
#include <string.h>

#include "core/engine/engine_internal.h"
#include "core/engine/simulated_work.h"

/* A message's places: how many bytes, and their address where they lie side by side. */
struct extent {
    size_t bytes;
    unsigned char *address; /* NULL: they do not */
};

static struct extent find_extent(const struct strata_execution *x, struct strata_set set)
{
    struct strata_spot_walk walk;
    struct strata_spot spot;
    struct extent found = {0, NULL};
    bool together = true;
    for (strata_spots_begin(&walk, x, set); strata_spots_next(&walk, &spot);) {
        if (spot.bytes == 0) {
            continue;
        }
        unsigned char *here = strata_spot_address(&spot);
        together = together && here && (found.bytes == 0 || here == found.address + found.bytes);
        found.address = found.bytes == 0 ? here : found.address;
        found.bytes += spot.bytes;
    }
    if (!together) {
        found.address = NULL;
    } else if (found.bytes == 0) {
        found.address = x->scratch ? x->scratch : (unsigned char *)(uintptr_t)&strata_byte_type;
    }
    return found;
}

/* Bytes [skip, skip + bytes) of a spot. */
static struct strata_spot part_of(const struct strata_spot *spot, size_t skip, size_t bytes)
{
    struct strata_spot part = *spot;
    part.skip += skip;
    part.bytes = bytes;
    return part;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Copying between blocks and a packed message, or between blocks and blocks, workshared by a team:
 * each chunk takes a part of the bytes. */
struct moving {
    const struct strata_execution *x;
    struct strata_set set, from;
    unsigned char *packed; /* NULL: from the blocks of `from` */
    bool unpack;
    size_t bytes;
};

static void begin_chunk(size_t bytes, int chunk, int chunks, size_t *from, size_t *to)
{
    *from = bytes / (size_t)chunks * (size_t)chunk;
    *to = chunk == chunks - 1 ? bytes : bytes / (size_t)chunks * (size_t)(chunk + 1);
}

static void move_packed(void *argument, int chunk, int chunks)
{
    const struct moving *m = argument;
    struct strata_spot_walk walk;
    struct strata_spot spot;
    size_t from, to, at = 0;
    begin_chunk(m->bytes, chunk, chunks, &from, &to);
    for (strata_spots_begin(&walk, m->x, m->set); at < to && strata_spots_next(&walk, &spot);) {
        size_t end = least(at + spot.bytes, to);
        if (end > from) {
            size_t skip = at < from ? from - at : 0;
            struct strata_spot part = part_of(&spot, skip, end - at - skip);
            if (m->unpack) {
                strata_spot_unpack(&part, m->packed + at + skip);
            } else {
                strata_spot_pack(&part, m->packed + at + skip);
            }
        }
        at += spot.bytes;
    }
}

/* Two walks side by side, cut where either goes on to its next place. */
struct pair_walk {
    struct strata_spot_walk from_walk, into_walk;
    struct strata_spot from, into; /* what is left of each, */
    size_t bytes;                  /* and how much of it the two have in common */
};

static void pairs_begin(struct pair_walk *p, const struct strata_execution *x,
                        struct strata_set from, struct strata_set into)
{
    strata_spots_begin(&p->from_walk, x, from);
    strata_spots_begin(&p->into_walk, x, into);
    p->bytes = p->from.bytes = p->into.bytes = 0;
}

/* What is left of a place after so many bytes, or else the next one; false at the end. */
static bool pass(struct strata_spot_walk *walk, struct strata_spot *spot, size_t bytes)
{
    spot->skip += bytes;
    spot->bytes -= bytes;
    while (spot->bytes == 0) {
        if (!strata_spots_next(walk, spot)) {
            spot->bytes = 0;
            return false;
        }
    }
    return true;
}

/* Where one is at its end, what is left of the other shows whether it is, too. */
static bool pairs_next(struct pair_walk *p)
{
    bool more = pass(&p->from_walk, &p->from, p->bytes);
    more = pass(&p->into_walk, &p->into, p->bytes) && more;
    p->bytes = least(p->from.bytes, p->into.bytes);
    return more;
}

static void move_pairs(void *argument, int chunk, int chunks)
{
    const struct moving *m = argument;
    struct pair_walk walk;
    size_t from, to, at = 0;
    begin_chunk(m->bytes, chunk, chunks, &from, &to);
    pairs_begin(&walk, m->x, m->from, m->set);
    for (; at < to && pairs_next(&walk); at += walk.bytes) {
        size_t end = least(at + walk.bytes, to);
        if (end > from) {
            size_t skip = at < from ? from - at : 0;
            struct strata_spot in = part_of(&walk.from, skip, end - at - skip);
            struct strata_spot out = part_of(&walk.into, skip, end - at - skip);
            (void)strata_spot_copy(&in, &out, in.bytes);
        }
    }
}

static unsigned char *take_pack(struct strata_execution *x, size_t bytes)
{
    unsigned char *at = x->progress.pack + x->progress.pack_used;
    x->progress.pack_used += strata_align(bytes, 16);
    return at;
}

/* The places of a message as a list; how many. */
static int list_spots(struct strata_execution *x, struct strata_set set)
{
    struct strata_spot_walk walk;
    int count = 0;
    for (strata_spots_begin(&walk, x, set); strata_spots_next(&walk, &x->progress.spots[count]);) {
        count += x->progress.spots[count].bytes > 0;
    }
    return count;
}

int strata_run_send_blocks(struct strata_execution *x, const struct strata_step *step)
{
    struct strata_set set = strata_cursor_set(&x->cursor);
    struct extent found = find_extent(x, set);
    unsigned char *message = found.address;
    x->progress.posted[STRATA_LANE_TRAFFIC]++;
    strata_count_message(x, step->peer, found.bytes);
    if (!message && step->how == STRATA_TYPED && x->transport->send_spots) {
        return x->transport->send_spots(x->transport_self, step->peer, x->progress.spots,
                                        list_spots(x, set));
    }
    if (!message || (step->how == STRATA_PACKED && found.bytes > 0)) {
        message = take_pack(x, found.bytes);
        struct moving m = {.x = x, .set = set, .packed = message, .bytes = found.bytes};
        strata_workshare(x, step, found.bytes, move_packed, &m);
        x->count.copied += found.bytes;
    }
    return x->transport->send_exactly(x->transport_self, step->peer, message, found.bytes);
}

int strata_run_recv_blocks(struct strata_execution *x, const struct strata_step *step)
{
    struct strata_set set = strata_cursor_set(&x->cursor);
    if (strata_set_is_in(set, STRATA_SHARED) && strata_landing_open(x) == STRATA_PENDING) {
        return STRATA_PENDING;
    }
    struct extent found = find_extent(x, set);
    unsigned char *message = found.address;
    x->progress.posted[STRATA_LANE_TRAFFIC]++;
    if (!message && step->how == STRATA_TYPED && x->transport->recv_spots) {
        return x->transport->recv_spots(x->transport_self, step->peer, x->progress.spots,
                                        list_spots(x, set));
    }
    if (!message) {
        message = take_pack(x, found.bytes);
        x->progress.open_blocks[x->progress.nopen_blocks++] =
            (struct strata_open_blocks){set, message, found.bytes};
    }
    return x->transport->recv_exactly(x->transport_self, step->peer, message, found.bytes);
}

void strata_unpack_blocks(struct strata_execution *x)
{
    static const struct strata_step workshared = {.workshare = 1};
    for (int i = 0; i < x->progress.nopen_blocks; i++) {
        const struct strata_open_blocks *open = &x->progress.open_blocks[i];
        struct moving m = {.x = x, .set = open->set, .packed = open->packed, .unpack = true};
        m.bytes = open->bytes;
        strata_workshare(x, &workshared, open->bytes, move_packed, &m);
        x->count.copied += open->bytes;
    }
    x->progress.nopen_blocks = 0;
}

/* Places that lie side by side on either side. */
struct plain_copy {
    const unsigned char *from;
    unsigned char *into;
    size_t bytes;
};

static void move_plain(void *argument, int chunk, int chunks)
{
    const struct plain_copy *c = argument;
    size_t from, to;
    begin_chunk(c->bytes, chunk, chunks, &from, &to);
    memcpy(c->into + from, c->from + from, to - from);
    strata_charge_copy(to - from, 1);
}

/* By a team, which divides the bytes: so they are counted first. Returns whether both are as
 * long. */
static bool copy_shared(struct strata_execution *x, const struct strata_step *step,
                        struct moving *m)
{
    struct extent from = find_extent(x, m->from), into = find_extent(x, m->set);
    m->bytes = least(from.bytes, into.bytes);
    if (!from.address || !into.address) {
        strata_workshare(x, step, m->bytes, move_pairs, m);
        x->count.copied += m->bytes;
    } else if (from.address != into.address) {
        struct plain_copy c = {from.address, into.address, m->bytes};
        strata_workshare(x, step, m->bytes, move_plain, &c);
        x->count.copied += m->bytes;
    }
    return from.bytes == into.bytes;
}

/* By this thread alone, in one walk. */
static bool copy_alone(struct strata_execution *x, const struct moving *m)
{
    struct pair_walk walk;
    for (pairs_begin(&walk, x, m->from, m->set); pairs_next(&walk);) {
        x->count.copied += strata_spot_copy(&walk.from, &walk.into, walk.bytes) ? walk.bytes : 0;
    }
    return walk.from.bytes == walk.into.bytes;
}

int strata_run_copy(struct strata_execution *x, const struct strata_step *step)
{
    struct moving m = {.x = x, .set = strata_cursor_set(&x->cursor)};
    m.from = strata_cursor_from(&x->cursor);
    if (strata_set_is_in(m.set, STRATA_SHARED) && strata_slot_open(x) == STRATA_PENDING) {
        return STRATA_PENDING;
    }
    if (!(strata_may_share(x, step) ? copy_shared(x, step, &m) : copy_alone(x, &m))) {
        strata_record_error(x, STRATA_ERR_TRUNCATE, "rank %d copies %zu bytes where it expects %zu",
                            x->plan->rank, find_extent(x, m.from).bytes,
                            find_extent(x, m.set).bytes);
    }
    return STRATA_OK;
}

/* A spot's first element; reductions are cut at whole ones. */
static unsigned char *first_element(const struct strata_spot *spot)
{
    return spot->origin + (ptrdiff_t)(spot->skip / spot->type->size) * spot->type->extent;
}

int strata_run_reduce(struct strata_execution *x, const struct strata_step *step)
{
    struct pair_walk walk;
    int error = STRATA_OK;
    (void)step;
    pairs_begin(&walk, x, strata_cursor_from(&x->cursor), strata_cursor_set(&x->cursor));
    while (error == STRATA_OK && pairs_next(&walk)) {
        error = x->op->combine(x->op, first_element(&walk.from), first_element(&walk.into),
                               walk.bytes / walk.from.type->size);
    }
    if (error != STRATA_OK) {
        strata_record_error(x, error, "rank %d: the operator failed: %s", x->plan->rank,
                            strata_error_text(error));
    }
    return STRATA_OK;
}
