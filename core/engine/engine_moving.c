/* Copies spans, walks two sets side by side, and finds the extent of one set. */
#include "core/engine/engine_moving.h"

struct spans {
    const struct strata_span *from, *into;
};

static void copy_part(void *argument, int chunk, int chunks)
{
    const struct spans *s = argument;
    const size_t begin = (size_t)strata_chunk_begin((int64_t)s->from->bytes, chunk, chunks);
    const size_t end = (size_t)strata_chunk_begin((int64_t)s->from->bytes, chunk + 1, chunks);
    const struct strata_span from = strata_part_of(s->from, begin, end - begin);
    const struct strata_span into = strata_part_of(s->into, begin, end - begin);
    (void)strata_span_copy(&from, &into, end - begin);
}

void strata_share_spans(struct strata_execution *x, const struct strata_span *from,
                        const struct strata_span *into)
{
    struct spans s = {from, into};
    strata_share(x, from->bytes, copy_part, &s);
}

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
