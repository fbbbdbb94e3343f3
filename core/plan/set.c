#include "core/plan/set.h"

#include <assert.h>

const char *strata_store_word(enum strata_store store)
{
    static const char *const word[] = {
#define STRATA_STORE_WORD(id, text) [STRATA_##id] = text,
        STRATA_STORE_TABLE(STRATA_STORE_WORD)
#undef STRATA_STORE_WORD
    };
    return (unsigned)store < STRATA_STORE_COUNT ? word[store] : "unknown";
}

static bool dim_valid(const struct strata_dim *d)
{
    if (d->start < 0 || d->length < 0 || d->stride < 1 || d->extent < 0) {
        return false;
    }
    return d->extent == 0 ? d->start <= INT32_MAX - d->length
                          : d->start < d->extent && d->length <= d->extent;
}

bool strata_box_valid(const struct strata_box *box)
{
    if (box->space < 1 || box->origin < 0 || box->origin >= box->space || box->limit < 0 ||
        box->limit > box->space || box->ndims < 1 || box->ndims > STRATA_BOX_DIMS ||
        box->store < 0 || box->store >= STRATA_STORE_COUNT || (box->down != 0 && box->down != 1)) {
        return false;
    }
    /* Numbers of combinations, and the largest value, are computed in 64 bits. */
    const int64_t most = (int64_t)1 << 60;
    int64_t combinations = 1, largest = 0;
    for (int d = 0; d < box->ndims; d++) {
        const struct strata_dim *dim = &box->dim[d];
        if (!dim_valid(dim) || (dim->length > 0 && combinations > most / dim->length)) {
            return false;
        }
        combinations *= dim->length;
        largest += ((int64_t)dim->start + dim->length) * dim->stride;
        if (largest > most) {
            return false;
        }
    }
    return true;
}

struct strata_box strata_box_range(int32_t space, int32_t first, int32_t count)
{
    assert(space >= 1 && first >= 0 && first < space && count >= 0 && count <= space);
    return (struct strata_box){.space = space,
                               .origin = first,
                               .limit = space,
                               .ndims = 1,
                               .dim = {{.length = count, .stride = 1}}};
}

struct strata_box strata_box_all(int32_t space)
{
    return strata_box_range(space, 0, space);
}

struct strata_box strata_box_item(int32_t space, int32_t item)
{
    return strata_box_range(space, item, 1);
}

struct strata_box strata_box_down(int32_t space, int32_t first, int32_t count)
{
    struct strata_box box = strata_box_range(space, first, count);
    box.down = 1;
    return box;
}

/* radix^position, or `most` when that is larger. */
static int32_t power_at_most(int32_t radix, int32_t position, int32_t most)
{
    int64_t power = 1;
    for (int32_t i = 0; i < position && power < most; i++) {
        power *= radix;
    }
    return power < most ? (int32_t)power : most;
}

/* The box has three dimensions: higher digits, the digit, lower digits. Weights are cut at `space`:
 * a digit of such a weight is 0 in all items, and its values from 1 on lie beyond the limit. */
struct strata_box strata_box_digit(int32_t space, int32_t radix, int32_t position, int32_t value)
{
    assert(space >= 1 && radix >= 2 && position >= 0 && value >= 0 && value < radix);
    int32_t weight = power_at_most(radix, position, space);
    int32_t next = power_at_most(radix, position + 1, space);
    int32_t higher = space / next + (space % next != 0);
    return (struct strata_box){.space = space,
                               .limit = space,
                               .ndims = 3,
                               .dim = {{.length = higher, .stride = next},
                                       {.start = value, .length = 1, .stride = weight},
                                       {.length = weight, .stride = 1}}};
}

static bool box_empty(const struct strata_box *box)
{
    bool empty = box->limit == 0;
    for (int d = 0; d < box->ndims; d++) {
        empty = empty || box->dim[d].length == 0;
    }
    return empty;
}

static int32_t shifted_origin(const struct strata_box *box, int64_t shift)
{
    if (shift == 0) {
        return box->origin;
    }
    int64_t origin = ((int64_t)box->origin + shift) % box->space;
    return (int32_t)(origin < 0 ? origin + box->space : origin);
}

