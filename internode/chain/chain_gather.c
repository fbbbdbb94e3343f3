/* Gather on a chain: a binomial tree towards the root from both of its sides. In the round of
 * distance D the ranks at an odd multiple of D from the root send their blocks to the even multiple
 * before them. */
#include <string.h>

#include "internode/chain/chain_gather.h"

#include "internode/chain/scan.h"
#include "internode/chain/sides.h"

size_t strata_chain_memory(int size, size_t bytes)
{
    return 4 * STRATA_SCAN_STRIDE((size_t)size * bytes);
}

/* Blocks in a list: of all on its side at the root, else until they are given away. */
static int most_blocks(const struct strata_view *view)
{
    const int d = view->distance, left = view->last[view->outward] - d + 1;
    if (d == 0) {
        return strata_view_longest(view);
    }
    return (d & -d) < left ? d & -d : left;
}

size_t strata_chain_gather_memory(const struct strata_chain_links *links, int root, size_t bytes)
{
    const struct strata_view view = strata_view_from(links, root);
    const size_t list = STRATA_SCAN_STRIDE((size_t)most_blocks(&view) * bytes);
    return view.distance == 0 ? 2 * list : list;
}

static bool gives(const struct strata_view *view, int distance)
{
    return view->distance % (2 * distance) == distance;
}

/* The number of blocks that come from that side in this round. */
static int takes(const struct strata_view *view, int side, int distance)
{
    int first = view->distance + distance;
    if (!strata_view_outward(view, side) || view->distance % (2 * distance) != 0 ||
        first > view->last[side]) {
        return 0;
    }
    int there = view->last[side] - first + 1;
    return there < distance ? there : distance;
}

/* Blocks in the order outward from the root, own first; at the root they go to their places. */
struct gathering {
    struct strata_view view;
    const struct strata_chain_blocks *blocks;
    int root;
    unsigned char *list[STRATA_SIDES]; /* other ranks use only that of their side */
    int count[STRATA_SIDES];
};

static void prepare(struct gathering *g, int distance, struct strata_parcel *parcel)
{
    const size_t bytes = g->blocks->bytes;
    for (int side = 0; side < STRATA_SIDES; side++) {
        int more = takes(&g->view, side, distance);
        if (more > 0) {
            size_t before = g->view.distance == 0 ? 0 : (size_t)g->count[side];
            parcel[side].receive = g->list[side] + before * bytes;
            parcel[side].capacity = (size_t)more * bytes;
            g->count[side] += more;
        }
    }
    if (gives(&g->view, distance)) {
        enum strata_chain_side inward = strata_other_side(g->view.outward);
        parcel[inward].send = g->list[g->view.outward];
        parcel[inward].size = (size_t)g->count[g->view.outward] * bytes;
    }
}

static void deliver(const struct gathering *g, int side, int distance,
                    const struct strata_parcel *parcel)
{
    const size_t bytes = g->blocks->bytes;
    const int step = side == STRATA_LEFT ? -1 : 1;
    const int count = parcel->receive ? takes(&g->view, side, distance) : 0;
    for (int i = 0; i < count; i++) {
        int rank = g->root + step * (distance + i);
        memcpy((unsigned char *)g->blocks->all + (size_t)rank * bytes,
               (unsigned char *)parcel->receive + (size_t)i * bytes, bytes);
    }
}

int strata_chain_gather_run(struct strata_station *station, const struct strata_chain_links *links,
                            int root, const struct strata_chain_blocks *blocks, void *memory)
{
    struct gathering g = {strata_view_from(links, root), blocks, root, {memory, memory}, {1, 1}};
    struct strata_walk walk;
    int error = 0;
    memcpy(memory, blocks->one, blocks->bytes);
    if (g.view.distance == 0) {
        g.list[STRATA_RIGHT] += STRATA_SCAN_STRIDE((size_t)most_blocks(&g.view) * blocks->bytes);
        memcpy((unsigned char *)blocks->all + (size_t)root * blocks->bytes, blocks->one,
               blocks->bytes);
    }
    strata_walk_init(&walk, links);
    while (!error && strata_walk_more(&walk)) {
        struct strata_parcel parcel[STRATA_SIDES] = {{0}};
        int distance = walk.distance;
        prepare(&g, distance, parcel);
        error = strata_walk_round(&walk, station, parcel);
        for (int side = 0; !error && g.view.distance == 0 && side < STRATA_SIDES; side++) {
            deliver(&g, side, distance, &parcel[side]);
        }
    }
    return error;
}

/* The tree of the gather, with one operand instead of many blocks. */
static void reduce_round(const struct strata_view *view, int distance, unsigned char *value,
                         unsigned char *came[STRATA_SIDES], struct strata_parcel *parcel)
{
    for (int side = 0; side < STRATA_SIDES; side++) {
        if (takes(view, side, distance) > 0) {
            parcel[side].receive = came[side];
        }
    }
    if (gives(view, distance)) {
        parcel[strata_other_side(view->outward)].send = value;
    }
}

static void combine_round(const struct strata_reduction *r, unsigned char **value,
                          unsigned char *came[STRATA_SIDES], const struct strata_parcel *parcel)
{
    if (parcel[STRATA_LEFT].receive) {
        r->combine(r->context, came[STRATA_LEFT], *value);
    }
    if (parcel[STRATA_RIGHT].receive) {
        unsigned char *old = *value;
        r->combine(r->context, old, came[STRATA_RIGHT]);
        *value = came[STRATA_RIGHT];
        came[STRATA_RIGHT] = old;
    }
}

int strata_chain_reduce_run(struct strata_station *station, const struct strata_chain_links *links,
                            int root, const struct strata_reduction *reduction, void *value,
                            void *memory)
{
    const struct strata_view view = strata_view_from(links, root);
    const size_t stride = STRATA_SCAN_STRIDE(reduction->bytes);
    unsigned char *mine = memory;
    unsigned char *came[STRATA_SIDES] = {mine + stride, mine + 2 * stride};
    struct strata_walk walk;
    int error = 0;
    memcpy(mine, value, reduction->bytes);
    strata_walk_init(&walk, links);
    while (!error && strata_walk_more(&walk)) {
        struct strata_parcel parcel[STRATA_SIDES] = {{.size = reduction->bytes},
                                                     {.size = reduction->bytes}};
        parcel[STRATA_LEFT].capacity = parcel[STRATA_RIGHT].capacity = reduction->bytes;
        reduce_round(&view, walk.distance, mine, came, parcel);
        error = strata_walk_round(&walk, station, parcel);
        if (!error) {
            combine_round(reduction, &mine, came, parcel);
        }
    }
    if (!error && view.distance == 0) {
        memcpy(value, mine, reduction->bytes);
    }
    return error;
}
