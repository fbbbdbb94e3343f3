#include "hier/capacity.h"

#include <stdint.h>

#include "core/engine/node_memory.h"
#include "core/plan/plan_sizes.h"
#include "hier/tuning.h"
#include "internode/alltoall/sloav_rounds.h"

struct division {
    const struct strata_topology *topology;
    size_t budget;
    bool check;
    size_t small;   /* a slot of the small ring */
    unsigned depth; /* places of the small ring */
    bool exposes;   /* slots say where exposed blocks lie */
};

/* Plans with `lanes` lanes (0: flat) and log rounds of this radix. */
static struct strata_need need_of(const struct division *d, int lanes, int radix, size_t slice)
{
    const struct strata_topology *t = d->topology;
    struct strata_exchange_shape shape = {.topology = t, .check = d->check};
    struct strata_stage stage;
    int led = lanes > 0 ? (lanes + t->smallest - 1) / t->smallest : 1;
    shape.exchange.staged = lanes > 0;
    shape.exchange.exposes = lanes > 0 && d->exposes;
    shape.exchange.lanes = lanes > 0 ? lanes : 1;
    struct strata_sloav sloav = {.nodes = lanes > 0 ? t->nodes : t->ranks, .radix = radix};
    strata_sloav_volume(&sloav, &shape.exchange, &stage);
    shape.stage_messages = stage.messages * led;
    shape.stage_items = stage.items * led;
    return strata_need_of(&shape, slice);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Enough for both. */
static struct strata_need either(struct strata_need a, struct strata_need b)
{
    return (struct strata_need){larger(a.slot, b.slot), larger(a.landing, b.landing),
                                larger(a.scratch, b.scratch), larger(a.message, b.message)};
}

static size_t node_bytes(const struct division *d, size_t slot, size_t landing)
{
    const struct strata_node_memory_sizes sizes = {
        .slot = {slot, d->small}, .landing = landing, .depth = d->depth};
    return strata_node_memory_bytes(d->topology->largest, &sizes);
}

static bool affordable(const struct division *d, struct strata_need need)
{
    return strata_need_possible(&need) &&
           node_bytes(d, need.slot, need.landing) + need.scratch <= d->budget;
}

/* The least that a node-aware plan gets by with: one lane, radix 2. Alone, a node has a lane for
 * each member. */
static struct strata_need least_need(const struct division *d, size_t slice)
{
    return need_of(d, d->topology->nodes == 1 ? d->topology->largest : 1, 2, slice);
}

static bool least_fits(const void *argument, size_t slice)
{
    const struct division *d = argument;
    return affordable(d, least_need(d, slice));
}

/* Besides, a lane for each member gets by with smaller slices. */
static bool all_lanes_fit(const void *argument, size_t slice)
{
    const struct division *d = argument;
    size_t small = slice < STRATA_LEAST_SLICE ? slice : STRATA_LEAST_SLICE;
    return affordable(d, either(least_need(d, slice), need_of(d, d->topology->largest, 2, small)));
}

/* The largest slice that leaves some for all lanes, or for one where nothing else fits. */
static size_t find_slice(const struct division *d, size_t most, size_t least)
{
    size_t slice = strata_largest_fitting(most, all_lanes_fit, d);
    return slice < least ? strata_largest_fitting(most, least_fits, d) : slice;
}

/* Takes the needs of a plan in where the budget allows it. */
static void grow(const struct division *d, struct strata_need *have, struct strata_need wanted)
{
    struct strata_need grown = either(*have, wanted);
    if (affordable(d, grown)) {
        *have = grown;
    }
}

/* Takes in other lanes and radices, and then flat plans, with the same slice. */
static void grow_for_others(const struct division *d, size_t slice, struct strata_need *have)
{
    const struct strata_topology *t = d->topology;
    const int radices[] = {2, 3, 4, 8, 16, t->nodes > 16 ? t->nodes : 16};
    const int nradices = sizeof radices / sizeof *radices;
    for (int lanes = 1; lanes < 2 * t->largest; lanes *= 2) {
        for (int i = 0; i < nradices; i++) {
            int most = lanes < t->largest ? lanes : t->largest;
            grow(d, have, need_of(d, most, radices[i], slice));
        }
    }
    for (int i = 0; i < nradices; i++) {
        grow(d, have, need_of(d, 0, radices[i], slice));
    }
}

/* A vector moves in segments of a slot, and each segment costs signals: slots are as long as their
 * part of the budget allows. */
static void grow_for_vectors(const struct division *d, struct strata_need *have)
{
    for (size_t slot = STRATA_LONGEST_SEGMENT + STRATA_SHARED_HEAD; slot > have->slot; slot /= 2) {
        if (node_bytes(d, slot, have->landing) <= d->budget / STRATA_BUDGET_VECTORS) {
            grow(d, have, (struct strata_need){.slot = slot});
            return;
        }
    }
}

/* With several nodes a pass costs rounds between them, too. So the landing is to hold the other
 * nodes' blocks, and a slot all blocks, up to a good length, as far as their parts of the budget
 * allow. Where not even blocks of the shortest good length fit, blocks go in slices. */
static void grow_for_blocks(const struct division *d, struct strata_need *have)
{
    const struct strata_topology *t = d->topology;
    for (size_t block = STRATA_LONGEST_BLOCK; t->nodes > 1 && block >= STRATA_SHORTEST_BLOCK;
         block /= 2) {
        size_t landing = block * (size_t)(t->ranks - t->smallest);
        size_t slot = block * (size_t)t->ranks + STRATA_SHARED_HEAD + STRATA_LINE;
        if (landing > have->landing &&
            node_bytes(d, 0, landing) <= d->budget / STRATA_BUDGET_LANDING) {
            grow(d, have, (struct strata_need){.landing = landing});
        }
        if (slot > have->slot &&
            node_bytes(d, slot, have->landing) <= d->budget / STRATA_BUDGET_SLOTS) {
            grow(d, have, (struct strata_need){.slot = slot});
        }
    }
}

/* A small ring as deep as its part of the budget allows, or none. */
static void find_small(struct division *d)
{
    d->small = STRATA_SMALL_SLOT;
    d->depth = strata_ring_depth(STRATA_SMALL_RING);
    while (node_bytes(d, 0, 0) > d->budget / STRATA_BUDGET_SMALL_RING &&
           d->depth > STRATA_LEAST_DEPTH) {
        d->depth /= 2;
    }
    d->small = node_bytes(d, 0, 0) <= d->budget / STRATA_BUDGET_SMALL_RING ? d->small : 0;
}

int strata_capacity_divide(const struct strata_topology *topology, size_t budget, size_t threshold,
                           int passes, bool check, struct strata_capacity *capacity)
{
    struct division d = {.topology = topology, .budget = budget, .check = check};
    find_small(&d);
    size_t exposed =
        node_bytes(&d, strata_exposed_table_bytes(topology->largest), 0) - node_bytes(&d, 0, 0);
    d.exposes = topology->largest > 1 && exposed <= budget / STRATA_BUDGET_EXPOSED;
    size_t most = threshold > 0 ? threshold : 1;
    size_t least = most < STRATA_LEAST_SLICE ? most : STRATA_LEAST_SLICE;
    size_t slice = find_slice(&d, most, least);
    if (slice < least) {
        return STRATA_ERR_CAPACITY;
    }
    size_t small = slice < STRATA_LEAST_SLICE ? slice : STRATA_LEAST_SLICE;
    struct strata_need have = least_need(&d, slice);
    grow(&d, &have, need_of(&d, topology->largest, 2, small));
    grow_for_others(&d, slice, &have);
    grow_for_vectors(&d, &have);
    grow_for_blocks(&d, &have);
    *capacity = (struct strata_capacity){.slot = have.slot,
                                         .small = d.small,
                                         .depth = d.depth,
                                         .landing = have.landing,
                                         .scratch = have.scratch,
                                         .threshold = threshold,
                                         .passes = passes,
                                         .single_copy = true,
                                         .check = check};
    return STRATA_OK;
}

void strata_capacity_add_middle(const struct strata_topology *topology, size_t budget,
                                struct strata_capacity *capacity)
{
    struct strata_node_memory_sizes sizes = {.slot = {capacity->slot, capacity->small},
                                             .landing = capacity->landing,
                                             .depth = capacity->depth};
    size_t without = strata_node_memory_bytes(topology->largest, &sizes);
    sizes.slot[STRATA_MIDDLE_RING] = STRATA_MIDDLE_SLOT;
    size_t with = strata_node_memory_bytes(topology->largest, &sizes);
    bool fits =
        with - without <= budget / STRATA_BUDGET_MIDDLE_RING && with + capacity->scratch <= budget;
    capacity->middle = fits ? STRATA_MIDDLE_SLOT : 0;
}
