/* A copy into which operands are combined next is put off: each piece of it is made when its
 * operands come, and is combined while it lies in the nearest cache. What is copied lies as it is
 * until the call is left: in this rank's input, or in that of a mate who lends it. Where all is
 * longer than the cache, the results go past it from there. */
#include <string.h>

#include "core/engine/engine_moving.h"
#include "core/engine/long_copy.h"
#include "core/engine/simulated_work.h"

/* Whether what is done next, but for waiting, combines into the same places. */
static bool is_combined_next(const struct strata_execution *x)
{
    const struct strata_plan *plan = x->plan;
    const struct strata_step *here = &plan->steps[x->cursor.at], *next = here + 1;
    const struct strata_step *end = plan->steps + plan->nsteps;
    while (next < end && next->op == STRATA_STEP_AWAIT) {
        next++;
    }
    return next < end && next->op == STRATA_STEP_REDUCE && next->set == here->set &&
           x->cursor.depth == 0;
}

bool strata_copy_late(struct strata_execution *x, const unsigned char *from, size_t bytes)
{
    if (!x->plan->blocks.lends || bytes == 0 || !is_combined_next(x) || !x->op->kernel ||
        strata_has_team(x)) {
        return false;
    }
    struct strata_extent into = strata_find_extent(x, strata_cursor_set(&x->cursor));
    if (into.bytes != bytes || !into.address || into.address == from) {
        return false;
    }
    x->progress.late = (struct strata_late_copy){from, into.address, bytes >= STRATA_LONG_COPY};
    return true;
}

/* So many elements, in `near`, which is their place unless that is to be written past the cache. */
static void combine_near(const struct strata_execution *x, const unsigned char *from,
                         unsigned char *into, unsigned char *near, size_t elements)
{
    const struct strata_late_copy *late = &x->progress.late;
    size_t bytes = elements * x->op->element;
    memcpy(near, late->from + (into - late->into), bytes);
    strata_charge_copy(bytes, 1);
    x->op->kernel(from, near, elements);
    if (near != into) {
        strata_copy_past_cache(into, near, bytes);
    }
}

void strata_combine_late(const struct strata_execution *x, const unsigned char *from,
                         unsigned char *into, size_t operands)
{
    _Alignas(STRATA_CACHE_LINE) unsigned char near[STRATA_NEAR_BYTES];
    size_t element = x->op->element, most = STRATA_NEAR_BYTES / element;
    for (size_t n; operands > 0; operands -= n) {
        n = strata_least(operands, most);
        combine_near(x, from, into, x->progress.late.past_cache ? near : into, n);
        from += n * element;
        into += n * element;
    }
}
