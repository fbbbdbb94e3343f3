/* hash, hash64: chains are cut into bins by a hash of the colour, another hash in each round, until
 * each chain has one colour; bins travel, not colours. Section 3.3 of the paper
 * (internode/split/split.h). Many groups take log P cuts at least, few groups some cuts.
 *
 * After a cut that leaves the chain as it was, ranks check whether colours of neighbours differ
 * anywhere. A hash can fail: after some cuts that do not halve a chain of several colours the chain
 * is sorted. */
#include "internode/split/allgather_group.h"
#include "internode/split/bins.h"
#include "internode/split/bitonic.h"
#include "internode/split/methods.h"
#include "internode/split/sorted.h"

enum { BINS = 8, BITS = 3, FIELDS = 10, WIDTH = 2, PATIENCE = 6, SHORT = 64 };

static int bin_of(const struct strata_split *split, unsigned round)
{
    return (int)(strata_item_hash(split, round) >> BITS * (round % FIELDS) & (BINS - 1));
}

/* Whether colours differ anywhere in this chain: its ranks all learn the same. */
static int look(struct strata_split *split, const struct strata_chain_links *chain, int *differ)
{
    struct strata_sorted items;
    struct strata_round round = {.channel = STRATA_CHANNEL_CHAIN};
    strata_sorted_init(&items, &split->shape, split->memory);
    size_t size = strata_item_pack(split, items.mine);
    round.send[0] = (struct strata_outgoing){chain->right, items.mine, size};
    round.send[1].peer = round.receive[1].peer = STRATA_NOBODY;
    round.receive[0] =
        (struct strata_incoming){chain->left, items.other[STRATA_LEFT], split->shape.item, 0};
    int error = strata_station_exchange(split->station, &round);
    if (error) {
        return error;
    }
    bool other = chain->left != STRATA_NOBODY &&
                 !strata_item_same_group(split, items.mine, items.other[STRATA_LEFT]);
    /* The status agreed on is no error here, so it is kept apart from one. */
    int agreed = strata_chain_agree(split->station, chain, other ? -1 : -2);
    *differ = agreed == -1;
    return agreed < 0 ? STRATA_OK : agreed;
}

/* Cuts until the chain has one colour, is no longer than `least`, or patience is at an end. */
static int cut(struct strata_split *split, struct strata_chain_links *chain, int least, int *differ)
{
    int error = STRATA_OK, poor = 0;
    *differ = 1;
    for (unsigned round = 0; !error && *differ && chain->size > least && poor < PATIENCE; round++) {
        struct strata_bins bins = {.bins = BINS, .width = WIDTH, .mine = bin_of(split, round)};
        struct strata_chain_links part;
        error = strata_bins_cut(&bins, split->station, chain, split->memory, &part);
        if (error) {
            return error;
        }
        bool whole = part.size == chain->size;
        poor += part.size > chain->size / 2;
        *chain = part;
        if (whole) {
            error = look(split, chain, differ);
        }
    }
    return error;
}

static int finish(struct strata_split *split, const struct strata_chain_links *chain, int differ,
                  struct strata_chain_links *group)
{
    *group = *chain;
    split->same_colour = !differ || chain->size == 1;
    if (chain->size == 1 || (!differ && !split->shape.key)) {
        return STRATA_OK;
    }
    return strata_bitonic_split(split, chain, group);
}

static int run_hash(struct strata_split *split, struct strata_chain_links *group)
{
    struct strata_chain_links chain = *split->chain;
    int differ;
    int error = cut(split, &chain, 1, &differ);
    return error ? error : finish(split, &chain, differ, group);
}

static int run_hash64(struct strata_split *split, struct strata_chain_links *group)
{
    struct strata_chain_links chain = *split->chain;
    int differ;
    int error = cut(split, &chain, SHORT, &differ);
    if (error || chain.size == 1 || chain.size > SHORT || (!differ && !split->shape.key)) {
        return error ? error : finish(split, &chain, differ, group);
    }
    split->same_colour = !differ;
    return strata_allgather_part(split, &chain, group);
}

static const char *refuse(const struct strata_split_shape *shape)
{
    return !shape->colour ? "splits by colour, which is disabled"
           : shape->hash  ? NULL
                          : "needs a hash function of the colour";
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Where ranks are not reordered there is room for a sort of as many ranks as there can be: the same
 * for any P. */
static size_t workspace(const struct strata_split_shape *shape, int rank)
{
    struct strata_split_shape most = *shape;
    (void)rank;
    most.ranks = shape->key ? shape->ranks : INT32_MAX;
    return larger(STRATA_BINS_MEMORY(BINS, WIDTH), strata_bitonic_memory(&most));
}

static size_t workspace64(const struct strata_split_shape *shape, int rank)
{
    int ranks = shape->ranks < SHORT ? shape->ranks : SHORT;
    return larger(workspace(shape, rank),
                  strata_allgather_memory(shape, ranks, (size_t)ranks * shape->item));
}

const struct strata_split_method strata_split_hash = {
    .name = "hash",
    .summary = "Cuts into bins by hashes of the colour; sorts what has to be reordered",
    .rounds = "L a cut, 1 to log P cuts",
    .memory = "O(1); reordered O(log P)",
    .refuse = refuse,
    .workspace = workspace,
    .run = run_hash,
};

const struct strata_split_method strata_split_hash64 = {
    .name = "hash64",
    .summary = "As hash; chains of at most 64 ranks are finished as by allgather_group",
    .rounds = "L a cut, 1 to log P cuts",
    .memory = "O(1); reordered O(log P)",
    .refuse = refuse,
    .workspace = workspace64,
    .run = run_hash64,
};
