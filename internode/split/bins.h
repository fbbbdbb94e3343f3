/* Cutting a chain into one chain for each bin, by one double scan of a table of the bins. */
#ifndef STRATA_INTERNODE_SPLIT_BINS_H
#define STRATA_INTERNODE_SPLIT_BINS_H

#include "internode/chain/scan.h"

#define STRATA_BINS_MEMORY(bins, width)                                                            \
    STRATA_SCAN_MEMORY((size_t)(bins) * (size_t)(width) * sizeof(int32_t))

/* width 2: the nearest rank of each bin on both sides, and the number of its ranks there; width 3:
 * also the bin's first rank. */
struct strata_bins {
    int bins, width;
    int mine; /* this rank's bin */
    struct strata_scan scan;
};

enum { STRATA_BIN_NEAR, STRATA_BIN_COUNT, STRATA_BIN_FIRST };

/* memory: STRATA_BINS_MEMORY(bins, width). part: this rank's place in the chain of its bin. */
int strata_bins_cut(struct strata_bins *bins, struct strata_station *station,
                    const struct strata_chain_links *chain, void *memory,
                    struct strata_chain_links *part);

/* After the cut, with width 3: the number of ranks in a bin, and the address of its first rank, or
 * STRATA_NOBODY. */
int strata_bins_count(const struct strata_bins *bins, int bin);
int strata_bins_first(const struct strata_bins *bins, int bin, int address);

#endif
