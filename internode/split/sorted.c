#include "internode/split/sorted.h"

#include <stdalign.h>
#include <string.h>

#include "internode/chain/scan.h"

size_t strata_sorted_memory(const struct strata_split_shape *shape)
{
    return 3 * STRATA_SCAN_STRIDE(shape->item);
}

unsigned char *strata_sorted_init(struct strata_sorted *sorted,
                                  const struct strata_split_shape *shape, unsigned char *memory)
{
    const size_t stride = STRATA_SCAN_STRIDE(shape->item);
    sorted->mine = memory;
    sorted->other[STRATA_LEFT] = memory + stride;
    sorted->other[STRATA_RIGHT] = memory + 2 * stride;
    return memory + 3 * stride;
}

/* Items to and from both neighbours. */
static int show_neighbours(struct strata_split *split, const struct strata_chain_links *chain,
                           const struct strata_sorted *sorted)
{
    const int neighbour[] = {chain->left, chain->right};
    struct strata_round round = {.channel = STRATA_CHANNEL_CHAIN};
    for (int side = 0; side < STRATA_SIDES; side++) {
        round.send[side] = (struct strata_outgoing){neighbour[side], sorted->mine,
                                                    strata_item_size((const void *)sorted->mine)};
        round.receive[side] =
            (struct strata_incoming){neighbour[side], sorted->other[side], split->shape.item, 0};
    }
    return strata_station_exchange(split->station, &round);
}

/* The number of items on this side up to the group's end, and whether that end was met. */
struct run {
    int32_t count, ended;
};

static void join(struct run *near, const struct run *far)
{
    near->count += near->ended ? 0 : far->count;
    near->ended = near->ended || far->ended;
}

static void from_left(void *context, const void *left, void *right)
{
    struct run near, far;
    (void)context;
    memcpy(&far, left, sizeof far);
    memcpy(&near, right, sizeof near);
    join(&near, &far);
    memcpy(right, &near, sizeof near);
}

static void from_right(void *context, const void *left, void *right)
{
    struct run near, far;
    (void)context;
    memcpy(&near, left, sizeof near);
    memcpy(&far, right, sizeof far);
    join(&near, &far);
    memcpy(right, &near, sizeof near);
}

/* count: of the items from here to the group's end on each side, this one included. */
static int count_group(struct strata_split *split, const struct strata_chain_links *chain,
                       const bool ends[STRATA_SIDES], int count[STRATA_SIDES])
{
    alignas(16) unsigned char memory[STRATA_SCAN_MEMORY(sizeof(struct run))];
    struct strata_scan scan = {.bytes = sizeof(struct run), .combine = {from_left, from_right}};
    strata_scan_set_up(&scan, memory);
    for (int side = 0; side < STRATA_SIDES; side++) {
        struct run own = {1, ends[side]};
        memcpy(scan.inclusive[side], &own, sizeof own);
    }
    int error = strata_scan_run(&scan, split->station, chain);
    for (int side = 0; !error && side < STRATA_SIDES; side++) {
        struct run all;
        memcpy(&all, scan.inclusive[side], sizeof all);
        count[side] = all.count;
    }
    return error;
}

/* Sends the place to the item's owner. Mine comes from a rank that I do not know. */
static int send_home(struct strata_split *split, int owner, const int32_t place[4],
                     struct strata_chain_links *group)
{
    int32_t mine[4];
    struct strata_round round = {.channel = STRATA_CHANNEL_HOME};
    const bool here = owner == split->chain->address;
    round.send[0] = (struct strata_outgoing){here ? STRATA_NOBODY : owner, place, sizeof mine};
    round.send[1].peer = round.receive[1].peer = STRATA_NOBODY;
    round.receive[0] =
        (struct strata_incoming){here ? STRATA_NOBODY : STRATA_ANYBODY, mine, sizeof mine, 0};
    int error = strata_station_exchange(split->station, &round);
    if (here) {
        memcpy(mine, place, sizeof mine);
    }
    if (!error) {
        *group =
            (struct strata_chain_links){mine[0], mine[1], split->chain->address, mine[2], mine[3]};
    }
    return error;
}

int strata_sorted_place(struct strata_split *split, const struct strata_chain_links *chain,
                        const struct strata_sorted *sorted, struct strata_chain_links *group)
{
    const int neighbour[] = {chain->left, chain->right};
    const struct strata_item *item = (const void *)sorted->mine;
    int count[STRATA_SIDES] = {1, 1};
    int32_t place[4];
    bool ends[STRATA_SIDES];
    int error = show_neighbours(split, chain, sorted);
    for (int side = 0; !error && side < STRATA_SIDES; side++) {
        const struct strata_item *next = (const void *)sorted->other[side];
        ends[side] = neighbour[side] == STRATA_NOBODY || !strata_item_same_group(split, item, next);
        place[2 + side] = ends[side] ? STRATA_NOBODY : next->address;
    }
    if (!error) {
        error = count_group(split, chain, ends, count);
    }
    if (error) {
        return error;
    }
    place[0] = count[STRATA_LEFT] + count[STRATA_RIGHT] - 1;
    place[1] = count[STRATA_LEFT] - 1;
    return send_home(split, item->address, place, group);
}

void strata_items_find(const struct strata_split *split, const struct strata_items *items,
                       const size_t *where, int count, struct strata_chain_links *group)
{
    int mine = 0;
    const struct strata_item *own, *other;
    while ((own = (const void *)(items->bytes + where[mine]))->rank != split->chain->rank) {
        mine++;
    }
    int first = mine, last = mine;
    *group = (struct strata_chain_links){0, 0, own->address, STRATA_NOBODY, STRATA_NOBODY};
    while (first > 0 && (other = (const void *)(items->bytes + where[first - 1]),
                         strata_item_same_group(split, own, other))) {
        group->left = first-- == mine ? other->address : group->left;
    }
    while (last + 1 < count && (other = (const void *)(items->bytes + where[last + 1]),
                                strata_item_same_group(split, own, other))) {
        group->right = last++ == mine ? other->address : group->right;
    }
    group->size = last - first + 1;
    group->rank = mine - first;
}
