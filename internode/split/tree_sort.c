#include "internode/split/tree_sort.h"

#include <string.h>

#include "internode/chain/scan.h"

/* Up: a rank of the binomial tree has as many ranks below it, itself included, as its lowest bit
 * says. Down, near ranks come first, so it gets every 2^k-th item, where 2^k is above its place. */
int strata_tree_sort_items(const struct strata_split_shape *shape, int width, int rank)
{
    int local = rank % width, here = shape->ranks - (rank - local), above = 1;
    here = here < width ? here : width;
    int up = local == 0 ? here : local & -local;
    while (above <= local) {
        above *= 2;
    }
    int down = (here - 1 - local) / above + 1;
    up = up < here - local ? up : here - local;
    return up > down ? up : down;
}

size_t strata_tree_sort_list(const struct strata_split_shape *shape, int items)
{
    size_t most = (size_t)items * shape->item;
    return STRATA_SCAN_STRIDE(most < shape->total ? most : shape->total);
}

size_t strata_tree_sort_memory(const struct strata_split_shape *shape, int width, int rank)
{
    return 3 * strata_tree_sort_list(shape, strata_tree_sort_items(shape, width, rank));
}

void strata_tree_sort_init(struct strata_tree_sort *sort, struct strata_split *split, int width,
                           unsigned char *memory)
{
    const int rank = split->chain->rank, ranks = split->chain->size;
    const size_t stride = strata_tree_sort_memory(&split->shape, width, rank) / 3;
    *sort = (struct strata_tree_sort){.split = split, .width = width, .local = rank % width};
    sort->here = ranks - (rank - sort->local);
    sort->here = sort->here < width ? sort->here : width;
    sort->mine.bytes = memory;
    sort->other.bytes = memory + stride;
    sort->spare.bytes = memory + 2 * stride;
    sort->capacity = stride - STRATA_ADDRESS_BYTES;
    sort->mine.size = strata_item_pack(split, memory);
}

static void swap(struct strata_items *a, struct strata_items *b)
{
    struct strata_items other = *a;
    *a = *b;
    *b = other;
}

int strata_tree_sort_up(struct strata_tree_sort *sort)
{
    struct strata_walk walk;
    int error = 0;
    strata_walk_init(&walk, sort->split->chain);
    while (!error && walk.distance < sort->width && strata_walk_more(&walk)) {
        struct strata_parcel parcel[STRATA_SIDES] = {{0}};
        const int place = sort->local % (2 * walk.distance), distance = walk.distance;
        bool takes = place == 0 && sort->local + distance < sort->here;
        if (place == distance) {
            parcel[STRATA_LEFT].send = sort->mine.bytes;
            parcel[STRATA_LEFT].size = sort->mine.size;
        } else if (takes) {
            parcel[STRATA_RIGHT].receive = sort->other.bytes;
            parcel[STRATA_RIGHT].capacity = sort->capacity;
        }
        error = strata_walk_round(&walk, sort->split->station, parcel);
        if (!error && takes) {
            sort->other.size = parcel[STRATA_RIGHT].received;
            strata_items_merge(sort->split, &sort->mine, &sort->other, &sort->spare);
            swap(&sort->mine, &sort->spare);
        }
    }
    sort->far[STRATA_LEFT] = walk.partner[STRATA_LEFT];
    sort->far[STRATA_RIGHT] = walk.partner[STRATA_RIGHT];
    return error;
}

/* Every second item of mine goes to other, the rest closes up. */
static void deal(struct strata_tree_sort *sort)
{
    size_t kept = 0;
    sort->other.size = 0;
    int i = 0;
    for (size_t offset = 0; offset < sort->mine.size; i++) {
        unsigned char *item = sort->mine.bytes + offset;
        size_t size = strata_item_size((const void *)item);
        if (i % 2 != 0) {
            memcpy(sort->other.bytes + sort->other.size, item, size);
            sort->other.size += size;
        } else {
            memmove(sort->mine.bytes + kept, item, size);
            kept += size;
        }
        offset += size;
    }
    sort->mine.size = kept;
}

int strata_tree_sort_down(struct strata_tree_sort *sort)
{
    struct strata_walk walk;
    int error = 0;
    strata_walk_init(&walk, sort->split->chain);
    while (!error && walk.distance < sort->width && strata_walk_more(&walk)) {
        struct strata_parcel parcel[STRATA_SIDES] = {{0}};
        const int distance = walk.distance;
        bool has = sort->local < distance, gets = !has && sort->local < 2 * distance;
        if (has && sort->local + distance < sort->here) {
            deal(sort);
            parcel[STRATA_RIGHT].send = sort->other.bytes;
            parcel[STRATA_RIGHT].size = sort->other.size;
        } else if (gets) {
            parcel[STRATA_LEFT].receive = sort->mine.bytes;
            parcel[STRATA_LEFT].capacity = sort->capacity;
        }
        error = strata_walk_round(&walk, sort->split->station, parcel);
        if (gets) {
            sort->mine.size = parcel[STRATA_LEFT].received;
        }
    }
    return error;
}

int strata_tree_sort_finish(struct strata_tree_sort *sort, unsigned char *memory,
                            struct strata_chain_links *group)
{
    struct strata_sorted sorted;
    int error = strata_tree_sort_down(sort);
    strata_sorted_init(&sorted, &sort->split->shape, memory);
    if (!error) {
        memcpy(sorted.mine, sort->mine.bytes, sort->mine.size);
        error = strata_sorted_place(sort->split, sort->split->chain, &sorted, group);
    }
    return error;
}
