#include "hier/limits.h"

#include <stdint.h>

#include "core/engine.h"
#include "internode/sloav.h"

struct division {
    const struct strata_topology *topology;
    size_t budget;
    bool check;
};

/* What a plan on `lanes` lanes with this radix needs: a node's landing store, and the messages that
 * its leaders have under way, all together. */
struct need {
    size_t landing, scratch, message;
};

static struct need need_of_lanes(const struct division *d, int lanes, int radix, size_t chunk)
{
    const struct strata_topology *t = d->topology;
    struct strata_exchange exchange = {.lanes = lanes, .staged = true};
    struct strata_stage stage;
    int width = (t->largest + lanes - 1) / lanes;
    int leaders = lanes < t->smallest ? lanes : t->smallest;
    int led = (lanes + t->smallest - 1) / t->smallest;
    strata_sloav_volume(t->nodes, radix, &exchange, &stage);
    size_t lane = strata_lane_bytes_at(t->nodes, t->largest, width, exchange.lane_items,
                                       exchange.lane_messages, chunk, d->check);
    size_t pack = strata_lane_bytes_at(0, t->largest, width, stage.items * led,
                                       (int64_t)stage.messages * led, chunk, d->check);
    return (struct need){(size_t)lanes * lane, (size_t)leaders * pack, pack};
}

/* The same for a flat plan: each rank receives in private memory. */
static struct need need_of_flat(const struct division *d, int radix, size_t chunk)
{
    const struct strata_topology *t = d->topology;
    struct strata_exchange exchange = {.lanes = 1};
    struct strata_stage stage;
    strata_sloav_volume(t->ranks, radix, &exchange, &stage);
    size_t lane = strata_lane_bytes_at(t->ranks, 1, 1, exchange.lane_items, exchange.lane_messages,
                                       chunk, d->check);
    size_t pack = strata_lane_bytes_at(0, 1, 1, stage.items, stage.messages, chunk, d->check);
    return (struct need){0, (size_t)t->largest * (lane + pack), pack};
}

/* Slots have room for the table of as many lanes as there can be. */
static size_t slot_bytes(const struct division *d, size_t chunk)
{
    const struct strata_topology *t = d->topology;
    return strata_slot_bytes_at(t->ranks, t->nodes, t->largest, chunk);
}

static size_t used_bytes(const struct division *d, size_t slot, struct need need)
{
    return strata_segment_bytes(d->topology->largest, slot, need.landing) + need.scratch;
}

/* The least that a node-aware plan gets by with: one lane, radix 2. */
static bool least_fits(const void *argument, size_t chunk)
{
    const struct division *d = argument;
    struct need need = need_of_lanes(d, 1, 2, chunk);
    return need.message <= INT32_MAX && used_bytes(d, slot_bytes(d, chunk), need) <= d->budget;
}

/* Takes more in where the budget has room for it. */
static void grow(const struct division *d, size_t slot, struct need *have, struct need wanted)
{
    struct need grown = *have;
    grown.landing = wanted.landing > grown.landing ? wanted.landing : grown.landing;
    grown.scratch = wanted.scratch > grown.scratch ? wanted.scratch : grown.scratch;
    if (wanted.message <= INT32_MAX && used_bytes(d, slot, grown) <= d->budget) {
        *have = grown;
    }
}

/* What other lanes and radices, and flat plans, need for the same chunk. */
static void grow_for_others(const struct division *d, size_t slot, size_t chunk, struct need *have)
{
    const struct strata_topology *t = d->topology;
    const int radices[] = {2, 3, 4, 8, 16, t->nodes > 16 ? t->nodes : 16};
    const int nradices = sizeof radices / sizeof *radices;
    for (int lanes = 1; lanes < 2 * t->largest; lanes *= 2) {
        for (int i = 0; i < nradices; i++) {
            int most = lanes < t->largest ? lanes : t->largest;
            grow(d, slot, have, need_of_lanes(d, most, radices[i], chunk));
        }
    }
    for (int i = 0; i < nradices; i++) {
        grow(d, slot, have, need_of_flat(d, radices[i], chunk));
    }
}

int strata_capacity_divide(const struct strata_topology *topology, size_t budget, size_t threshold,
                           int passes, bool check, struct strata_capacity *capacity)
{
    const struct division d = {topology, budget, check};
    size_t most = threshold > 0 ? threshold : 1;
    size_t least = most < STRATA_LEAST_CHUNK ? most : STRATA_LEAST_CHUNK;
    size_t chunk = strata_largest_fitting(most, least_fits, &d);
    if (chunk < least) {
        return STRATA_ERR_CAPACITY;
    }
    size_t slot = slot_bytes(&d, chunk);
    struct need have = need_of_lanes(&d, 1, 2, chunk);
    grow_for_others(&d, slot, chunk, &have);
    *capacity = (struct strata_capacity){.slot = slot,
                                         .landing = have.landing,
                                         .scratch = have.scratch,
                                         .threshold = threshold,
                                         .passes = passes,
                                         .check = check};
    return STRATA_OK;
}
