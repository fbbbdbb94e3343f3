/* A copy into which operands are combined next is put off until they come, and is none then: they
 * are combined with what was to be copied where that lies. It lies as it is until the call is left:
 * in this rank's input, or in that of a mate who lends it. Where all is longer than the cache, the
 * results go past it from what lies next to the core. */

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
    return next < end && strata_step_act(next) == STRATA_ACT_COMBINE && next->set == here->set &&
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

/* Results go past the cache from where they lie near to the core. */
static void combine_past(strata_kernel *kernel, const unsigned char *left,
                         const unsigned char *right, unsigned char *into, size_t elements,
                         size_t element)
{
    /* Also where numbers have bytes that no result is written to, as long doubles do. */
    _Alignas(STRATA_CACHE_LINE) unsigned char near[STRATA_NEAR_BYTES] = {0};
    size_t most = STRATA_NEAR_BYTES / element;
    for (size_t at = 0, now; at < elements; at += now) {
        now = strata_least(elements - at, most);
        kernel(left + at * element, right + at * element, near, now);
        strata_copy_past_cache(into + at * element, near, now * element);
    }
}

void strata_combine_late(const struct strata_execution *x, const unsigned char *left,
                         const unsigned char *right, unsigned char *into, size_t operands)
{
    const struct strata_late_copy *late = &x->progress.late;
    const unsigned char *copied = late->from + (into - late->into);
    left = left == into ? copied : left;
    right = right == into ? copied : right;
    strata_charge_copy(operands * x->op->element, 1);
    if (late->past_cache) {
        combine_past(x->op->kernel, left, right, into, operands, x->op->element);
    } else {
        x->op->kernel(left, right, into, operands);
    }
}
