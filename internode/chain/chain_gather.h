/* Reduce and gather on a chain. All memory is aligned to 16. */
#ifndef STRATA_INTERNODE_CHAIN_CHAIN_GATHER_H
#define STRATA_INTERNODE_CHAIN_CHAIN_GATHER_H

#include "internode/chain/chain_links.h"

/* Bytes of memory for each collective but gather and scatter, which have functions of their own
 * because theirs depends on the rank. */
size_t strata_chain_memory(int size, size_t bytes);

struct strata_reduction {
    size_t bytes; /* of an operand */
    strata_combine *combine;
    void *context;
};

/* The result is at the root. Operands are combined in the order of ranks. */
int strata_chain_reduce_run(struct strata_station *station, const struct strata_chain_links *links,
                            int root, const struct strata_reduction *reduction, void *value,
                            void *memory);

/* A rank's buffers: one block; and at the root, or in an allgather on all ranks, all blocks by
 * rank. */
struct strata_chain_blocks {
    void *one, *all;
    size_t bytes; /* of a block */
};
/* Bytes that this rank needs: the root most, half of all ranks one block. */
size_t strata_chain_gather_memory(const struct strata_chain_links *links, int root, size_t bytes);
int strata_chain_gather_run(struct strata_station *station, const struct strata_chain_links *links,
                            int root, const struct strata_chain_blocks *blocks, void *memory);

#endif
