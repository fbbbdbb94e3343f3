/* Scatter and allgather on a chain. */
#ifndef STRATA_INTERNODE_CHAIN_CHAIN_SCATTER_H
#define STRATA_INTERNODE_CHAIN_CHAIN_SCATTER_H

#include "internode/chain/chain_gather.h"

/* Bytes that this rank needs: the root most, a rank at distance d from it size / d blocks. */
size_t strata_chain_scatter_memory(const struct strata_chain_links *links, int root, size_t bytes);
int strata_chain_scatter_run(struct strata_station *station, const struct strata_chain_links *links,
                             int root, const struct strata_chain_blocks *blocks, void *memory);
/* memory: of strata_chain_memory(links->size, bytes) bytes. */
int strata_chain_allgather_run(struct strata_station *station,
                               const struct strata_chain_links *links,
                               const struct strata_chain_blocks *blocks, void *memory);

#endif
