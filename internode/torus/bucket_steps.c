#include "internode/torus/bucket_steps.h"

#include "internode/algorithms.h"
#include "internode/parts/gather.h"

/* The plan under construction, and where blocks lie: in a reduction partial results come to one
 * area of the work store for each axis, and are combined in their home, the lowest of the areas
 * that a block came to. */
struct making {
    const struct strata_buckets *bucket;
    struct strata_builder *b;
    int rank;
    struct strata_boxes boxes;
};

enum { INPUT = -1, OUTPUT = -2 };

/* Adds blocks of a line in the area of an axis, or in the input or output. */
static void add(struct making *m, int center, const struct strata_bucket_line *line, int axis)
{
    int ranks = m->bucket->ranks;
    struct strata_box like =
        strata_box_in(axis == OUTPUT ? STRATA_OUTPUT : STRATA_INPUT, strata_box_item(ranks, 0));
    if (axis >= 0) {
        like = strata_box_in(STRATA_WORK, strata_box_item(m->bucket->count * ranks, axis * ranks));
    }
    strata_bucket_boxes(m->bucket, center, line, like, &m->boxes, m->b);
}

/* The set of the boxes that were added. */
static int take(struct making *m)
{
    int set = strata_build_set_of(m->b, m->boxes.box, m->boxes.count);
    m->boxes.count = 0;
    return set;
}

/* Adds the blocks that come along an axis to rank `center` in step t. */
static void add_along(struct making *m, int center, int t, int axis, int area)
{
    struct strata_bucket_line line = {.end = 0};
    while (strata_bucket_next(m->bucket, t, &line)) {
        struct strata_bucket_line part = strata_bucket_along(m->bucket, &line, axis);
        add(m, center, &part, area);
    }
}

/* The blocks that step t brings along an axis from the neighbour before, or takes to the one
 * after. */
static void gather_message(struct making *m, int t, int axis, bool sends)
{
    int after = strata_bucket_neighbour(m->bucket, m->rank, axis, 1);
    int before = strata_bucket_neighbour(m->bucket, m->rank, axis, -1);
    add_along(m, sends ? after : m->rank, t, axis, OUTPUT);
    if (m->boxes.count > 0 && sends) {
        strata_build_send_blocks(m->b, after, take(m), STRATA_AS_FITS);
    } else if (m->boxes.count > 0) {
        strata_build_recv_blocks(m->b, before, take(m), STRATA_AS_FITS);
    }
}

void strata_bucket_gather(const struct strata_buckets *bucket, int rank, struct strata_builder *b)
{
    if (bucket->count < 2) {
        strata_gather_ring(b, bucket->ranks, rank);
        return;
    }
    struct making m = {.bucket = bucket, .b = b, .rank = rank};
    for (int t = 1; t <= bucket->steps; t++) {
        strata_build_phase(b, "blocks from %d rank%s away", t, t == 1 ? "" : "s");
        for (int axis = 0; axis < bucket->count; axis++) {
            gather_message(&m, t, axis, false);
        }
        for (int axis = 0; axis < bucket->count; axis++) {
            gather_message(&m, t, axis, true);
        }
        strata_build_wait(b, 0);
    }
    strata_boxes_fini(&m.boxes);
}

/* The end of the offsets in [begin, end) of a line that have the same home as `begin`. */
static int same_home(const struct strata_buckets *bucket, const struct strata_bucket_line *line,
                     int begin, int *home)
{
    int end = line->end;
    *home = -1;
    for (int axis = 0; axis < bucket->count && *home < 0; axis++) {
        struct strata_bucket_line from = strata_bucket_from(bucket, line, axis);
        if (from.begin <= begin && begin < from.end) {
            *home = axis;
            end = from.end < end ? from.end : end;
        } else if (begin < from.begin && from.begin < from.end && from.begin < end) {
            end = from.begin;
        }
    }
    return end;
}

/* Goes through a part of a line, interval by interval of one home each. */
static bool next_interval(const struct strata_buckets *bucket,
                          const struct strata_bucket_line *line,
                          struct strata_bucket_line *interval, int *home)
{
    int begin = interval->end;
    if (begin >= line->end) {
        return false;
    }
    struct strata_bucket_line whole = *line;
    *interval = *line;
    interval->begin = begin;
    interval->end = same_home(bucket, &whole, begin, home);
    return true;
}

