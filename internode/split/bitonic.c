/* bitonic: Batcher's bitonic sort, for any number of ranks: the merging of halves compares ranks
 * whose distance is the largest power of two below the length. First ranks learn the addresses at
 * each power of two; then they sort; then each item's owner learns its place. From K. E. Batcher,
 * "Sorting Networks and Their Applications", AFIPS 1968. */
#include <string.h>

#include "internode/split/bitonic.h"

#include "internode/chain/scan.h"
#include "internode/split/methods.h"
#include "internode/split/sorted.h"

/* Addresses at distance 2^i on both sides. */
struct reach {
    int32_t *at[STRATA_SIDES];
};

static int depth(int ranks)
{
    int levels = 0;
    while (levels < 31 && (int64_t)1 << levels < ranks) {
        levels++;
    }
    return levels;
}

size_t strata_bitonic_memory(const struct strata_split_shape *shape)
{
    return strata_sorted_memory(shape) +
           (size_t)STRATA_SIDES * (size_t)depth(shape->ranks) * sizeof(int32_t);
}

static int learn(struct strata_station *station, const struct strata_chain_links *chain,
                 const struct reach *reach)
{
    struct strata_walk walk;
    int error = 0;
    strata_walk_init(&walk, chain);
    for (int i = 0; !error && strata_walk_more(&walk); i++) {
        struct strata_parcel parcel[STRATA_SIDES] = {{0}};
        reach->at[STRATA_LEFT][i] = walk.partner[STRATA_LEFT];
        reach->at[STRATA_RIGHT][i] = walk.partner[STRATA_RIGHT];
        error = strata_walk_round(&walk, station, parcel);
    }
    return error;
}

struct sorting {
    struct strata_split *split;
    const struct strata_chain_links *chain;
    struct strata_sorted *sorted;
    struct reach reach;
};

/* Both look at both items; one keeps the lower, the other the higher. */
static int meet(struct sorting *s, enum strata_chain_side side, int level, bool keep_lower)
{
    const int peer = s->reach.at[side][level];
    unsigned char **mine = &s->sorted->mine, **other = &s->sorted->other[STRATA_LEFT];
    struct strata_round round = {.channel = STRATA_CHANNEL_CHAIN};
    round.send[0] = (struct strata_outgoing){peer, *mine, strata_item_size((const void *)*mine)};
    round.receive[0] = (struct strata_incoming){peer, *other, s->split->shape.item, 0};
    round.send[1].peer = round.receive[1].peer = STRATA_NOBODY;
    int error = strata_station_exchange(s->split->station, &round);
    if (!error && (strata_item_compare(s->split, *mine, *other) < 0) != keep_lower) {
        unsigned char *keep = *other;
        *other = *mine;
        *mine = keep;
    }
    return error;
}

/* Ranks low .. low+count-1 hold a bitonic sequence. */
static int merge(struct sorting *s, int low, int count, bool ascending)
{
    const int rank = s->chain->rank;
    int error = 0;
    while (!error && count > 1) {
        int level = depth(count) - 1, half = 1 << level;
        if (rank < low + count - half) {
            error = meet(s, STRATA_RIGHT, level, ascending);
        } else if (rank >= low + half) {
            error = meet(s, STRATA_LEFT, level, !ascending);
        }
        bool upper = rank >= low + half;
        low += upper ? half : 0;
        count = upper ? count - half : half;
    }
    return error;
}

/* The halves are sorted in opposite directions: together they are bitonic. */
static int sort(struct sorting *s, int low, int count, bool ascending)
{
    int half = count / 2, error = 0;
    if (count <= 1) {
        return 0;
    }
    if (s->chain->rank < low + half) {
        error = sort(s, low, half, !ascending);
    } else {
        error = sort(s, low + half, count - half, ascending);
    }
    return error ? error : merge(s, low, count, ascending);
}

int strata_bitonic_split(struct strata_split *split, const struct strata_chain_links *chain,
                         struct strata_chain_links *group)
{
    struct strata_sorted sorted;
    struct sorting s = {.split = split, .chain = chain, .sorted = &sorted};
    unsigned char *addresses = strata_sorted_init(&sorted, &split->shape, split->memory);
    s.reach.at[STRATA_LEFT] = (void *)addresses;
    s.reach.at[STRATA_RIGHT] = s.reach.at[STRATA_LEFT] + depth(chain->size);
    strata_item_pack(split, sorted.mine);
    int error = learn(split->station, chain, &s.reach);
    if (!error) {
        error = sort(&s, 0, chain->size, true);
    }
    return error ? error : strata_sorted_place(split, chain, &sorted, group);
}

static const char *refuse(const struct strata_split_shape *shape)
{
    (void)shape;
    return NULL;
}

static size_t workspace(const struct strata_split_shape *shape, int rank)
{
    (void)rank;
    return strata_bitonic_memory(shape);
}

static int run(struct strata_split *split, struct strata_chain_links *group)
{
    return strata_bitonic_split(split, split->chain, group);
}

const struct strata_split_method strata_split_bitonic = {
    .name = "bitonic",
    .summary = "Batcher's bitonic sort, one item at each rank",
    .rounds = "L (L + 1) / 2 + 2 L + 2",
    .memory = "O(log P)",
    .refuse = refuse,
    .workspace = workspace,
    .run = run,
};
