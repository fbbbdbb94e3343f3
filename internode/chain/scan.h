/* The double scan of a chain: each rank gets the combination of all values to its left, and of all
 * to its right, in ceil(log2 size) rounds and memory for seven values. */
#ifndef STRATA_INTERNODE_CHAIN_SCAN_H
#define STRATA_INTERNODE_CHAIN_SCAN_H

#include "internode/chain/chain_links.h"

#define STRATA_SCAN_VALUES 7

/* Bytes between two values in the scan's memory: an address and alignment behind each. */
#define STRATA_SCAN_STRIDE(bytes) (((bytes) + STRATA_ADDRESS_BYTES + 15) / 16 * 16)
#define STRATA_SCAN_MEMORY(bytes) (STRATA_SCAN_VALUES * STRATA_SCAN_STRIDE(bytes))

/* Over ranks 0 .. rank (from the left) and rank .. size-1 (from the right). */
struct strata_scan {
    size_t bytes;                          /* of a value */
    strata_combine *combine[STRATA_SIDES]; /* of the scan from that side; NULL: no scan from
                                              there */
    void *context;
    unsigned char *inclusive[STRATA_SIDES], *exclusive[STRATA_SIDES];
    bool any[STRATA_SIDES]; /* there are ranks on that side, so exclusive is set */
    unsigned char *incoming[STRATA_SIDES], *spare;
};

/* The caller sets bytes, combine and context before, and afterwards each inclusive value to the
 * rank's own. memory: STRATA_SCAN_MEMORY(bytes), aligned to 16. */
void strata_scan_set_up(struct strata_scan *scan, void *memory);

/* Leaves the results in inclusive, exclusive and any. */
int strata_scan_run(struct strata_scan *scan, struct strata_station *station,
                    const struct strata_chain_links *links);

/* After a double scan: the combination of all ranks' values in order, in inclusive[STRATA_RIGHT].
 * Each rank groups them differently, which shows in floating-point rounding. */
void *strata_scan_total(struct strata_scan *scan);

#endif
