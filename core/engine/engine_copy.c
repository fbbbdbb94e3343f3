/* The steps of plans over blocks that copy or combine. */
#include "core/engine/engine_blocks.h"
#include "core/engine/engine_combine.h"
#include "core/engine/engine_epochs.h"
#include "core/engine/engine_moving.h"
#include "core/engine/engine_steps.h"
#include "core/engine/single_copy.h"

/* A COPY step; several threads share its bytes. */
struct moving {
    const struct strata_execution *x;
    struct strata_set set, from;
    size_t bytes;
};

static void move_pairs(void *argument, int chunk, int chunks)
{
    const struct moving *m = argument;
    struct strata_pair_walk walk;
    size_t from = (size_t)strata_chunk_begin((int64_t)m->bytes, chunk, chunks);
    size_t to = (size_t)strata_chunk_begin((int64_t)m->bytes, chunk + 1, chunks);
    size_t at = 0;
    strata_pairs_begin(&walk, m->x, m->from, m->set);
    for (; at < to && strata_pairs_next(&walk); at += walk.bytes) {
        size_t end = strata_least(at + walk.bytes, to);
        if (end > from) {
            size_t skip = at < from ? from - at : 0;
            struct strata_span in = strata_part_of(&walk.from, skip, end - at - skip);
            struct strata_span out = strata_part_of(&walk.into, skip, end - at - skip);
            (void)strata_span_copy(&in, &out, in.bytes);
        }
    }
}

/* Copies with other threads. They divide the bytes, so these are counted first. Returns whether
 * both sets are equally long. */
static bool copy_shared(struct strata_execution *x, struct moving *m)
{
    struct strata_extent from = strata_find_extent(x, m->from),
                         into = strata_find_extent(x, m->set);
    m->bytes = strata_least(from.bytes, into.bytes);
    if (!from.address || !into.address) {
        strata_share(x, m->bytes, move_pairs, m);
        x->count.copied += m->bytes;
    } else if (from.address != into.address) {
        strata_share_copy(x, into.address, from.address, m->bytes);
        x->count.copied += m->bytes;
    }
    return from.bytes == into.bytes;
}

/* Copies in this thread alone, in one walk. Returns whether both sets are equally long. */
static bool copy_alone(struct strata_execution *x, const struct moving *m)
{
    struct strata_pair_walk walk;
    size_t copied = 0;
    for (strata_pairs_begin(&walk, x, m->from, m->set); strata_pairs_next(&walk);) {
        copied += strata_span_copy(&walk.from, &walk.into, walk.bytes) ? walk.bytes : 0;
    }
    x->count.copied += copied;
    strata_note_sharable(x, copied);
    return walk.from.bytes == walk.into.bytes;
}

static bool has_helpers(const struct strata_execution *x)
{
    return x->workers && x->workers->count(SIZE_MAX) > 1;
}

static bool defers_copy(struct strata_execution *x, const struct moving *m)
{
    struct strata_extent from = strata_find_extent(x, m->from);
    if (!from.address || !strata_copy_deferred(x, from.address, from.bytes)) {
        return false;
    }
    x->count.copied += from.bytes;
    return true;
}

int strata_copy_blocks(struct strata_execution *x, const struct strata_step *step)
{
    struct moving m = {
        .x = x, .set = strata_cursor_set(&x->cursor), .from = strata_cursor_from(&x->cursor)};
    if (strata_set_is_of_peers(m.from)) {
        return strata_fetch(x, step);
    }
    if (strata_set_open(x, m.set) == STRATA_PENDING) {
        return STRATA_PENDING;
    }
    if (x->plan->blocks.exposes && defers_copy(x, &m)) {
        return STRATA_OK;
    }
    if (!(step->workshare && has_helpers(x) ? copy_shared(x, &m) : copy_alone(x, &m))) {
        strata_record_error(x, STRATA_ERR_TRUNCATE, "rank %d copies %zu bytes where it expects %zu",
                            x->plan->rank, strata_find_extent(x, m.from).bytes,
                            strata_find_extent(x, m.set).bytes);
    }
    return STRATA_OK;
}

static int combine_own(struct strata_execution *x, bool folds)
{
    struct strata_pair_walk walk;
    struct strata_set into = strata_cursor_set(&x->cursor);
    bool right = true;
    if (strata_set_open(x, into) == STRATA_PENDING) {
        return STRATA_PENDING;
    }
    strata_pairs_begin(&walk, x, strata_cursor_from(&x->cursor), into);
    while (right && strata_pairs_next(&walk)) {
        right = strata_combine_operands(x, strata_first_element(&walk.from),
                                        strata_first_element(&walk.into),
                                        walk.bytes / walk.from.type->size, folds);
    }
    return STRATA_OK;
}

int strata_run_reduce(struct strata_execution *x, const struct strata_step *step)
{
    bool of_peers = strata_set_is_of_peers(strata_cursor_from(&x->cursor));
    int status = of_peers ? strata_fetch(x, step) : combine_own(x, step->op == STRATA_STEP_FOLD);
    if (status != STRATA_PENDING) {
        x->progress.deferred.from = NULL;
    }
    return status;
}

int strata_run_fold(struct strata_execution *x, const struct strata_step *step)
{
    return strata_run_reduce(x, step);
}
