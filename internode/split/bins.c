#include "internode/split/bins.h"

#include <string.h>

static int32_t *entry(const struct strata_bins *bins, unsigned char *table, int bin)
{
    return (int32_t *)(void *)table + (size_t)bin * (size_t)bins->width;
}

/* `far` is further away than `near`: where both have a nearest rank, near's is nearer. */
static void from_left(void *context, const void *left, void *right)
{
    const struct strata_bins *bins = context;
    const int32_t *far = left;
    for (int bin = 0; bin < bins->bins; bin++, far += bins->width) {
        int32_t *near = entry(bins, right, bin);
        if (far[STRATA_BIN_COUNT] > 0) {
            bool alone = near[STRATA_BIN_COUNT] == 0;
            near[STRATA_BIN_NEAR] = alone ? far[STRATA_BIN_NEAR] : near[STRATA_BIN_NEAR];
            near[STRATA_BIN_COUNT] += far[STRATA_BIN_COUNT];
            if (bins->width > STRATA_BIN_FIRST) {
                near[STRATA_BIN_FIRST] = far[STRATA_BIN_FIRST];
            }
        }
    }
}

static void from_right(void *context, const void *left, void *right)
{
    const struct strata_bins *bins = context;
    const int32_t *near = left;
    for (int bin = 0; bin < bins->bins; bin++, near += bins->width) {
        int32_t *far = entry(bins, right, bin);
        if (near[STRATA_BIN_COUNT] > 0) {
            far[STRATA_BIN_NEAR] = near[STRATA_BIN_NEAR];
            far[STRATA_BIN_COUNT] += near[STRATA_BIN_COUNT];
            if (bins->width > STRATA_BIN_FIRST) {
                far[STRATA_BIN_FIRST] = near[STRATA_BIN_FIRST];
            }
        }
    }
}

/* The entry of a bin on one side. */
static int32_t side_of(const struct strata_bins *bins, int side, int bin, int what, int none)
{
    const int32_t *there = entry(bins, bins->scan.exclusive[side], bin);
    return bins->scan.any[side] && there[STRATA_BIN_COUNT] > 0 ? there[what] : none;
}

int strata_bins_cut(struct strata_bins *bins, struct strata_station *station,
                    const struct strata_chain_links *chain, void *memory,
                    struct strata_chain_links *part)
{
    struct strata_scan *scan = &bins->scan;
    const int mine = bins->mine;
    *scan = (struct strata_scan){.bytes = (size_t)(bins->bins * bins->width) * sizeof(int32_t),
                                 .combine = {from_left, from_right},
                                 .context = bins};
    strata_scan_set_up(scan, memory);
    for (int side = 0; side < STRATA_SIDES; side++) {
        memset(scan->inclusive[side], 0, scan->bytes);
        int32_t *own = entry(bins, scan->inclusive[side], mine);
        own[STRATA_BIN_NEAR] = chain->address;
        own[STRATA_BIN_COUNT] = 1;
        if (bins->width > STRATA_BIN_FIRST) {
            own[STRATA_BIN_FIRST] = chain->address;
        }
    }
    int error = strata_scan_run(scan, station, chain);
    if (!error) {
        int left = side_of(bins, STRATA_LEFT, mine, STRATA_BIN_COUNT, 0);
        int right = side_of(bins, STRATA_RIGHT, mine, STRATA_BIN_COUNT, 0);
        *part = (struct strata_chain_links){
            .size = left + 1 + right,
            .rank = left,
            .address = chain->address,
            .left = side_of(bins, STRATA_LEFT, mine, STRATA_BIN_NEAR, STRATA_NOBODY),
            .right = side_of(bins, STRATA_RIGHT, mine, STRATA_BIN_NEAR, STRATA_NOBODY)};
    }
    return error;
}

int strata_bins_count(const struct strata_bins *bins, int bin)
{
    return side_of(bins, STRATA_LEFT, bin, STRATA_BIN_COUNT, 0) + (bin == bins->mine) +
           side_of(bins, STRATA_RIGHT, bin, STRATA_BIN_COUNT, 0);
}

int strata_bins_first(const struct strata_bins *bins, int bin, int address)
{
    int behind = side_of(bins, STRATA_RIGHT, bin, STRATA_BIN_NEAR, STRATA_NOBODY);
    return side_of(bins, STRATA_LEFT, bin, STRATA_BIN_FIRST, bin == bins->mine ? address : behind);
}
