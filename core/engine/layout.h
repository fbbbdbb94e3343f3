/* Layouts: where a caller's blocks lie (base, datatype, counts and displacements), and how they are
 * packed and unpacked.
 *
 * Bytes of a block are always counted in its packed stream: the datatype's pieces in type-map
 * order, element after element. Send and receive types of equal signature have equal streams. */
#ifndef STRATA_CORE_ENGINE_LAYOUT_H
#define STRATA_CORE_ENGINE_LAYOUT_H

#include "core/engine/type.h"

/* The integers of a caller's large counts and displacements. Each MPI has types of its own for
 * them. */
typedef size_t __attribute__((may_alias)) strata_length;
typedef ptrdiff_t __attribute__((may_alias)) strata_displacement;

struct strata_layout {
    unsigned char *base;
    const struct strata_type *type;
    /* Elements of each block; NULL: `count` for all. */
    const int *counts;
    /* Where each block begins, in extents; NULL: block i begins at i * count. */
    const int *displs;
    size_t count;
    /* Used in place of counts where not NULL. */
    const strata_length *lengths;
    /* Used in place of displs where not NULL. */
    const strata_displacement *displacements;
    /* The transport's own name of the datatype (MPI: an MPI_Datatype *); NULL: plain bytes. */
    const void *handle;
    /* A vector of `count` elements is cut into `segments` blocks (0: it is not cut). They are
     * near-equal in units of `unit` bytes of its stream. */
    size_t segments, unit;
    /* Only a slice of each block counts: at most `slice` bytes of its stream, from byte `skip` on
     * (slice 0: the whole block). Not for a vector that is cut. */
    size_t skip, slice;
    /* A datatype for each block (alltoallw); type and handle are then not used, and displs are in
     * bytes. */
    const struct strata_type *const *types;
    const void *const *handles;
};

static inline const struct strata_type *strata_layout_type(const struct strata_layout *l, int block)
{
    return l->types ? l->types[block] : l->type;
}

/* Whether the address of a block follows from its number alone. */
static inline bool strata_layout_regular(const struct strata_layout *l)
{
    return !l->counts && !l->lengths && !l->types;
}

/* Bytes of the stream before segment i of a cut vector. */
static inline size_t strata_layout_cut(const struct strata_layout *l, size_t i)
{
    size_t bytes = l->count * l->type->size, units;
    if (l->segments == 1) {
        return i ? bytes : 0;
    }
    units = bytes / l->unit;
    /* units * i / segments, without overflow */
    return (units / l->segments * i + units % l->segments * i / l->segments) * l->unit;
}

static inline size_t strata_layout_elements(const struct strata_layout *l, int block)
{
    return l->lengths ? l->lengths[block] : l->counts ? (size_t)l->counts[block] : l->count;
}

/* Bytes that the slice has of a block of `bytes` bytes. */
static inline size_t strata_layout_sliced(const struct strata_layout *l, size_t bytes)
{
    size_t left = bytes > l->skip ? bytes - l->skip : 0;
    return left < l->slice ? left : l->slice;
}

static inline size_t strata_layout_bytes(const struct strata_layout *l, int block)
{
    if (l->segments) {
        return strata_layout_cut(l, (size_t)block + 1) - strata_layout_cut(l, (size_t)block);
    }
    size_t bytes = strata_layout_elements(l, block) * strata_layout_type(l, block)->size;
    return l->slice ? strata_layout_sliced(l, bytes) : bytes;
}

/* Where the block's first element begins; not for vectors that are cut. */
static inline unsigned char *strata_layout_at(const struct strata_layout *l, int block)
{
    ptrdiff_t first = l->displs          ? (ptrdiff_t)l->displs[block]
                      : l->displacements ? l->displacements[block]
                                         : (ptrdiff_t)block * (ptrdiff_t)l->count;
    return l->base + first * (l->types ? 1 : l->type->extent);
}

/* A block, wherever it lies: bytes [skip, skip + bytes) of the stream of elements from origin
 * on. */
struct strata_span {
    unsigned char *origin;
    const struct strata_type *type;
    size_t skip, bytes;
};

static inline struct strata_span strata_layout_span(const struct strata_layout *l, int block)
{
    struct strata_span span = {.type = strata_layout_type(l, block),
                               .skip = l->skip,
                               .bytes = strata_layout_bytes(l, block)};
    if (l->segments) {
        span.origin = l->base;
        span.skip = strata_layout_cut(l, (size_t)block);
    } else {
        span.origin = strata_layout_at(l, block);
    }
    return span;
}

void strata_span_pack(const struct strata_span *span, void *to);
void strata_span_unpack(const struct strata_span *span, const void *from);
/* Copies `bytes` bytes. The two spans must not overlap unless they are the same, and then nothing
 * is copied. Returns whether anything was copied. */
bool strata_span_copy(const struct strata_span *from, const struct strata_span *to, size_t bytes);

/* The span's address if it lies in one piece, else NULL. */
static inline unsigned char *strata_span_address(const struct strata_span *span)
{
    const struct strata_type *type = span->type;
    bool plain = type->contiguous && type->npieces > 0;
    return plain ? span->origin + type->pieces[0].offset + span->skip : NULL;
}

/* Copies bytes [skip, skip + bytes) of the block's stream to `to`. */
void strata_layout_pack(const struct strata_layout *l, int block, size_t skip, size_t bytes,
                        void *to);
/* Copies `from` to bytes [skip, skip + bytes) of the block's stream. Gaps are not touched. */
void strata_layout_unpack(const struct strata_layout *l, int block, size_t skip, size_t bytes,
                          const void *from);
/* Copies as many bytes as both streams have from a block to another, such as a rank's own. They
 * must not overlap unless they are the same memory in the same layout, and then nothing is
 * copied. */
void strata_layout_copy(const struct strata_layout *from, int block, const struct strata_layout *to,
                        int other);

#endif
