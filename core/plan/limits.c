#include "core/plan/limits.h"

#include <stdint.h>

#include "core/plan/plan_sizes.h"

size_t strata_largest_fitting(size_t most, strata_fits *fits, const void *argument)
{
    size_t fit = 0, step = 1;
    while (fit < most && fits(argument, step < most - fit ? fit + step : most)) {
        fit = step < most - fit ? fit + step : most;
        step *= 2; /* never tries far beyond the largest that fits, so sizes do not overflow */
    }
    for (; step > 0; step /= 2) {
        if (step <= most - fit && fits(argument, fit + step)) {
            fit += step;
        }
    }
    return fit;
}

static struct strata_need need_of_staged(const struct strata_exchange_shape *s, size_t slice)
{
    const struct strata_topology *t = s->topology;
    const struct strata_exchange *e = &s->exchange;
    int width = e->lanes > 0 ? (t->largest + e->lanes - 1) / e->lanes : t->largest;
    int leaders = e->lanes < t->smallest ? e->lanes : t->smallest;
    size_t lane = strata_lane_bytes_at(t->nodes, t->largest * width, e->lane_items,
                                       e->lane_messages, slice, s->check);
    size_t pack = strata_lane_bytes_at(0, t->largest * width, s->stage_items, s->stage_messages,
                                       slice, s->check);
    size_t exposed = e->exposes ? strata_exposed_table_bytes(t->largest) : 0;
    return (struct strata_need){
        .slot = strata_slot_bytes_at(t->ranks, t->nodes, e->lanes, slice) + exposed,
        .landing = (size_t)e->lanes * lane,
        .scratch =
            (size_t)leaders * pack + (size_t)t->largest * strata_bookkeeping_bytes(e, t->ranks),
        .message = pack};
}

/* Every rank receives in private memory. */
static struct strata_need need_of_flat(const struct strata_exchange_shape *s, size_t slice)
{
    const struct strata_exchange *e = &s->exchange;
    size_t lane = strata_lane_bytes_at(s->topology->ranks, 1, e->lane_items, e->lane_messages,
                                       slice, s->check);
    size_t pack = strata_lane_bytes_at(0, 1, s->stage_items, s->stage_messages, slice, s->check);
    size_t rank = (size_t)e->lanes * lane + pack + strata_bookkeeping_bytes(e, s->topology->ranks);
    return (struct strata_need){.scratch = (size_t)s->topology->largest * rank, .message = pack};
}

struct strata_need strata_need_of(const struct strata_exchange_shape *shape, size_t slice)
{
    return shape->exchange.staged ? need_of_staged(shape, slice) : need_of_flat(shape, slice);
}

/* Length words count the bytes of messages and slots. */
bool strata_need_possible(const struct strata_need *need)
{
    return need->message < STRATA_MOST_ITEM && need->slot < STRATA_MOST_ITEM;
}

struct question {
    struct strata_exchange_shape shape;
    const struct strata_capacity *capacity;
};

static bool capacity_holds(const void *argument, size_t slice)
{
    const struct question *q = argument;
    struct strata_need need = strata_need_of(&q->shape, slice);
    return strata_need_possible(&need) && need.slot <= q->capacity->slot &&
           need.landing <= q->capacity->landing && need.scratch <= q->capacity->scratch;
}

void strata_limits_pass(const struct strata_capacity *capacity, struct strata_limits *limits)
{
    size_t most = capacity->threshold > 0 ? capacity->threshold : 1;
    size_t passes = capacity->passes > 1 ? (size_t)capacity->passes : 1;
    if (capacity->longest > 0 && capacity->longest < most) {
        most = capacity->longest;
    }
    if (passes > (most - 1) / limits->slice + 1) {
        passes = (most - 1) / limits->slice + 1;
    }
    limits->passes = (int)passes;
    limits->threshold =
        passes * limits->slice < capacity->threshold ? passes * limits->slice : capacity->threshold;
}

int strata_limits_find(const struct strata_topology *topology,
                       const struct strata_exchange *exchange, int stage_messages,
                       int64_t stage_items, const struct strata_capacity *capacity,
                       struct strata_limits *limits)
{
    const struct question q = {{topology, *exchange, stage_messages, stage_items, capacity->check},
                               capacity};
    size_t most = capacity->threshold > 0 ? capacity->threshold : 1;
    size_t least = most < STRATA_LEAST_SLICE ? most : STRATA_LEAST_SLICE;
    size_t slice = strata_largest_fitting(most, capacity_holds, &q);
    if (slice < least) {
        return STRATA_ERR_CAPACITY;
    }
    if (slice < most) {
        slice -= slice % STRATA_LEAST_SLICE;
    }
    limits->slice = slice;
    strata_limits_pass(capacity, limits);
    return STRATA_OK;
}
