/* Scatter begins with near ranks, whose addresses are known first. Before the round of distance D a
 * rank at distance d < D from the root holds the blocks of d, d+D, d+2D, ...; it sends every second
 * one of them on. Allgather grows a run of blocks to both sides. */
#include <string.h>

#include "internode/chain/chain_scatter.h"

#include "internode/chain/scan.h"
#include "internode/chain/sides.h"

struct scattering {
    struct strata_view view;
    size_t bytes;
    unsigned char *list[STRATA_SIDES], *out[STRATA_SIDES];
    int count[STRATA_SIDES]; /* blocks in the lists */
};

/* Blocks in a list: of all on its side at the root, else as many as come. */
static int most_blocks(const struct strata_view *view)
{
    int distance = 1; /* the round in which they come */
    if (view->distance == 0) {
        return strata_view_longest(view);
    }
    while (distance <= view->distance / 2) {
        distance *= 2;
    }
    return (view->last[view->outward] - view->distance) / (2 * distance) + 1;
}

static size_t list_bytes(const struct strata_view *view, size_t bytes)
{
    return STRATA_SCAN_STRIDE((size_t)most_blocks(view) * bytes);
}

/* A list of blocks, and those taken out of it to be sent; at the root for each side. */
size_t strata_chain_scatter_memory(const struct strata_chain_links *links, int root, size_t bytes)
{
    const struct strata_view view = strata_view_from(links, root);
    return (view.distance == 0 ? 4 : 2) * list_bytes(&view, bytes);
}

/* Takes every second block out of the list; returns how many. */
static int take_odd(struct scattering *s, int side)
{
    int taken = 0;
    for (int i = 0; i < s->count[side]; i++) {
        unsigned char *block = s->list[side] + (size_t)i * s->bytes;
        if (i % 2 != 0) {
            memcpy(s->out[side] + (size_t)taken++ * s->bytes, block, s->bytes);
        } else if (i > 0) {
            memcpy(s->list[side] + (size_t)(i / 2) * s->bytes, block, s->bytes);
        }
    }
    s->count[side] -= taken;
    return taken;
}

static void prepare(struct scattering *s, int distance, struct strata_parcel *parcel)
{
    const struct strata_view *view = &s->view;
    bool informed = view->distance < distance;
    for (int side = 0; side < STRATA_SIDES; side++) {
        if (informed && strata_view_outward(view, side) &&
            view->distance + distance <= view->last[side]) {
            parcel[side].send = s->out[side];
            parcel[side].size = (size_t)take_odd(s, side) * s->bytes;
        } else if (!informed && view->distance < 2 * distance && !strata_view_outward(view, side)) {
            int outward = view->outward;
            s->count[outward] = most_blocks(view);
            parcel[side].receive = s->list[outward];
            parcel[side].capacity = (size_t)s->count[outward] * s->bytes;
        }
    }
}

/* The root's lists: its own block first, then outward. */
static void fill_lists(struct scattering *s, int root, const unsigned char *all)
{
    for (int side = 0; side < STRATA_SIDES; side++) {
        s->count[side] = s->view.last[side] + 1;
        for (int d = 0; d <= s->view.last[side]; d++) {
            size_t rank = (size_t)(side == STRATA_LEFT ? root - d : root + d);
            memcpy(s->list[side] + (size_t)d * s->bytes, all + rank * s->bytes, s->bytes);
        }
    }
}

int strata_chain_scatter_run(struct strata_station *station, const struct strata_chain_links *links,
                             int root, const struct strata_chain_blocks *blocks, void *memory)
{
    const struct strata_view view = strata_view_from(links, root);
    const size_t stride = list_bytes(&view, blocks->bytes),
                 other = view.distance == 0 ? 2 * stride : 0;
    unsigned char *place = memory;
    struct scattering s = {.view = view,
                           .bytes = blocks->bytes,
                           .list = {place, place + other},
                           .out = {place + stride, place + other + stride}};
    struct strata_walk walk;
    int error = 0;
    if (s.view.distance == 0) {
        fill_lists(&s, root, blocks->all);
    }
    strata_walk_init(&walk, links);
    while (!error && strata_walk_more(&walk)) {
        struct strata_parcel parcel[STRATA_SIDES] = {{0}};
        prepare(&s, walk.distance, parcel);
        error = strata_walk_round(&walk, station, parcel);
    }
    if (!error) {
        memcpy(blocks->one, s.list[s.view.outward], blocks->bytes);
    }
    return error;
}

/* Blocks of ranks first .. last; none where last < first. */
struct run {
    int first, last;
};

static size_t copy_run(unsigned char *to, const unsigned char *from, struct run run, size_t bytes)
{
    size_t size = run.last < run.first ? 0 : (size_t)(run.last - run.first + 1) * bytes;
    memcpy(to, from, size);
    return size;
}

int strata_chain_allgather_run(struct strata_station *station,
                               const struct strata_chain_links *links,
                               const struct strata_chain_blocks *blocks, void *memory)
{
    const size_t stride = STRATA_SCAN_STRIDE((size_t)links->size * blocks->bytes);
    const int rank = links->rank, end = links->size - 1;
    unsigned char *all = blocks->all, *temporary = memory;
    struct strata_walk walk;
    int error = 0;
    memcpy(all + (size_t)rank * blocks->bytes, blocks->one, blocks->bytes);
    strata_walk_init(&walk, links);
    while (!error && strata_walk_more(&walk)) {
        const int far = walk.distance - 1;
        /* The blocks that I have of the ranks to my left and to my right, and those that I get. */
        const struct run have[] = {{rank > far ? rank - far : 0, rank},
                                   {rank, end - rank > far ? rank + far : end}};
        const struct run get[] = {
            {rank - walk.distance > far ? rank - walk.distance - far : 0, rank - walk.distance},
            {rank + walk.distance,
             end - walk.distance - rank > far ? rank + walk.distance + far : end}};
        struct strata_parcel parcel[STRATA_SIDES] = {{0}};
        for (int side = 0; side < STRATA_SIDES; side++) {
            int other = strata_other_side((enum strata_chain_side)side);
            struct run run = have[other];
            parcel[side].send = temporary + (size_t)side * stride;
            parcel[side].size = copy_run(parcel[side].send, all + (size_t)run.first * blocks->bytes,
                                         run, blocks->bytes);
            parcel[side].receive = temporary + (size_t)(2 + side) * stride;
            parcel[side].capacity = (size_t)links->size * blocks->bytes;
        }
        error = strata_walk_round(&walk, station, parcel);
        for (int side = 0; !error && side < STRATA_SIDES; side++) {
            if (get[side].first <= get[side].last) {
                copy_run(all + (size_t)get[side].first * blocks->bytes, parcel[side].receive,
                         get[side], blocks->bytes);
            }
        }
    }
    return error;
}
