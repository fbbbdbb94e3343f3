/* Copies blocks. Every copy is one walk over two streams. A stream stands at a piece of an element,
 * knows how many bytes follow there without a gap, and moves on. A plain buffer is a stream of
 * bytes. */
#include "core/engine/layout.h"

#include <stdint.h>
#include <string.h>

#include "core/engine/long_copy.h"
#include "core/engine/simulated_work.h"

/* A place in a block's stream. */
struct stream {
    const struct strata_type *type;
    unsigned char *element; /* origin of the current element */
    size_t piece;           /* the current piece of the element */
    size_t within;          /* bytes of the piece already passed */
};

/* The piece that holds byte `at` of an element's stream. */
static size_t piece_at(const struct strata_type *type, size_t at)
{
    size_t low = 0, high = type->npieces;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (type->before[middle] <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The stream from byte `skip` on. The type must not be empty. */
static struct stream stream_at(unsigned char *origin, const struct strata_type *type, size_t skip)
{
    struct stream s = {.type = type, .element = origin};
    if (type->contiguous) {
        s.element += skip;
        return s;
    }
    size_t rest = skip % type->size;
    s.element += (ptrdiff_t)(skip / type->size) * type->extent;
    s.piece = piece_at(type, rest);
    s.within = rest - type->before[s.piece];
    return s;
}

static unsigned char *stream_here(const struct stream *s)
{
    return s->element + s->type->pieces[s->piece].offset + (ptrdiff_t)s->within;
}

/* Bytes that follow without a gap. The caller never asks for more than the block has. */
static size_t stream_room(const struct stream *s)
{
    return s->type->contiguous ? SIZE_MAX : s->type->pieces[s->piece].length - s->within;
}

static void stream_advance(struct stream *s, size_t bytes)
{
    if (s->type->contiguous) {
        s->element += bytes;
        return;
    }
    s->within += bytes;
    if (s->within < s->type->pieces[s->piece].length) {
        return;
    }
    s->within = 0;
    if (++s->piece == s->type->npieces) {
        s->piece = 0;
        s->element += s->type->extent;
    }
}

/* Copies `count` pieces. If the compiler knows their length, the copy becomes plain loads and
 * stores. */
#define COPY_STRIDED(bytes)                                                                        \
    for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++) {                                             \
        memcpy(to + i * to_step, from + i * from_step, bytes);                                     \
    }

static void copy_strided(unsigned char *to, ptrdiff_t to_step, const unsigned char *from,
                         ptrdiff_t from_step, size_t length, size_t count)
{
    if (length == 4) {
        COPY_STRIDED(4)
    } else if (length == 8) {
        COPY_STRIDED(8)
    } else if (length == 16) {
        COPY_STRIDED(16)
    } else {
        COPY_STRIDED(length)
    }
}

/* Whether elements of one piece each follow from here, so that a loop with a constant step copies
 * them. */
static bool strided(const struct stream *s)
{
    return s->type->npieces == 1 && s->within == 0;
}

/* Copies the whole pieces that follow in both streams at constant steps; returns the bytes
 * copied. */
static size_t copy_pieces(struct stream *to, struct stream *from, size_t bytes)
{
    size_t length = to->type->contiguous ? from->type->size : to->type->size;
    ptrdiff_t to_step = to->type->contiguous ? (ptrdiff_t)length : to->type->extent;
    ptrdiff_t from_step = from->type->contiguous ? (ptrdiff_t)length : from->type->extent;
    bool same = from->type->contiguous || from->type->size == length;
    ptrdiff_t count = same ? (ptrdiff_t)(bytes / length) : 0;
    copy_strided(stream_here(to), to_step, stream_here(from), from_step, length, (size_t)count);
    strata_charge_copy((size_t)count * length, (size_t)count);
    to->element += count * to_step;
    from->element += count * from_step;
    return (size_t)count * length;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void transfer(struct stream to, struct stream from, size_t bytes)
{
    bool plain = to.type->contiguous && from.type->contiguous;
    while (bytes > 0) {
        if (!plain && strided(&to) && strided(&from)) {
            bytes -= copy_pieces(&to, &from, bytes);
        }
        size_t n = least(bytes, least(stream_room(&to), stream_room(&from)));
        memcpy(stream_here(&to), stream_here(&from), n);
        strata_charge_copy(n, n > 0);
        stream_advance(&to, n);
        stream_advance(&from, n);
        bytes -= n;
    }
}

/* A stream over a plain buffer. A stream that is only read writes nothing to it. */
static struct stream stream_plain(const void *buffer)
{
    return (struct stream){.type = &strata_byte_type,
                           .element = (unsigned char *)(uintptr_t)buffer};
}

static bool same_map(const struct strata_type *a, const struct strata_type *b)
{
    if (a == b || (a->contiguous && b->contiguous)) {
        return true;
    }
    return a->extent == b->extent && a->npieces == b->npieces &&
           memcmp(a->pieces, b->pieces, a->npieces * sizeof *a->pieces) == 0;
}

static void copy_plain(unsigned char *to, const unsigned char *from, size_t bytes)
{
    strata_copy_bytes(to, from, bytes);
    strata_charge_copy(bytes, 1);
}

void strata_span_pack(const struct strata_span *span, void *to)
{
    if (span->bytes == 0) {
        return;
    }
    const unsigned char *from = strata_span_address(span);
    if (from) {
        copy_plain(to, from, span->bytes);
    } else {
        transfer(stream_plain(to), stream_at(span->origin, span->type, span->skip), span->bytes);
    }
}

void strata_span_unpack(const struct strata_span *span, const void *from)
{
    if (span->bytes == 0) {
        return;
    }
    unsigned char *to = strata_span_address(span);
    if (to) {
        copy_plain(to, from, span->bytes);
    } else {
        transfer(stream_at(span->origin, span->type, span->skip), stream_plain(from), span->bytes);
    }
}

/* The address of byte `skip` of a whole block if the block lies in one piece; else NULL. */
static unsigned char *address_in(const struct strata_layout *l, int block, size_t skip)
{
    const struct strata_type *type = strata_layout_type(l, block);
    bool plain = type->contiguous && type->npieces > 0 && !l->segments;
    return plain ? strata_layout_at(l, block) + type->pieces[0].offset + skip : NULL;
}

/* The span of `bytes` bytes from `skip` on of a block's stream. */
static struct strata_span part_of(const struct strata_layout *l, int block, size_t skip,
                                  size_t bytes)
{
    struct strata_span span = strata_layout_span(l, block);
    span.skip += skip;
    span.bytes = bytes;
    return span;
}

void strata_layout_pack(const struct strata_layout *l, int block, size_t skip, size_t bytes,
                        void *to)
{
    if (bytes == 0) {
        return;
    }
    const unsigned char *from = address_in(l, block, skip);
    if (from) {
        copy_plain(to, from, bytes);
    } else {
        const struct strata_span span = part_of(l, block, skip, bytes);
        strata_span_pack(&span, to);
    }
}

void strata_layout_unpack(const struct strata_layout *l, int block, size_t skip, size_t bytes,
                          const void *from)
{
    if (bytes == 0) {
        return;
    }
    unsigned char *to = address_in(l, block, skip);
    if (to) {
        copy_plain(to, from, bytes);
    } else {
        const struct strata_span span = part_of(l, block, skip, bytes);
        strata_span_unpack(&span, from);
    }
}

bool strata_span_copy(const struct strata_span *from, const struct strata_span *to, size_t bytes)
{
    if (bytes == 0) {
        return false;
    }
    const unsigned char *source = strata_span_address(from);
    unsigned char *target = strata_span_address(to);
    if (source && target) {
        if (source != target) {
            copy_plain(target, source, bytes);
        }
        return source != target;
    }
    struct stream in = stream_at(from->origin, from->type, from->skip);
    struct stream out = stream_at(to->origin, to->type, to->skip);
    bool same = stream_here(&in) == stream_here(&out) && same_map(from->type, to->type);
    if (!same) {
        transfer(out, in, bytes);
    }
    return !same;
}

void strata_layout_copy(const struct strata_layout *from, int block, const struct strata_layout *to,
                        int other)
{
    const unsigned char *source = address_in(from, block, 0);
    unsigned char *target = address_in(to, other, 0);
    size_t bytes = least(strata_layout_bytes(from, block), strata_layout_bytes(to, other));
    if (!source || !target) {
        struct strata_span in = strata_layout_span(from, block),
                           out = strata_layout_span(to, other);
        (void)strata_span_copy(&in, &out, bytes);
    } else if (bytes > 0 && source != target) {
        copy_plain(target, source, bytes);
    }
}
