#include "intranode/helpers.h"

STRATA_EACH_THREAD struct strata_helpers *strata_helpers_here;

void strata_helpers_init(struct strata_helpers *helpers, size_t least_bytes)
{
    atomic_init(&helpers->offer, 0);
    atomic_init(&helpers->done, 0);
    atomic_init(&helpers->here, 0);
    helpers->coming = 0;
    helpers->body = NULL;
    helpers->argument = NULL;
    helpers->least_bytes = least_bytes;
    helpers->way = STRATA_WAIT_SPIN;
    atomic_init(&helpers->bell.word, 0);
}

/* A call that opens a team may have nothing to share but its first copy, which begins before the
 * helpers are here. So those on their way count, too: what they do not take the caller does. */
static int count(size_t bytes)
{
    const struct strata_helpers *h = strata_helpers_here;
    int all = 1;
    if (h && bytes >= h->least_bytes) {
        const int here = atomic_load_explicit(&h->here, memory_order_relaxed);
        all += here > h->coming ? here : h->coming;
    }
    return all < STRATA_MOST_PIECES ? all : STRATA_MOST_PIECES;
}

static int share(strata_chunk_body *body, void *argument, int chunks)
{
    return strata_helpers_do(strata_helpers_here, body, argument, chunks);
}

void strata_helpers_workers(struct strata_workers *workers, size_t least_bytes)
{
    *workers = (struct strata_workers){least_bytes, SIZE_MAX, count, share};
}
