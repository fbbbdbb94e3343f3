/* The pieces that a block lies in. A block in a few long pieces is exposed as it lies, with a list
 * of the pieces, and one call of the kernel reads them all. Two kinds of blocks are exposed from a
 * copy instead (core/engine/engine_stores.c): blocks in many or in short pieces, because these cost
 * the kernel more than packing does (docs/performance/long-blocks.md), and blocks that are written
 * over in the same call. */
#include "core/engine/single_copy_parts.h"

/* The number of pieces of all elements that have a part in the span. */
static size_t pieces_of(const struct strata_span *span)
{
    const struct strata_type *type = span->type;
    size_t first = span->skip / type->size, last = (span->skip + span->bytes - 1) / type->size;
    return (last - first + 1) * type->npieces;
}

size_t strata_listed_pieces(const struct strata_span *span)
{
    return span->bytes == 0 || span->type->contiguous ? 0 : pieces_of(span);
}

bool strata_is_exposable(const struct strata_execution *x, const struct strata_span *span)
{
    size_t pieces = strata_listed_pieces(span);
    return pieces <= 1 ||
           (pieces <= STRATA_MOST_EXPOSED && span->bytes / pieces >= x->memory->peers->least_piece);
}

/* Lists the pieces of a span; returns how many there are. */
static size_t list_pieces(const struct strata_span *span, struct strata_range *list)
{
    const struct strata_type *type = span->type;
    size_t elements = span->skip / type->size, skip = span->skip % type->size, count = 0;
    const unsigned char *element = span->origin + (ptrdiff_t)elements * type->extent;
    for (size_t left = span->bytes; left > 0; element += type->extent) {
        for (size_t p = 0; p < type->npieces && left > 0; p++) {
            const struct strata_piece *piece = &type->pieces[p];
            size_t before = strata_least(skip, piece->length);
            size_t bytes = strata_least(left, piece->length - before);
            const unsigned char *at = element + piece->offset + before;
            skip -= before;
            left -= bytes;
            if (bytes > 0) {
                list[count++] = (struct strata_range){(uint64_t)(uintptr_t)at, bytes};
            }
        }
    }
    return count;
}

struct strata_loan strata_expose_span(const struct strata_span *span, struct strata_range **list)
{
    struct strata_loan loan = {.bytes = span->bytes};
    if (strata_listed_pieces(span) == 0) {
        loan.address = span->bytes ? (uint64_t)(uintptr_t)strata_span_address(span) : 0;
        return loan;
    }
    loan.address = (uint64_t)(uintptr_t)*list;
    loan.pieces = list_pieces(span, *list);
    *list += loan.pieces;
    return loan;
}

size_t strata_cut_list(struct strata_range **list, size_t count, size_t skip, size_t bytes)
{
    struct strata_range *range = *list;
    for (; count > 0 && skip >= range->bytes; range++, count--) {
        skip -= range->bytes;
    }
    *list = range;
    if (count > 0) {
        *range = (struct strata_range){range->address + skip, range->bytes - skip};
    }
    size_t needed = 0;
    for (; bytes > 0 && needed < count; needed++) {
        range[needed].bytes = strata_least(range[needed].bytes, bytes);
        bytes -= range[needed].bytes;
    }
    return bytes > 0 ? 0 : needed;
}
