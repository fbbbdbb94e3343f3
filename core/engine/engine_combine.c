/* Combines operands.
 *
 * A copy into which operands are combined next is deferred until they come, and then never made:
 * the operands are combined with the source of the copy where it lies. The source stays unchanged
 * until the call is left, because it lies in this rank's input, or in the input of a local peer
 * that exposes it. Where the operands are longer than the cache, the results go past the cache from
 * a buffer near the core. */
#include "core/engine/engine_combine.h"

#include "core/base/seldom.h"
#include "core/engine/engine_moving.h"
#include "core/engine/long_copy.h"
#include "core/engine/simulated_work.h"

/* Whether the next step, except waits, combines into the same blocks. */
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

bool strata_copy_deferred(struct strata_execution *x, const unsigned char *from, size_t bytes)
{
    if (!x->plan->blocks.exposes || bytes == 0 || !is_combined_next(x) || !x->op->kernel) {
        return false;
    }
    struct strata_extent into = strata_find_extent(x, strata_cursor_set(&x->cursor));
    if (into.bytes != bytes || !into.address || into.address == from) {
        return false;
    }
    x->progress.deferred =
        (struct strata_deferred_copy){from, into.address, bytes >= STRATA_LONG_COPY};
    return true;
}

/* Combines in pieces into a buffer near the core, and copies each piece past the cache. */
static void combine_past(strata_kernel *kernel, const unsigned char *left,
                         const unsigned char *right, unsigned char *into, size_t elements,
                         size_t element)
{
    /* Zeroed, because long doubles have bytes that no result is written to. */
    _Alignas(STRATA_CACHE_LINE) unsigned char near[STRATA_NEAR_BYTES] = {0};
    size_t most = STRATA_NEAR_BYTES / element;
    for (size_t at = 0, now; at < elements; at += now) {
        now = strata_least(elements - at, most);
        kernel(left + at * element, right + at * element, near, now);
        strata_copy_past_cache(into + at * element, near, now * element);
    }
}

/* Combines operands by a kernel; several threads share the elements of long ones. */
struct combining {
    const struct strata_operator *op;
    const unsigned char *left, *right;
    unsigned char *into;
    size_t elements;
    bool copies; /* one of them is a deferred copy's source */
    bool past_cache;
};

static void combine_part(void *argument, int chunk, int chunks)
{
    const struct combining *c = argument;
    size_t from = (size_t)strata_chunk_begin((int64_t)c->elements, chunk, chunks);
    size_t to = (size_t)strata_chunk_begin((int64_t)c->elements, chunk + 1, chunks);
    size_t at = from * c->op->element;
    if (c->past_cache) {
        combine_past(c->op->kernel, c->left + at, c->right + at, c->into + at, to - from,
                     c->op->element);
    } else {
        c->op->kernel(c->left + at, c->right + at, c->into + at, to - from);
    }
    if (c->copies) {
        strata_charge_copy((to - from) * c->op->element, 1);
    }
}

/* into := left o right, with the source of the deferred copy in place of the operand at its
 * destination. */
static void combine_deferred(struct strata_execution *x, const unsigned char *left,
                             const unsigned char *right, unsigned char *into, size_t operands)
{
    const struct strata_deferred_copy *deferred = &x->progress.deferred;
    const unsigned char *copied = deferred->from + (into - deferred->into);
    struct combining c = {x->op, left, right, into, operands, true, deferred->past_cache};
    c.left = left == into ? copied : left;
    c.right = right == into ? copied : right;
    strata_share(x, operands * x->op->element, combine_part, &c);
}

/* Folds with an operator without a kernel. It writes over its right operand, so that is copied
 * first. */
static int fold_by_copies(const struct strata_execution *x, const unsigned char *right,
                          unsigned char *into, size_t operands)
{
    _Alignas(STRATA_CACHE_LINE) unsigned char near[STRATA_NEAR_BYTES];
    const struct strata_type *type = x->work.type;
    ptrdiff_t offset = type->pieces[0].offset;
    size_t most = sizeof near / type->size;
    int error = STRATA_OK;
    for (size_t now; operands > 0 && error == STRATA_OK; operands -= now) {
        now = strata_least(operands, most);
        memcpy(near, right + offset, now * type->size);
        error = x->op->combine(x->op, into, near - offset, now);
        memcpy(into + offset, near, now * type->size);
        right += now * type->size;
        into += now * type->size;
    }
    return error;
}

static STRATA_SELDOM void combine_shared(struct strata_execution *x, const void *left,
                                         const void *right, void *into, size_t operands)
{
    struct combining c = {x->op, left, right, into, operands, false, false};
    strata_share(x, operands * x->op->element, combine_part, &c);
}

static int combine_alone(const struct strata_execution *x, const void *left, const void *right,
                         void *into, size_t operands)
{
    if (!x->op->kernel) {
        return left == into ? fold_by_copies(x, right, into, operands)
                            : x->op->combine(x->op, left, into, operands);
    }
    x->op->kernel(left, right, into, operands);
    return STRATA_OK;
}

bool strata_combine_operands(struct strata_execution *x, const void *from, void *into,
                             size_t operands, bool folds)
{
    const void *left = folds ? into : from, *right = folds ? from : into;
    if (x->progress.deferred.from) {
        combine_deferred(x, left, right, into, operands);
        return true;
    }
    if (x->op->kernel && strata_is_sharable(x, operands * x->op->element)) {
        combine_shared(x, left, right, into, operands);
        return true;
    }
    int error = combine_alone(x, left, right, into, operands);
    if (error != STRATA_OK) {
        strata_record_error(x, error, "rank %d: the operator failed: %s", x->plan->rank,
                            strata_error_text(error));
    }
    return error == STRATA_OK;
}
