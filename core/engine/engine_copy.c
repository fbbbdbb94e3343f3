/* Steps of plans over blocks that copy or combine. */
#include "core/engine/engine_moving.h"
#include "core/engine/long_copy.h"
#include "core/engine/simulated_work.h"

void strata_pairs_begin(struct strata_pair_walk *p, const struct strata_execution *x,
                        struct strata_set from, struct strata_set into)
{
    strata_spots_begin(&p->from_walk, x, from);
    strata_spots_begin(&p->into_walk, x, into);
    p->bytes = p->from.bytes = p->into.bytes = 0;
}

/* What is left of a place after so many bytes, or else the next one; false at the end. */
static bool pass(struct strata_spot_walk *walk, struct strata_spot *spot, size_t bytes)
{
    spot->skip += bytes;
    spot->bytes -= bytes;
    while (spot->bytes == 0) {
        if (!strata_spots_next(walk, spot)) {
            spot->bytes = 0;
            return false;
        }
    }
    return true;
}

/* Where one is at its end, what is left of the other shows whether it is, too. */
bool strata_pairs_next(struct strata_pair_walk *p)
{
    bool more = pass(&p->from_walk, &p->from, p->bytes);
    more = pass(&p->into_walk, &p->into, p->bytes) && more;
    p->bytes = strata_least(p->from.bytes, p->into.bytes);
    return more;
}

/* A COPY step; a team shares its bytes. */
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
            struct strata_spot in = strata_part_of(&walk.from, skip, end - at - skip);
            struct strata_spot out = strata_part_of(&walk.into, skip, end - at - skip);
            (void)strata_spot_copy(&in, &out, in.bytes);
        }
    }
}

/* Places that lie side by side on either side. */
struct plain_copy {
    const unsigned char *from;
    unsigned char *into;
    size_t bytes;
};

static void move_plain(void *argument, int chunk, int chunks)
{
    const struct plain_copy *c = argument;
    size_t from = (size_t)strata_chunk_begin((int64_t)c->bytes, chunk, chunks);
    size_t to = (size_t)strata_chunk_begin((int64_t)c->bytes, chunk + 1, chunks);
    strata_copy_bytes(c->into + from, c->from + from, to - from);
    strata_charge_copy(to - from, 1);
}

/* By a team, which divides the bytes: so they are counted first. Returns whether both are as
 * long. */
static bool copy_shared(struct strata_execution *x, const struct strata_step *step,
                        struct moving *m)
{
    struct strata_extent from = strata_find_extent(x, m->from),
                         into = strata_find_extent(x, m->set);
    m->bytes = strata_least(from.bytes, into.bytes);
    if (!from.address || !into.address) {
        strata_workshare(x, step, m->bytes, move_pairs, m);
        x->count.copied += m->bytes;
    } else if (from.address != into.address) {
        struct plain_copy c = {from.address, into.address, m->bytes};
        strata_workshare(x, step, m->bytes, move_plain, &c);
        x->count.copied += m->bytes;
    }
    return from.bytes == into.bytes;
}

/* By this thread alone, in one walk. */
static bool copy_alone(struct strata_execution *x, const struct moving *m)
{
    struct strata_pair_walk walk;
    for (strata_pairs_begin(&walk, x, m->from, m->set); strata_pairs_next(&walk);) {
        x->count.copied += strata_spot_copy(&walk.from, &walk.into, walk.bytes) ? walk.bytes : 0;
    }
    return walk.from.bytes == walk.into.bytes;
}

static bool copies_late(struct strata_execution *x, const struct moving *m)
{
    struct strata_extent from = strata_find_extent(x, m->from);
    if (!from.address || !strata_copy_late(x, from.address, from.bytes)) {
        return false;
    }
    x->count.copied += from.bytes;
    return true;
}

int strata_run_copy(struct strata_execution *x, const struct strata_step *step)
{
    struct moving m = {.x = x, .set = strata_cursor_set(&x->cursor)};
    if (!strata_plan_over_blocks(x->plan)) {
        return strata_copy_in(x, step);
    }
    m.from = strata_cursor_from(&x->cursor);
    if (strata_set_is_of_mates(m.from)) {
        return strata_fetch(x, step);
    }
    if (strata_set_open(x, m.set) == STRATA_PENDING) {
        return STRATA_PENDING;
    }
    if (x->plan->blocks.lends && copies_late(x, &m)) {
        return STRATA_OK;
    }
    if (!(strata_may_share(x, step) ? copy_shared(x, step, &m) : copy_alone(x, &m))) {
        strata_record_error(x, STRATA_ERR_TRUNCATE, "rank %d copies %zu bytes where it expects %zu",
                            x->plan->rank, strata_find_extent(x, m.from).bytes,
                            strata_find_extent(x, m.set).bytes);
    }
    return STRATA_OK;
}

/* Long operands, by a kernel; a team shares the elements. */
struct combining {
    const struct strata_operator *op;
    const unsigned char *left, *right;
    unsigned char *into;
    size_t elements;
};

static void combine_part(void *argument, int chunk, int chunks)
{
    const struct combining *c = argument;
    size_t from = (size_t)strata_chunk_begin((int64_t)c->elements, chunk, chunks);
    size_t to = (size_t)strata_chunk_begin((int64_t)c->elements, chunk + 1, chunks);
    size_t at = from * c->op->element;
    c->op->kernel(c->left + at, c->right + at, c->into + at, to - from);
}

/* An operator without a kernel writes over its right operand, which is copied first. */
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
    if (x->progress.late.from) {
        strata_combine_late(x, left, right, into, operands);
        return true;
    }
    if (x->op->kernel && strata_has_team(x) && operands * x->op->element >= x->team->least_bytes) {
        struct combining c = {x->op, left, right, into, operands};
        x->team->run(combine_part, &c, x->team->threads);
        return true;
    }
    int error = combine_alone(x, left, right, into, operands);
    if (error != STRATA_OK) {
        strata_record_error(x, error, "rank %d: the operator failed: %s", x->plan->rank,
                            strata_error_text(error));
    }
    return error == STRATA_OK;
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
    bool of_mates = strata_set_is_of_mates(strata_cursor_from(&x->cursor));
    int status = of_mates ? strata_fetch(x, step) : combine_own(x, step->op == STRATA_STEP_FOLD);
    if (status != STRATA_PENDING) {
        x->progress.late.from = NULL;
    }
    return status;
}

int strata_run_fold(struct strata_execution *x, const struct strata_step *step)
{
    return strata_run_reduce(x, step);
}
