#include "core/engine/type.h"

#include "core/base/error.h"
#include "core/base/memory.h"

static struct strata_piece one_byte = {0, 1};
static size_t before_it = 0;
const struct strata_type strata_byte_type = {1, 1, 1, &one_byte, &before_it, true};

static bool touches(const struct strata_piece *piece, const struct strata_piece *next)
{
    return piece->offset + (ptrdiff_t)piece->length == next->offset;
}

/* Appends a piece, or lengthens the last one when they touch. */
static void append(struct strata_type *type, struct strata_piece piece)
{
    struct strata_piece *last = type->npieces ? &type->pieces[type->npieces - 1] : NULL;
    if (last && touches(last, &piece)) {
        last->length += piece.length;
    } else {
        type->before[type->npieces] = type->size;
        type->pieces[type->npieces++] = piece;
    }
    type->size += piece.length;
}

int strata_type_init(struct strata_type *type, const struct strata_piece *pieces, size_t npieces,
                     ptrdiff_t extent)
{
    *type = (struct strata_type){.extent = extent};
    type->pieces = strata_allocate(npieces, sizeof *type->pieces);
    type->before = strata_allocate(npieces, sizeof *type->before);
    if (!type->pieces || !type->before) {
        strata_type_fini(type);
        return STRATA_ERR_MEMORY;
    }
    for (size_t i = 0; i < npieces; i++) {
        if (pieces[i].length > 0) {
            append(type, pieces[i]);
        }
    }
    type->contiguous = type->npieces == 1 && extent == (ptrdiff_t)type->size;
    return STRATA_OK;
}

void strata_type_fini(struct strata_type *type)
{
    strata_release(type->pieces);
    strata_release(type->before);
    *type = (struct strata_type){0};
}
