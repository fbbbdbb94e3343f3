/* allgather_group: along the chain all ranks get all items, and each rank sorts them alone. MPI
 * libraries do the same by their allgather. */
#include <stdalign.h>
#include <string.h>

#include "internode/split/allgather_group.h"

#include "internode/chain/scan.h"
#include "internode/split/methods.h"
#include "internode/split/sorted.h"
#include "internode/split/work.h"

/* The capacity for two messages together: they have all items but one between them, or one item
 * twice. */
static size_t pair_bytes(const struct strata_split_shape *shape, size_t total)
{
    return 2 * STRATA_SCAN_STRIDE(0) + STRATA_SCAN_STRIDE(total + shape->item);
}

/* An index, the items in their order, two messages out, two in. */
size_t strata_allgather_memory(const struct strata_split_shape *shape, int ranks, size_t total)
{
    return STRATA_SCAN_STRIDE((size_t)ranks * sizeof(size_t)) + STRATA_SCAN_STRIDE(total) +
           2 * pair_bytes(shape, total);
}

/* Bytes from..to of all items are here. */
struct gathered {
    unsigned char *all, *out, *in[STRATA_SIDES];
    size_t from, own, own_end, to;
};

/* Sends the items to my left and my own to the right, and the items to my right and my own to the
 * left. */
static void fill_parcels(struct gathered *g, size_t total, struct strata_parcel *parcel)
{
    parcel[STRATA_RIGHT].send = g->out;
    parcel[STRATA_RIGHT].size = g->own_end - g->from;
    memcpy(g->out, g->all + g->from, g->own_end - g->from);
    unsigned char *second = g->out + STRATA_SCAN_STRIDE(g->own_end - g->from);
    parcel[STRATA_LEFT].send = second;
    parcel[STRATA_LEFT].size = g->to - g->own;
    memcpy(second, g->all + g->own, g->to - g->own);
    for (int side = 0; side < STRATA_SIDES; side++) {
        parcel[side].receive = g->in[side];
        parcel[side].capacity = side == STRATA_LEFT ? g->from : total - g->to;
    }
}

static int gather(struct strata_split *split, const struct strata_chain_links *chain,
                  struct gathered *g, size_t total)
{
    struct strata_walk walk;
    int error = 0;
    strata_walk_init(&walk, chain);
    while (!error && strata_walk_more(&walk)) {
        struct strata_parcel parcel[STRATA_SIDES] = {{0}};
        g->in[STRATA_RIGHT] = g->in[STRATA_LEFT] + STRATA_SCAN_STRIDE(g->from);
        fill_parcels(g, total, parcel);
        strata_split_copied(split->station, parcel[STRATA_LEFT].size + parcel[STRATA_RIGHT].size,
                            2);
        error = strata_walk_round(&walk, split->station, parcel);
        if (!error) {
            strata_split_copied(split->station,
                                parcel[STRATA_LEFT].received + parcel[STRATA_RIGHT].received, 2);
            g->from -= parcel[STRATA_LEFT].received;
            memcpy(g->all + g->from, g->in[STRATA_LEFT], parcel[STRATA_LEFT].received);
            memcpy(g->all + g->to, g->in[STRATA_RIGHT], parcel[STRATA_RIGHT].received);
            g->to += parcel[STRATA_RIGHT].received;
        }
    }
    return error;
}

int strata_allgather_split(struct strata_split *split, const struct strata_chain_links *chain,
                           size_t before, size_t total, struct strata_chain_links *group)
{
    unsigned char *memory = split->memory;
    size_t *where = (void *)memory;
    struct gathered g = {.all = memory + STRATA_SCAN_STRIDE((size_t)chain->size * sizeof *where)};
    g.out = g.all + STRATA_SCAN_STRIDE(total);
    g.in[STRATA_LEFT] = g.out + pair_bytes(&split->shape, total);
    g.from = g.own = before;
    g.own_end = g.to = before + strata_item_pack(split, g.all + before);
    int error = gather(split, chain, &g, total);
    if (!error) {
        struct strata_items items = {g.all, total};
        int count = strata_items_index(&items, where);
        strata_items_sort(split, &items, where, count);
        strata_items_find(split, &items, where, count, group);
    }
    return error;
}

static void add(void *context, const void *left, void *right)
{
    int64_t a, b;
    (void)context;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    b += a;
    memcpy(right, &b, sizeof b);
}

int strata_allgather_part(struct strata_split *split, const struct strata_chain_links *chain,
                          struct strata_chain_links *group)
{
    alignas(16) unsigned char memory[STRATA_SCAN_MEMORY(sizeof(int64_t))];
    struct strata_scan scan = {.bytes = sizeof(int64_t), .combine = {add, add}};
    int64_t mine = (int64_t)strata_item_pack(split, split->memory), up_to, from;
    strata_scan_set_up(&scan, memory);
    memcpy(scan.inclusive[STRATA_LEFT], &mine, sizeof mine);
    memcpy(scan.inclusive[STRATA_RIGHT], &mine, sizeof mine);
    int error = strata_scan_run(&scan, split->station, chain);
    if (error) {
        return error;
    }
    memcpy(&up_to, scan.inclusive[STRATA_LEFT], sizeof up_to);
    memcpy(&from, scan.inclusive[STRATA_RIGHT], sizeof from);
    return strata_allgather_split(split, chain, (size_t)(up_to - mine),
                                  (size_t)(up_to + from - mine), group);
}

static const char *refuse(const struct strata_split_shape *shape)
{
    (void)shape;
    return NULL;
}

static size_t workspace(const struct strata_split_shape *shape, int rank)
{
    (void)rank;
    return strata_allgather_memory(shape, shape->ranks, shape->total);
}

static int run(struct strata_split *split, struct strata_chain_links *group)
{
    return strata_allgather_split(split, split->chain, split->before, split->shape.total, group);
}

const struct strata_split_method strata_split_allgather_group = {
    .name = "allgather_group",
    .summary = "Allgather along the chain, then each rank sorts all items",
    .rounds = "L",
    .memory = "O(P)",
    .refuse = refuse,
    .workspace = workspace,
    .run = run,
};