/* My partial results that go along an axis, backwards, in step t. */
static int leaving(struct making *m, int t, int axis)
{
    struct strata_bucket_line line = {.end = 0};
    while (strata_bucket_next(m->bucket, t, &line)) {
        struct strata_bucket_line part = strata_bucket_along(m->bucket, &line, axis);
        struct strata_bucket_line interval = {.end = part.begin};
        int home;
        while (next_interval(m->bucket, &part, &interval, &home)) {
            add(m, m->rank, &interval, home);
        }
    }
    return take(m);
}

/* The blocks of offsets with sum t that came along `axis` and have their home in `home`: their
 * places in `area`. */
static void add_at_home(struct making *m, int t, int axis, int home, int area)
{
    struct strata_bucket_line line = {.end = 0};
    while (strata_bucket_next(m->bucket, t, &line)) {
        struct strata_bucket_line part = strata_bucket_from(m->bucket, &line, axis);
        struct strata_bucket_line interval = {.end = part.begin};
        int found;
        while (next_interval(m->bucket, &part, &interval, &found)) {
            if (found == home) {
                add(m, m->rank, &interval, area);
            }
        }
    }
}

/* Combines them with my operands, or with the blocks that came along another axis. */
static void combine(struct making *m, int t, int axis, int home)
{
    int from_area = axis == home ? -1 : axis;
    add_at_home(m, t, axis, home, from_area);
    if (m->boxes.count > 0) {
        int from = take(m);
        add_at_home(m, t, axis, home, home);
        strata_build_reduce(m->b, from, take(m));
    }
}

static void reduce_step(struct making *m, int t)
{
    const struct strata_buckets *bucket = m->bucket;
    for (int axis = 0; axis < bucket->count; axis++) {
        int after = strata_bucket_neighbour(bucket, m->rank, axis, 1);
        add_along(m, after, t, axis, axis);
        if (m->boxes.count > 0) {
            strata_build_recv_blocks(m->b, after, take(m), STRATA_AS_FITS);
        }
    }
    for (int axis = 0; axis < bucket->count; axis++) {
        int before = strata_bucket_neighbour(bucket, m->rank, axis, -1);
        add_along(m, m->rank, t, axis, -1);
        bool any = m->boxes.count > 0;
        m->boxes.count = 0;
        if (any) {
            strata_build_send_blocks(m->b, before, leaving(m, t, axis), STRATA_AS_FITS);
        }
    }
    strata_build_wait(m->b, 0);
    for (int home = 0; home < bucket->count; home++) {
        for (int axis = home; axis < bucket->count; axis++) {
            combine(m, t - 1, axis, home);
        }
    }
}

/* The result of my block in the output. */
static void reduce_scatter(struct making *m)
{
    struct strata_box own = strata_box_item(m->bucket->ranks, m->rank);
    struct strata_bucket_line mine = {.end = 0};
    int home = -1;
    for (int t = m->bucket->steps; t > 0; t--) {
        strata_build_phase(m->b, "partial results for ranks %d away", t);
        reduce_step(m, t);
    }
    strata_bucket_next(m->bucket, 0, &mine);
    same_home(m->bucket, &mine, 0, &home);
    add(m, m->rank, &mine, home);
    strata_build_copy(m->b, take(m), strata_build_set(m->b, strata_box_in(STRATA_OUTPUT, own)));
}

void strata_bucket_reduce(const struct strata_buckets *bucket, const struct strata_problem *problem,
                          struct strata_builder *b)
{
    struct making m = {.bucket = bucket, .b = b, .rank = problem->rank};
    if (bucket->count < 2) {
        strata_ring.build(problem, b);
        return;
    }
    strata_build_blocks(
        b, (struct strata_blocks){.count = bucket->ranks, .work = bucket->count * bucket->ranks});
    reduce_scatter(&m);
    strata_boxes_fini(&m.boxes);
    if (problem->collective == STRATA_ALLREDUCE) {
        strata_bucket_gather(bucket, problem->rank, b);
    }
}

bool strata_bucket_round(const struct strata_buckets *bucket, int number,
                         struct strata_flat_round *round)
{
    round->peers = STRATA_ALONG;
    round->step = 1;
    round->messages = bucket->count;
    round->blocks = bucket->steps > 0 ? (bucket->ranks - 1.0) / bucket->steps : 0;
    for (int axis = 0; axis < bucket->count; axis++) {
        round->size[axis] = bucket->size[axis];
        round->stride[axis] = bucket->stride[axis];
    }
    round->times = bucket->steps;
    return number == 0 && bucket->steps > 0;
}
