#include "internode/torus/bucket_lines.h"

#include "core/base/memory.h"

/* The axes of the torus that are longer than 1, the longest first. */
static void sort_axes(const struct strata_torus *torus, struct strata_buckets *bucket)
{
    int stride = 1;
    for (int axis = torus->ndims - 1; axis >= 0; axis--) {
        int size = torus->size[axis], place = bucket->count;
        if (size > 1) {
            for (; place > 0 && bucket->size[place - 1] <= size; place--) {
                bucket->size[place] = bucket->size[place - 1];
                bucket->stride[place] = bucket->stride[place - 1];
            }
            bucket->size[place] = size;
            bucket->stride[place] = stride;
            bucket->count++;
        }
        stride *= size;
    }
}

struct strata_buckets strata_bucket_of(const struct strata_torus *torus,
                                       enum strata_bucket_rule rule)
{
    struct strata_buckets bucket = {.rule = rule, .ranks = 1};
    sort_axes(torus, &bucket);
    for (int axis = 0; axis < bucket.count; axis++) {
        bucket.ranks *= bucket.size[axis];
        bucket.steps += bucket.size[axis] - 1;
    }
    return bucket;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/* The ends of the line, from its other offsets; false where there is no such line. */
static bool find_ends(const struct strata_buckets *bucket, int t, struct strata_bucket_line *line)
{
    int last = bucket->count - 1;
    line->rest = t;
    for (int axis = 0; axis < last - 1; axis++) {
        line->rest -= line->offset[axis];
    }
    line->begin = most(0, line->rest - (bucket->size[last] - 1));
    line->end = least(line->rest, bucket->size[last - 1] - 1) + 1;
    return line->begin < line->end;
}

bool strata_bucket_next(const struct strata_buckets *bucket, int t, struct strata_bucket_line *line)
{
    bool first = line->end == 0;
    while (bucket->count > 1) {
        int axis = bucket->count - 3;
        if (!first) {
            for (; axis >= 0 && ++line->offset[axis] == bucket->size[axis]; axis--) {
                line->offset[axis] = 0;
            }
            if (axis < 0) {
                return false;
            }
        }
        first = false;
        if (find_ends(bucket, t, line)) {
            return true;
        }
    }
    return false;
}

/* Keeps the offsets of a line with x in begin .. end-1. */
static struct strata_bucket_line keep(const struct strata_bucket_line *line, int begin, int end)
{
    struct strata_bucket_line part = *line;
    part.begin = most(line->begin, begin);
    part.end = least(line->end, end);
    return part;
}

/* The last axis takes the blocks with an offset on it, the last but one those with none there, and
 * so on. */
static struct strata_bucket_line in_order(const struct strata_buckets *bucket,
                                          const struct strata_bucket_line *line, int axis)
{
    int last = bucket->count - 1, taker = last - 2;
    if (axis == last) {
        return keep(line, 0, line->rest);
    }
    if (axis == last - 1) {
        return keep(line, most(line->rest, 1), line->rest + 1);
    }
    while (taker > 0 && line->offset[taker] == 0) {
        taker--;
    }
    return keep(line, 0, line->rest == 0 && taker == axis);
}

/* The line in equal parts: one for the last axis, then one for each of the other axes with an
 * offset, and one for the last but one. So each part has offsets on its own axis. Which parts
 * are longer by one changes from line to line. */
static struct strata_bucket_line in_parts(const struct strata_buckets *bucket,
                                          const struct strata_bucket_line *line, int axis)
{
    int last = bucket->count - 1, parts = 0, mine = -1, turn = line->rest;
    for (int i = last; i >= 0; i--) {
        int taker = i == last ? last : i == 0 ? last - 1 : i - 1;
        bool takes =
            taker < last - 1 ? line->offset[taker] > 0 : line->rest > 0 && bucket->size[taker] > 1;
        turn += taker < last - 1 ? line->offset[taker] * (taker + 2) : 0;
        mine = takes && taker == axis ? parts : mine;
        parts += takes;
    }
    int length = line->end - line->begin;
    if (mine < 0) {
        return keep(line, 0, 0);
    }
    turn %= parts;
    return keep(line, line->begin + (mine * length + turn) / parts,
                mine == parts - 1 ? line->end : line->begin + ((mine + 1) * length + turn) / parts);
}

struct strata_bucket_line strata_bucket_along(const struct strata_buckets *bucket,
                                              const struct strata_bucket_line *line, int axis)
{
    return bucket->rule == STRATA_BUCKET_PAPER ? in_order(bucket, line, axis)
                                               : in_parts(bucket, line, axis);
}

struct strata_bucket_line strata_bucket_from(const struct strata_buckets *bucket,
                                             const struct strata_bucket_line *line, int axis)
{
    struct strata_bucket_line on = *line;
    int last = bucket->count - 1, sum = on.rest + 1;
    for (int i = 0; i < last - 1; i++) {
        on.offset[i] += i == axis;
        sum += line->offset[i];
    }
    if (axis < last - 1 && on.offset[axis] == bucket->size[axis]) {
        return keep(line, 0, 0);
    }
    if (!find_ends(bucket, sum, &on)) {
        return keep(line, 0, 0);
    }
    on = strata_bucket_along(bucket, &on, axis);
    return keep(line, on.begin - (axis == last - 1), on.end - (axis == last - 1));
}

/* Blocks of the message that step t takes along an axis. */
static int blocks_of(const struct strata_buckets *bucket, int t, int axis)
{
    struct strata_bucket_line line = {.end = 0};
    int blocks = 0;
    while (strata_bucket_next(bucket, t, &line)) {
        struct strata_bucket_line part = strata_bucket_along(bucket, &line, axis);
        blocks += most(part.end - part.begin, 0);
    }
    return blocks;
}

struct strata_bucket_sent strata_bucket_sent(const struct strata_buckets *bucket)
{
    struct strata_bucket_sent sent = {.messages = bucket->count < 2 ? bucket->steps : 0};
    for (int t = 1; t <= bucket->steps; t++) {
        for (int axis = 0; axis < bucket->count && bucket->count > 1; axis++) {
            int blocks = blocks_of(bucket, t, axis);
            sent.messages += blocks > 0;
            sent.together += blocks > 1 ? blocks : 0;
        }
    }
    return sent;
}

static int coordinate(const struct strata_buckets *bucket, int rank, int axis)
{
    return rank / bucket->stride[axis] % bucket->size[axis];
}

int strata_bucket_neighbour(const struct strata_buckets *bucket, int rank, int axis, int by)
{
    int here = coordinate(bucket, rank, axis), size = bucket->size[axis];
    return rank + ((here + by % size + size) % size - here) * bucket->stride[axis];
}

static void append(struct strata_boxes *boxes, struct strata_box box, struct strata_builder *b)
{
    if (boxes->count == boxes->capacity) {
        int capacity = 2 * boxes->capacity + 16;
        struct strata_box *larger =
            strata_reallocate(boxes->box, (size_t)capacity, sizeof *boxes->box);
        if (!larger) {
            strata_build_no_memory(b);
            return;
        }
        boxes->box = larger;
        boxes->capacity = capacity;
    }
    boxes->box[boxes->count++] = box;
}

/* Along a line the coordinate on the last axis but one falls and that on the last rises; where
 * one of them wraps, a new box begins. */
void strata_bucket_boxes(const struct strata_buckets *bucket, int center,
                         const struct strata_bucket_line *line, struct strata_box like,
                         struct strata_boxes *boxes, struct strata_builder *b)
{
    int last = bucket->count - 1;
    int step = bucket->stride[last] - bucket->stride[last - 1];
    for (int axis = 0; axis < last - 1; axis++) {
        center = strata_bucket_neighbour(bucket, center, axis, -line->offset[axis]);
    }
    for (int x = line->begin, count; x < line->end; x += count) {
        int from = strata_bucket_neighbour(bucket, center, last - 1, -x);
        from = strata_bucket_neighbour(bucket, from, last, x - line->rest);
        count = least(line->end - x, least(coordinate(bucket, from, last - 1) + 1,
                                           bucket->size[last] - coordinate(bucket, from, last)));
        struct strata_box box = like;
        box.origin += from;
        box.limit = box.space;
        box.ndims = 1;
        box.down = count > 1 && step < 0;
        box.dim[0] = (struct strata_dim){0, count, count == 1 ? 1 : step < 0 ? -step : step, 0};
        append(boxes, box, b);
    }
}

void strata_boxes_fini(struct strata_boxes *boxes)
{
    strata_release(boxes->box);
    *boxes = (struct strata_boxes){0};
}
