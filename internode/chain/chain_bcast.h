/* Bcast on a chain. */
#ifndef STRATA_INTERNODE_CHAIN_CHAIN_BCAST_H
#define STRATA_INTERNODE_CHAIN_CHAIN_BCAST_H

#include "internode/chain/chain_links.h"

/* memory: strata_chain_memory(links->size, bytes) bytes (chain_gather.h), aligned to 16. */
int strata_chain_bcast_run(struct strata_station *station, const struct strata_chain_links *links,
                           int root, void *buffer, size_t bytes, void *memory);

#endif
