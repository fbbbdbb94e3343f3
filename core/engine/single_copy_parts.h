/* What the files single_copy_*.c share; nobody else includes this. */
#ifndef STRATA_CORE_ENGINE_SINGLE_COPY_PARTS_H
#define STRATA_CORE_ENGINE_SINGLE_COPY_PARTS_H

#include "core/engine/engine_common.h"
#include "core/engine/engine_format.h"

/* core/engine/single_copy_pieces.c. Whether local peers can read a span as it lies. */
bool strata_is_exposable(const struct strata_execution *x, const struct strata_span *span);
/* How many of its pieces are listed for that, at most: none where it lies in one. */
size_t strata_listed_pieces(const struct strata_span *span);
/* Says where it lies, and lists its pieces from *list on, which moves on. */
struct strata_loan strata_expose_span(const struct strata_span *span, struct strata_range **list);
/* What remains of a list from its byte `skip` on, `bytes` bytes; returns how many pieces, which
 * begin at *list. */
size_t strata_cut_list(struct strata_range **list, size_t count, size_t skip, size_t bytes);

/* Divides off what reading local peers' blocks needs; returns what comes behind it. */
static inline unsigned char *strata_take_fetching(struct strata_execution *x, unsigned char *at)
{
    x->progress.fetched = at;
    x->progress.listed = (struct strata_range *)(void *)(at + STRATA_FETCH_BYTES);
    return at + STRATA_FETCH_SCRATCH;
}

/* core/engine/single_copy_ask.c: bytes of a member's memory that are asked for. */
struct strata_asking {
    int member;              /* the member that is asked */
    struct strata_loan loan; /* the block that it exposes */
    size_t skip;             /* where in the block the bytes begin */
    size_t bytes;            /* how many they are */
};
/* Asks for them. *come: where they are when they have come; STRATA_PENDING until then. */
int strata_ask(struct strata_execution *x, const struct strata_asking *wanted,
               const unsigned char **come);
/* The most that may be asked for at once. */
size_t strata_ask_most(const struct strata_execution *x);

/* core/engine/single_copy_read.c: reads a block that a member exposes, from the first byte on that
 * was not read yet. STRATA_PENDING; STRATA_ERR_ARGUMENT: the bytes are not all there, which is
 * noted; STRATA_ERR_UNSUPPORTED: the system does not let us, and the member is not asked. */
int strata_fetch_block(struct strata_execution *x, int member, const struct strata_loan *loan,
                       const struct strata_span *into, bool asks);

/* core/engine/single_copy_direct.c: says where my direct blocks for local peers lie. */
void strata_expose_direct(struct strata_execution *x);

#endif
