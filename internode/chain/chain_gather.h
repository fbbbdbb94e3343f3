/* Reduce and gather on a chain. All memory is aligned to 16. */
#ifndef STRATA_INTERNODE_CHAIN_CHAIN_GATHER_H
#define STRATA_INTERNODE_CHAIN_CHAIN_GATHER_H

#include "internode/chain/chain_links.h"

/* Bytes of memory for all but gather and scatter, of which the rank matters: see there. */
size_t strata_chain_memory(int size, size_t bytes);

struct strata_reduction {
    size_t bytes; /* of an operand */
    strata_combine *combine;
    void *context;
};

/* result: at the root. Operands are combined in the order of ranks. */
int strata_chain_reduce_run(struct strata_station *station, const struct strata_chain_links *links,
                            int root, const struct strata_reduction *reduction, void *value,
                            void *memory);

/* What a rank has and gets: one block, or at the root (in allgather everywhere) all, by rank. */
struct strata_chain_blocks {
    void *one, *all;
    size_t bytes; /* of a block */
};
/* Of this rank: the root needs most, half of all ranks room for one block. */
size_t strata_chain_gather_memory(const struct strata_chain_links *links, int root, size_t bytes);
int strata_chain_gather_run(struct strata_station *station, const struct strata_chain_links *links,
                            int root, const struct strata_chain_blocks *blocks, void *memory);

#endif
