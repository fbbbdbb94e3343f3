/* Blocks of two sets side by side, and of one set together. */
#ifndef STRATA_CORE_ENGINE_ENGINE_MOVING_H
#define STRATA_CORE_ENGINE_ENGINE_MOVING_H

#include "core/engine/engine_spans.h"

/* The places of a message. */
struct strata_extent {
    size_t bytes;           /* of all of them */
    unsigned char *address; /* where they begin; NULL: they do not lie side by side */
};
struct strata_extent strata_find_extent(const struct strata_execution *x, struct strata_set set);

/* Bytes [skip, skip + bytes) of a span. */
static inline struct strata_span strata_part_of(const struct strata_span *span, size_t skip,
                                                size_t bytes)
{
    struct strata_span part = *span;
    part.skip += skip;
    part.bytes = bytes;
    return part;
}

/* Two walks side by side, cut where either goes on to its next place. */
struct strata_pair_walk {
    struct strata_span_walk from_walk; /* the places to read */
    struct strata_span_walk into_walk; /* the places to write */
    struct strata_span from;           /* what remains of the place to read */
    struct strata_span into;           /* what remains of the place to write */
    size_t bytes;                      /* how much of these the two have in common */
};
void strata_pairs_begin(struct strata_pair_walk *p, const struct strata_execution *x,
                        struct strata_set from, struct strata_set into);
bool strata_pairs_next(struct strata_pair_walk *p);

/* A span's first element; reductions are cut at whole ones. */
static inline unsigned char *strata_first_element(const struct strata_span *span)
{
    return span->origin + (ptrdiff_t)(span->skip / span->type->size) * span->type->extent;
}

#endif
