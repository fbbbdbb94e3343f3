/* Walks two sets side by side, and finds the extent of one set. */
#include "core/engine/engine_moving.h"

struct strata_extent strata_find_extent(const struct strata_execution *x, struct strata_set set)
{
    struct strata_span_walk walk;
    struct strata_span span;
    struct strata_extent found = {0, NULL};
    bool together = true;
    for (strata_spans_begin(&walk, x, set); strata_spans_next(&walk, &span);) {
        if (span.bytes == 0) {
            continue;
        }
        unsigned char *here = strata_span_address(&span);
        together = together && here && (found.bytes == 0 || here == found.address + found.bytes);
        found.address = found.bytes == 0 ? here : found.address;
        found.bytes += span.bytes;
    }
    if (!together) {
        found.address = NULL;
    } else if (found.bytes == 0) {
        found.address = x->scratch ? x->scratch : (unsigned char *)(uintptr_t)&strata_byte_type;
    }
    return found;
}

void strata_pairs_begin(struct strata_pair_walk *p, const struct strata_execution *x,
                        struct strata_set from, struct strata_set into)
{
    strata_spans_begin(&p->from_walk, x, from);
    strata_spans_begin(&p->into_walk, x, into);
    p->bytes = p->from.bytes = p->into.bytes = 0;
}

/* Moves a walk on by `bytes` bytes: to the rest of its span, or else to the next one; false at the
 * end. */
static bool pass(struct strata_span_walk *walk, struct strata_span *span, size_t bytes)
{
    span->skip += bytes;
    span->bytes -= bytes;
    while (span->bytes == 0) {
        if (!strata_spans_next(walk, span)) {
            span->bytes = 0;
            return false;
        }
    }
    return true;
}

/* When one walk is at its end, the rest of the other shows whether that is at its end too. */
bool strata_pairs_next(struct strata_pair_walk *p)
{
    bool more = pass(&p->from_walk, &p->from, p->bytes);
    more = pass(&p->into_walk, &p->into, p->bytes) && more;
    p->bytes = strata_least(p->from.bytes, p->into.bytes);
    return more;
}
