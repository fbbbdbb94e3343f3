/* cheng: of each M neighbouring ranks one gathers their items. These ceil(P / M) leaders sort with
 * exact splitters (cheng_split.c), one exchange and a local sort; then items go back down. The
 * algorithm is that of D. R. Cheng, A. Edelman, J. R. Gilbert, V. Shah, "A Novel Parallel Sorting
 * Algorithm for Contemporary Architectures", 2006, as P. Sack and W. Gropp use it for splitting,
 * EuroMPI 2010. */
#include "internode/split/cheng.h"

#include <string.h>

#include "internode/chain/chain_gather.h"
#include "internode/chain/chain_scatter.h"
#include "internode/chain/scan.h"
#include "internode/split/methods.h"
#include "internode/split/work.h"

enum { USUAL_ITEMS = 1024 };

static int width_of(const struct strata_split_shape *shape)
{
    return shape->items > 0 ? shape->items : USUAL_ITEMS;
}

static size_t up(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

static size_t stride_of(const struct strata_split_shape *shape)
{
    return up(sizeof(int64_t) + shape->item);
}

static int leaders_of(const struct strata_split_shape *shape, int width)
{
    return (shape->ranks - 1) / width + 1;
}

/* Arrays of one integer for each leader: address, low, high, cut, own. */
enum { ARRAYS = 5 };

size_t strata_cheng_memory(const struct strata_split_shape *shape, int width, int rank)
{
    size_t leaders = (size_t)leaders_of(shape, width), items = (size_t)width;
    if (rank % width != 0 || leaders == 1) {
        return 0;
    }
    return ARRAYS * up(leaders * sizeof(int)) + up(items * sizeof(size_t)) +
           (leaders + 2) * stride_of(shape) + strata_chain_memory((int)leaders, sizeof(int));
}

static void divide(struct strata_cheng *c, unsigned char *memory)
{
    const size_t array = up((size_t)c->leaders * sizeof(int));
    int **arrays[] = {&c->address, &c->low, &c->high, &c->cut, &c->own};
    for (int i = 0; i < ARRAYS; i++) {
        *arrays[i] = (void *)memory;
        memory += array;
    }
    c->where = (void *)memory;
    c->guesses = memory + up((size_t)c->sort->width * sizeof *c->where);
    c->stride = stride_of(&c->sort->split->shape);
    c->scratch = c->guesses + (size_t)c->leaders * c->stride;
}

/* Leaders form a chain as their trees do. */
static int meet(struct strata_cheng *c)
{
    const int address = c->sort->split->chain->address;
    const struct strata_chain_links chain = {c->leaders, c->me, address, c->sort->far[STRATA_LEFT],
                                             c->sort->far[STRATA_RIGHT]};
    int mine = address;
    const struct strata_chain_blocks blocks = {&mine, c->address, sizeof mine};
    return strata_chain_allgather_run(c->sort->split->station, &chain, &blocks,
                                      c->scratch + 2 * c->stride);
}

int strata_cheng_shift(const struct strata_cheng *c, int distance, const struct strata_items *out,
                       struct strata_items *in, size_t capacity)
{
    struct strata_round round = {.channel = STRATA_CHANNEL_CHAIN};
    int to = c->address[(c->me + distance) % c->leaders];
    int from = c->address[(c->me - distance + c->leaders) % c->leaders];
    round.send[0] = (struct strata_outgoing){to, out->bytes, out->size};
    round.receive[0] = (struct strata_incoming){from, in->bytes, capacity, 0};
    round.send[1].peer = round.receive[1].peer = STRATA_NOBODY;
    int error = strata_station_exchange(c->sort->split->station, &round);
    in->size = round.receive[0].size;
    return error;
}

/* My items for leader k lie between its splitter and the next one. */
static struct strata_items share_of(const struct strata_cheng *c, int leader)
{
    const struct strata_items *mine = &c->sort->mine;
    int first = leader == 0 ? 0 : c->low[leader];
    int last = leader + 1 == c->leaders ? c->items : c->low[leader + 1];
    size_t from = first < c->items ? c->where[first] : mine->size;
    size_t to = last < c->items ? c->where[last] : mine->size;
    return (struct strata_items){mine->bytes + from, to - from};
}

/* All shares are collected in `other`, sorted by an index, and written to `spare`, which becomes
 * mine. */
static int trade(struct strata_cheng *c)
{
    struct strata_tree_sort *sort = c->sort;
    struct strata_items own = share_of(c, c->me);
    int error = 0;
    memcpy(sort->other.bytes, own.bytes, own.size);
    sort->other.size = own.size;
    for (int distance = 1; !error && distance < c->leaders; distance++) {
        struct strata_items out = share_of(c, (c->me + distance) % c->leaders);
        struct strata_items in = {sort->other.bytes + sort->other.size, 0};
        error = strata_cheng_shift(c, distance, &out, &in, sort->capacity - sort->other.size);
        sort->other.size += in.size;
    }
    if (error) {
        return error;
    }
    int count = strata_items_index(&sort->other, c->where);
    strata_items_sort(sort->split, &sort->other, c->where, count);
    sort->mine.size = 0;
    for (int i = 0; i < count; i++) {
        const void *item = sort->other.bytes + c->where[i];
        size_t size = strata_item_size(item);
        memcpy(sort->mine.bytes + sort->mine.size, item, size);
        sort->mine.size += size;
        strata_split_copied(sort->split->station, size, 1);
    }
    return 0;
}

int strata_cheng_sort(struct strata_tree_sort *sort, unsigned char *memory)
{
    struct strata_cheng c = {.sort = sort};
    c.leaders = leaders_of(&sort->split->shape, sort->width);
    c.me = sort->split->chain->rank / sort->width;
    divide(&c, memory);
    int error = meet(&c);
    if (error) {
        return error;
    }
    c.items = strata_items_index(&sort->mine, c.where);
    for (int k = 0; k < c.leaders; k++) {
        c.low[k] = c.cut[k] = c.own[k] = 0;
        c.high[k] = k == 0 ? 0 : c.items;
    }
    error = strata_cheng_split(&c);
    return error ? error : trade(&c);
}

static const char *refuse(const struct strata_split_shape *shape)
{
    (void)shape;
    return NULL;
}

static size_t workspace(const struct strata_split_shape *shape, int rank)
{
    const int width = width_of(shape);
    return strata_tree_sort_memory(shape, width, rank) + strata_sorted_memory(shape) +
           strata_cheng_memory(shape, width, rank);
}

static int run(struct strata_split *split, struct strata_chain_links *group)
{
    const int width = width_of(&split->shape);
    unsigned char *place = split->memory;
    struct strata_tree_sort sort;
    strata_tree_sort_init(&sort, split, width, place);
    place += strata_tree_sort_memory(&split->shape, width, split->chain->rank);
    int error = strata_tree_sort_up(&sort);
    if (!error && sort.local == 0 && split->chain->size > width) {
        error = strata_cheng_sort(&sort, place + strata_sorted_memory(&split->shape));
    }
    return error ? error : strata_tree_sort_finish(&sort, place, group);
}

const struct strata_split_method strata_split_cheng = {
    .name = "cheng",
    .summary = "Some ranks gather M items each and sort them with exact splitters (cheng:items=M)",
    .rounds = "2 log M + O((P / M) log P) + L + 2",
    .memory = "O(M + P / M)",
    .refuse = refuse,
    .workspace = workspace,
    .run = run,
};