/* Moves to the first item of the set's next box that has any, from it->box on. */
static void enter_box(struct strata_set_iterator *it)
{
    while (it->box < it->set.nboxes && box_empty(&it->set.boxes[it->box])) {
        it->box++;
    }
    for (int d = 0; d < STRATA_BOX_DIMS; d++) {
        it->index[d] = 0;
    }
    if (it->box < it->set.nboxes) {
        it->origin = shifted_origin(&it->set.boxes[it->box], it->set.shift);
    }
}

/* Moves on by `count` in the last dimension, into the next box at the end of this one. */
static void advance_index(struct strata_set_iterator *it, int32_t count)
{
    const struct strata_box *box = &it->set.boxes[it->box];
    int d = box->ndims - 1;
    for (it->index[d] += count; d > 0 && it->index[d] >= box->dim[d].length; d--) {
        it->index[d] = 0;
        it->index[d - 1]++;
    }
    if (it->index[0] >= box->dim[0].length) {
        it->box++;
        enter_box(it);
    }
}

static int32_t dim_coordinate(const struct strata_dim *d, int32_t index)
{
    int64_t coordinate = (int64_t)d->start + index;
    return (int32_t)(d->extent && coordinate >= d->extent ? coordinate - d->extent : coordinate);
}

static int64_t value_at(const struct strata_set_iterator *it, const struct strata_box *box)
{
    int64_t value = 0;
    for (int d = 0; d < box->ndims; d++) {
        value += (int64_t)dim_coordinate(&box->dim[d], it->index[d]) * box->dim[d].stride;
    }
    return value;
}

/* The number of steps in the last dimension, from here on, that each grow the value by one; at
 * least 1. */
static int32_t steps_in_row(const struct strata_set_iterator *it, const struct strata_box *box)
{
    const struct strata_dim *d = &box->dim[box->ndims - 1];
    int32_t index = it->index[box->ndims - 1];
    int32_t left = d->length - index;
    if (d->stride != 1 || box->down) {
        return 1;
    }
    int32_t to_wrap = d->extent ? d->extent - dim_coordinate(d, index) : left;
    return left < to_wrap ? left : to_wrap;
}

static int32_t item_of(const struct strata_set_iterator *it, const struct strata_box *box,
                       int64_t value)
{
    int64_t item = box->down ? it->origin - value + box->space : it->origin + value;
    return (int32_t)(item < box->space ? item : item - box->space);
}

/* Takes the next items that lie side by side in the last dimension. */
static bool next_run(struct strata_set_iterator *it, struct strata_run *run)
{
    while (it->box < it->set.nboxes) {
        const struct strata_box *box = &it->set.boxes[it->box];
        int64_t value = value_at(it, box);
        int32_t steps = steps_in_row(it, box);
        if (value >= box->limit) {
            advance_index(it, steps);
            continue;
        }
        run->store = box->store;
        run->first = item_of(it, box, value);
        int32_t room = box->space - run->first;
        int32_t kept = (int32_t)(box->limit - value < steps ? box->limit - value : steps);
        run->count = kept < room ? kept : room;
        /* Values beyond the limit are passed over. Values that the rotation cuts off come in the
         * next run. */
        advance_index(it, kept <= room ? steps : room);
        return true;
    }
    return false;
}

bool strata_set_one_run(struct strata_set set, struct strata_run *run)
{
    const struct strata_box *box = set.boxes;
    if (set.nboxes != 1 || box->ndims != 1 || box->down || set.shift != 0) {
        return false;
    }
    const struct strata_dim *d = &box->dim[0];
    int64_t first = (int64_t)box->origin + d->start;
    if (d->stride != 1 || d->extent || first + d->length > box->space ||
        (int64_t)d->start + d->length > box->limit) {
        return false;
    }
    *run = (struct strata_run){(int32_t)first, d->length, box->store};
    return true;
}

void strata_set_begin(struct strata_set_iterator *it, struct strata_set set)
{
    it->set = set;
    it->box = set.nboxes;
    if (strata_set_one_run(set, &it->ahead)) {
        return;
    }
    it->box = 0;
    enter_box(it);
    if (!next_run(it, &it->ahead)) {
        it->ahead.count = 0;
    }
}

bool strata_set_join(struct strata_set_iterator *it, struct strata_run *run)
{
    while (it->ahead.count > 0) {
        if (!next_run(it, &it->ahead)) {
            it->ahead.count = 0;
        } else if (it->ahead.first == run->first + run->count && it->ahead.store == run->store) {
            run->count += it->ahead.count;
        } else {
            break;
        }
    }
    return run->count > 0;
}
