/* Where a caller's blocks lie: base, datatype, counts and displacements; packing and unpacking.
 *
 * A block's bytes are always counted in its packed stream: the datatype's pieces in type-map order,
 * element after element. Send and receive types of equal signature have equal streams. */
#ifndef STRATA_CORE_LAYOUT_H
#define STRATA_CORE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

/* One contiguous piece of a datatype: offset from the element's origin, length; both in bytes. */
struct strata_piece {
    ptrdiff_t offset;
    size_t length;
};

/* A flattened datatype. Immutable once made; shared by every layout that uses it. */
struct strata_type {
    size_t size;      /* bytes of data in one element: the sum of the pieces' lengths */
    ptrdiff_t extent; /* from one element's origin to the next; may be negative or zero */
    size_t npieces;
    struct strata_piece *pieces; /* type-map order; neighbours that touch are merged */
    size_t *before;              /* [npieces] bytes of the stream before each piece */
    bool contiguous; /* elements follow each other without gaps: one piece, extent = size */
};

/* Fills a type from its pieces (copied, empty ones dropped, touching neighbours merged).
 * STRATA_OK or STRATA_ERR_MEMORY; strata_type_fini frees what it holds. */
int strata_type_init(struct strata_type *type, const struct strata_piece *pieces, size_t npieces,
                     ptrdiff_t extent);
void strata_type_fini(struct strata_type *type);

struct strata_layout {
    unsigned char *base;
    const struct strata_type *type;
    const int *counts; /* elements of each block; NULL: `count` for all */
    const int *displs; /* where each begins, in extents; NULL: block i begins at i * count */
    size_t count;
    const void *handle; /* the transport's own name of the datatype (MPI: an MPI_Datatype *);
                         * NULL: plain bytes */
};

static inline size_t strata_layout_elements(const struct strata_layout *l, int block)
{
    return l->counts ? (size_t)l->counts[block] : l->count;
}

static inline size_t strata_layout_bytes(const struct strata_layout *l, int block)
{
    return strata_layout_elements(l, block) * l->type->size;
}

static inline unsigned char *strata_layout_at(const struct strata_layout *l, int block)
{
    ptrdiff_t first =
        l->displs ? (ptrdiff_t)l->displs[block] : (ptrdiff_t)block * (ptrdiff_t)l->count;
    return l->base + first * l->type->extent;
}

/* Copies bytes [skip, skip + bytes) of the block's stream to `to`. */
void strata_layout_pack(const struct strata_layout *l, int block, size_t skip, size_t bytes,
                        void *to);
/* Copies `from` to bytes [skip, skip + bytes) of the block's stream. Gaps are not touched. */
void strata_layout_unpack(const struct strata_layout *l, int block, size_t skip, size_t bytes,
                          const void *from);
/* Copies min of both streams from a block to another, e.g. a rank's own. They must not overlap
 * unless they are the same memory in the same layout, when nothing is done. */
void strata_layout_copy(const struct strata_layout *from, int block, const struct strata_layout *to,
                        int other);

#endif
