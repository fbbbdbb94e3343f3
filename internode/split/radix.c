/* radix: integer colours and keys. A chain is cut by the highest digit in which its integers
 * differ, each part by the next digit, and so on. Cuts by colour come first and end in groups. Then
 * come cuts by key, where each rank adds up the ranks in lower parts. At the end neighbouring parts
 * are joined (radix_join.c). A 64-bit integer takes at most 16 cuts. */
#include "internode/split/radix_join.h"

#include "internode/split/bins.h"
#include "internode/split/item.h"
#include "internode/split/methods.h"

enum { DIGIT = STRATA_RADIX_DIGIT, BINS = 1 << DIGIT, WIDTH = 3, BITS = 64 };

static int cut_in_two(struct strata_split *split, struct strata_chain_links *chain)
{
    struct strata_bins bins = {.bins = 2, .width = 2, .mine = split->input->undefined};
    struct strata_chain_links part;
    int error = strata_bins_cut(&bins, split->station, chain, split->memory, &part);
    *chain = error ? *chain : part;
    return error;
}

/* Whether the digit differs on some ranks. Digits that are equal on all are left out. */
static bool differs(uint64_t bits, int shift)
{
    return (bits >> shift & (BINS - 1)) != 0;
}

static int cut_by_colour(struct strata_split *split, struct strata_chain_links *chain)
{
    const uint64_t colour = strata_split_integer(split, &split->input->colour);
    int error = split->shape.undefined ? cut_in_two(split, chain) : 0;
    for (int shift = BITS - DIGIT; !error && shift >= 0; shift -= DIGIT) {
        if (differs(split->shape.colour_bits, shift) && chain->size > 1) {
            struct strata_bins bins = {
                .bins = BINS, .width = WIDTH, .mine = (int)(colour >> shift & (BINS - 1))};
            struct strata_chain_links part;
            error = strata_bins_cut(&bins, split->station, chain, split->memory, &part);
            *chain = error ? *chain : part;
        }
    }
    return error;
}

/* Adds the ranks in lower bins to `before`, and this part's borders to `radix`. */
static void record_borders(const struct strata_bins *bins, int address, struct strata_radix *radix,
                           int *before)
{
    const int level = radix->levels;
    int lower = 0, next = bins->mine + 1;
    for (int bin = 0; bin < bins->mine; bin++) {
        lower += strata_bins_count(bins, bin);
    }
    while (next < BINS && strata_bins_count(bins, next) == 0) {
        next++;
    }
    if (lower > 0) {
        int first = strata_bins_first(bins, bins->mine, address);
        radix->border[STRATA_LEFT] = (struct strata_border){level, first};
        radix->agent[level] = first == address;
    }
    if (next < BINS) {
        radix->border[STRATA_RIGHT] =
            (struct strata_border){level, strata_bins_first(bins, next, address)};
    }
    *before += lower;
}

static int cut_by_key(struct strata_split *split, struct strata_chain_links *chain,
                      struct strata_radix *radix, int *before)
{
    const uint64_t key = strata_split_integer(split, &split->input->key);
    int error = 0;
    for (int shift = BITS - DIGIT; !error && shift >= 0; shift -= DIGIT) {
        if (!differs(split->shape.key_bits, shift)) {
            continue;
        }
        if (chain->size > 1) {
            struct strata_bins bins = {
                .bins = BINS, .width = WIDTH, .mine = (int)(key >> shift & (BINS - 1))};
            struct strata_chain_links part;
            error = strata_bins_cut(&bins, split->station, chain, split->memory, &part);
            if (!error) {
                record_borders(&bins, chain->address, radix, before);
                *chain = part;
            }
        }
        radix->levels++;
    }
    return error;
}

static int run(struct strata_split *split, struct strata_chain_links *group)
{
    struct strata_radix radix = {.border = {{-1, STRATA_NOBODY}, {-1, STRATA_NOBODY}}};
    struct strata_chain_links chain = *split->chain;
    int before = 0;
    int error = cut_by_colour(split, &chain);
    int size = chain.size;
    if (!error) {
        error = cut_by_key(split, &chain, &radix, &before);
    }
    if (error) {
        return error;
    }
    *group = chain;
    group->size = size;
    group->rank = before + chain.rank;
    return strata_radix_join(split->station, &radix, group);
}

static const char *refuse(const struct strata_split_shape *shape)
{
    return shape->integers ? NULL : "needs integer colours and keys";
}

static size_t workspace(const struct strata_split_shape *shape, int rank)
{
    (void)shape;
    (void)rank;
    return STRATA_BINS_MEMORY(BINS, WIDTH);
}

const struct strata_split_method strata_split_radix = {
    .name = "radix",
    .summary = "Cuts by one digit after another; integers only",
    .rounds = "at most L a digit of 4 bits, 2 a digit of the key to join",
    .memory = "O(1)",
    .refuse = refuse,
    .workspace = workspace,
    .run = run,
};
