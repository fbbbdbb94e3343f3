/* The double scan of a chain: what lies to the left and to the right of a rank, combined, in
 * ceil(log2 size) rounds and memory for seven values. */
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
    strata_combine *combine[STRATA_SIDES]; /* for the scan from that side; NULL: not wanted */
    void *context;
    unsigned char *inclusive[STRATA_SIDES], *exclusive[STRATA_SIDES];
    bool any[STRATA_SIDES]; /* somebody is there: exclusive is filled */
    unsigned char *incoming[STRATA_SIDES], *spare;
};

/* Before: bytes, combine, context set. memory: STRATA_SCAN_MEMORY(bytes), aligned to 16. Each
 * inclusive value wanted must then be set to the rank's own. */
void strata_scan_set_up(struct strata_scan *scan, void *memory);

/* After it inclusive, exclusive and any hold the results. */
int strata_scan_run(struct strata_scan *scan, struct strata_station *station,
                    const struct strata_chain_links *links);

/* All ranks' values combined in order, after a double scan: in inclusive[STRATA_RIGHT]. Values are
 * grouped differently on each rank, which floating-point rounding shows. */
void *strata_scan_total(struct strata_scan *scan);

#endif
