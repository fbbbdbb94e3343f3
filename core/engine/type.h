/* Flattened datatypes: the pieces of one element. */
#ifndef STRATA_CORE_ENGINE_TYPE_H
#define STRATA_CORE_ENGINE_TYPE_H

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
    ptrdiff_t extent; /* bytes from one element's origin to the next; may be negative or zero */
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

extern const struct strata_type strata_byte_type;

#endif
