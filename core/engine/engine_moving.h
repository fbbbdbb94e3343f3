/* Moves blocks: copies spans, walks two sets side by side, and finds the extent of one set. */
#ifndef STRATA_CORE_ENGINE_ENGINE_MOVING_H
#define STRATA_CORE_ENGINE_ENGINE_MOVING_H

#include "core/engine/engine_spans.h"

/* The memory that the blocks of a message take. */
struct strata_extent {
    size_t bytes;           /* bytes of all blocks */
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

/* Copies a span to another one of as many bytes, which does not overlap it; several threads share
 * them. */
void strata_share_spans(struct strata_execution *x, const struct strata_span *from,
                        const struct strata_span *into);

/* Two walks side by side. Each step ends where either walk goes on to its next span. */
struct strata_pair_walk {
    struct strata_span_walk from_walk; /* the spans to read */
    struct strata_span_walk into_walk; /* the spans to write */
    struct strata_span from;           /* the rest of the span to read */
    struct strata_span into;           /* the rest of the span to write */
    size_t bytes;                      /* bytes that both of them still have */
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
