/* Counts the items of a set, and finds whether it has a given item, without walking it.
 *
 * Both functions descend the dimensions of a box. They look one by one only at coordinates for
 * which the remaining dimensions decide: one or two where strides fall from each dimension to the
 * next. */
#include "core/plan/set.h"

static int32_t largest_coordinate(const struct strata_dim *d)
{
    int64_t end = (int64_t)d->start + d->length;
    return (int32_t)(d->extent && end > d->extent ? d->extent - 1 : end - 1);
}

/* The most that the dimensions from `d` on contribute; -1 when one of them is empty. */
static int64_t largest_value(const struct strata_box *box, int d)
{
    int64_t value = 0;
    for (; d < box->ndims; d++) {
        if (box->dim[d].length == 0) {
            return -1;
        }
        value += (int64_t)largest_coordinate(&box->dim[d]) * box->dim[d].stride;
    }
    return value;
}

static int64_t all_combinations(const struct strata_box *box, int d)
{
    int64_t product = 1;
    for (; d < box->ndims; d++) {
        product *= box->dim[d].length;
    }
    return product;
}

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* The number of coordinates of the dimension that are below `end`. */
static int64_t coordinates_below(const struct strata_dim *d, int64_t end)
{
    int64_t wrapped =
        d->extent ? clamp((int64_t)d->start + d->length - d->extent, 0, d->length) : 0;
    return clamp(end - d->start, 0, d->length - wrapped) + clamp(end, 0, wrapped);
}

static bool has_coordinate(const struct strata_dim *d, int64_t coordinate)
{
    int64_t index = coordinate - d->start;
    if (d->extent && index < 0) {
        index += d->extent;
    }
    return index >= 0 && index < d->length && (!d->extent || coordinate < d->extent);
}

/* The smallest c >= 0 with c * stride >= value. */
static int64_t divide_up(int64_t value, int64_t stride)
{
    return value <= 0 ? 0 : (value + stride - 1) / stride;
}

/* The number of combinations of the dimensions from `d` on whose value is below `room`; none of the
 * dimensions is empty. In the last one nothing is looked at one by one. */
static int64_t count_below(const struct strata_box *box, int d, int64_t room)
{
    const struct strata_dim *dim = &box->dim[d];
    int64_t whole = divide_up(room - largest_value(box, d + 1), dim->stride);
    int64_t end = clamp(divide_up(room, dim->stride), 0, (int64_t)largest_coordinate(dim) + 1);
    int64_t count = coordinates_below(dim, whole) * all_combinations(box, d + 1);
    for (int64_t c = whole; c < end; c++) {
        if (has_coordinate(dim, c)) {
            count += count_below(box, d + 1, room - c * dim->stride);
        }
    }
    return count;
}

int64_t strata_set_count(struct strata_set set)
{
    struct strata_run run;
    if (strata_set_one_run(set, &run)) {
        return run.count;
    }
    int64_t count = 0;
    for (int32_t i = 0; i < set.nboxes; i++) {
        if (largest_value(&set.boxes[i], 0) >= 0) {
            count += count_below(&set.boxes[i], 0, set.boxes[i].limit);
        }
    }
    return count;
}

/* Whether the dimensions from `d` on can make `value`; none of the dimensions is empty. */
static bool makes_value(const struct strata_box *box, int d, int64_t value)
{
    if (d == box->ndims) {
        return value == 0;
    }
    const struct strata_dim *dim = &box->dim[d];
    int64_t last = clamp(value / dim->stride, -1, largest_coordinate(dim));
    for (int64_t c = divide_up(value - largest_value(box, d + 1), dim->stride); c <= last; c++) {
        if (has_coordinate(dim, c) && makes_value(box, d + 1, value - c * dim->stride)) {
            return true;
        }
    }
    return false;
}

bool strata_set_contains(struct strata_set set, int32_t item)
{
    for (int32_t i = 0; i < set.nboxes; i++) {
        const struct strata_box *box = &set.boxes[i];
        int64_t ahead = (int64_t)item - box->origin - set.shift;
        int64_t value = (box->down ? -ahead : ahead) % box->space;
        value += value < 0 ? box->space : 0;
        if (item >= 0 && item < box->space && value < box->limit && largest_value(box, 0) >= 0 &&
            makes_value(box, 0, value)) {
            return true;
        }
    }
    return false;
}
