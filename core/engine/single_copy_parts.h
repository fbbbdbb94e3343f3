/* Shared by the files single_copy_*.c; no other file includes this header. */
#ifndef STRATA_CORE_ENGINE_SINGLE_COPY_PARTS_H
#define STRATA_CORE_ENGINE_SINGLE_COPY_PARTS_H

#include "core/engine/engine_common.h"
#include "core/engine/engine_format.h"

/* core/engine/single_copy_pieces.c. Whether local peers can read a span as it lies. */
bool strata_is_exposable(const struct strata_execution *x, const struct strata_span *span);
/* The number of the span's pieces that are listed for that, at most; 0 if it lies in one piece. */
size_t strata_listed_pieces(const struct strata_span *span);
/* Returns the loan that says where the span lies, and lists its pieces from *list on, which moves
 * on. */
struct strata_loan strata_expose_span(const struct strata_span *span, struct strata_range **list);
/* Cuts a list down to `bytes` bytes from its byte `skip` on; returns the number of pieces, which
 * begin at *list; 0 where the list is shorter. */
size_t strata_cut_list(struct strata_range **list, size_t count, size_t skip, size_t bytes);

/* Takes the scratch that reading local peers' blocks needs; returns the place behind it. */
static inline unsigned char *strata_take_fetching(struct strata_execution *x, unsigned char *at)
{
    x->progress.fetched = at;
    x->progress.listed = (struct strata_range *)(void *)(at + STRATA_FETCH_BYTES);
    return at + STRATA_FETCH_SCRATCH;
}

/* core/engine/single_copy_ask.c: a question for bytes of a member's memory. */
struct strata_asking {
    int member;              /* the member that is asked */
    struct strata_loan loan; /* the block that it exposes */
    size_t skip;             /* where in the block the bytes begin */
    size_t bytes;            /* the number of bytes */
};
/* Asks for the bytes. *come is their address when they have come; STRATA_PENDING until then. */
int strata_ask(struct strata_execution *x, const struct strata_asking *wanted,
               const unsigned char **come);
/* The most bytes that one question may ask for. */
size_t strata_ask_most(const struct strata_execution *x);

/* core/engine/single_copy_read.c: reads a block that a member exposes, from the first byte on that
 * was not read yet. STRATA_PENDING; STRATA_ERR_ARGUMENT: some of the bytes are not there, which is
 * noted; STRATA_ERR_UNSUPPORTED: the system does not allow it, and `asks` is false. */
int strata_fetch_block(struct strata_execution *x, int member, const struct strata_loan *loan,
                       const struct strata_span *into, bool asks);

/* core/engine/single_copy_direct.c: says where my direct blocks for local peers lie. */
void strata_expose_direct(struct strata_execution *x);

#endif
