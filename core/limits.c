#include "core/limits.h"

#include <stdint.h>

#include "core/engine.h"

/* Messages are counted in an int by MPI. */
#define MOST_MESSAGE_BYTES ((size_t)INT32_MAX)

size_t strata_largest_fitting(size_t most, strata_fits *fits, const void *argument)
{
    size_t fit = 0, step = 1;
    while (fit < most && fits(argument, step < most - fit ? fit + step : most)) {
        fit = step < most - fit ? fit + step : most;
        step *= 2; /* never looks far beyond what fits, so sizes do not overflow */
    }
    for (; step > 0; step /= 2) {
        if (step <= most - fit && fits(argument, fit + step)) {
            fit += step;
        }
    }
    return fit;
}

struct question {
    const struct strata_exchange *exchange;
    const struct strata_capacity *capacity;
    int ranks, nodes, largest, smallest;
    int stage_messages;
    int64_t stage_items;
};

/* Messages of a node's leaders under way between two waits. */
static size_t pack_bytes(const struct question *q, int width, size_t chunk)
{
    return strata_lane_bytes_at(0, q->largest, width, q->stage_items, q->stage_messages, chunk,
                                q->capacity->check);
}

static size_t landing_bytes(const struct question *q, int width, size_t chunk)
{
    const struct strata_exchange *e = q->exchange;
    return (size_t)e->lanes * strata_lane_bytes_at(q->nodes, q->largest, width, e->lane_items,
                                                   e->lane_messages, chunk, q->capacity->check);
}

static bool staged_fits(const void *argument, size_t chunk)
{
    const struct question *q = argument;
    int lanes = q->exchange->lanes;
    int width = lanes > 0 ? (q->largest + lanes - 1) / lanes : 0;
    int leaders = lanes < q->smallest ? lanes : q->smallest;
    size_t pack = pack_bytes(q, width, chunk);
    return strata_slot_bytes_at(q->ranks, q->nodes, lanes, chunk) <= q->capacity->slot &&
           landing_bytes(q, width, chunk) <= q->capacity->landing && pack <= MOST_MESSAGE_BYTES &&
           (size_t)leaders * pack <= q->capacity->scratch;
}

/* Every rank receives in private memory: the node's share is divided among its ranks. */
static bool flat_fits(const void *argument, size_t chunk)
{
    const struct question *q = argument;
    struct question one = *q;
    one.nodes = q->ranks;
    one.largest = one.smallest = 1;
    size_t pack = pack_bytes(&one, 1, chunk);
    return pack <= MOST_MESSAGE_BYTES &&
           (landing_bytes(&one, 1, chunk) + pack) * (size_t)q->largest <= q->capacity->scratch;
}

int strata_limits_find(const struct strata_topology *topology,
                       const struct strata_exchange *exchange, int stage_messages,
                       int64_t stage_items, const struct strata_capacity *capacity,
                       struct strata_limits *limits)
{
    const struct question q = {exchange,        capacity,          topology->ranks,
                               topology->nodes, topology->largest, topology->smallest,
                               stage_messages,  stage_items};
    size_t threshold = capacity->threshold;
    size_t most = threshold > 0 ? threshold : 1;
    size_t least = most < STRATA_LEAST_CHUNK ? most : STRATA_LEAST_CHUNK;
    size_t passes = capacity->passes > 1 ? (size_t)capacity->passes : 1;
    size_t chunk = strata_largest_fitting(most, exchange->staged ? staged_fits : flat_fits, &q);
    if (chunk < least) {
        return STRATA_ERR_CAPACITY;
    }
    if (chunk < most) {
        chunk -= chunk % STRATA_LEAST_CHUNK;
    }
    if (passes > (most - 1) / chunk + 1) {
        passes = (most - 1) / chunk + 1;
    }
    limits->chunk = chunk;
    limits->passes = (int)passes;
    limits->threshold = threshold < passes * chunk ? threshold : passes * chunk;
    return STRATA_OK;
}
