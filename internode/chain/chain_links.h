/* A group as a chain: each rank knows its own place and its two neighbours, and nobody knows all.
 *
 * A. Moody, D. H. Ahn, B. R. de Supinski, "Exascale Algorithms for Generalized MPI_Comm_split",
 * EuroMPI 2011, section 2. All collectives here take ceil(log2 size) rounds: in round i a rank
 * exchanges messages with the ranks 2^i to its left and right, and each message carries, behind its
 * data, the address that the receiver needs for the next round. */
#ifndef STRATA_INTERNODE_CHAIN_CHAIN_LINKS_H
#define STRATA_INTERNODE_CHAIN_CHAIN_LINKS_H

#include "core/base/endpoint.h"

/* A rank's place in a chain. */
struct strata_chain_links {
    int size, rank;
    int address;     /* mine */
    int left, right; /* addresses of ranks one less and one more, or STRATA_NOBODY */
};

/* The chain of all addresses, 0 .. ranks-1, in their order. */
struct strata_chain_links strata_chain_links_of_all(int rank, int ranks);

enum strata_chain_side { STRATA_LEFT, STRATA_RIGHT, STRATA_SIDES };

static inline enum strata_chain_side strata_other_side(enum strata_chain_side side)
{
    return side == STRATA_LEFT ? STRATA_RIGHT : STRATA_LEFT;
}

/* Bytes that every buffer of a message needs behind its data. */
#define STRATA_ADDRESS_BYTES sizeof(int32_t)

/* Round by round: the partners at a distance. */
struct strata_walk {
    int size, distance;
    int partner[STRATA_SIDES];
};

void strata_walk_init(struct strata_walk *walk, const struct strata_chain_links *links);

static inline bool strata_walk_more(const struct strata_walk *walk)
{
    return walk->distance < walk->size;
}

/* What goes to and comes from the partner on one side. */
struct strata_parcel {
    void *send; /* with room for an address behind; NULL: nothing but the address is sent */
    size_t size;
    void *receive;   /* the same; NULL: nothing but the address comes */
    size_t capacity; /* without the address */
    size_t received; /* out: the same */
};

/* One round: parcels to and from both partners (zeroed: addresses only); then the distance is
 * doubled. */
int strata_walk_round(struct strata_walk *walk, struct strata_endpoint *endpoint,
                      struct strata_parcel parcel[STRATA_SIDES]);

/* right := left combined with right; how many bytes they have, and what else there is to know, is
 * the context's. */
typedef void strata_combine(void *context, const void *left, void *right);

struct strata_reduction {
    size_t bytes; /* of an operand */
    strata_combine *combine;
    void *context;
};

/* Everybody has called it when it returns. */
int strata_chain_barrier_run(struct strata_endpoint *endpoint,
                             const struct strata_chain_links *links);

/* The others get `memory`, aligned to 16, of strata_chain_memory(links->size, bytes) bytes; gather and
 * scatter of what is said below, which is no more. A buffer for all holds a block of `bytes` bytes for each
 * rank of the chain, by rank. */
size_t strata_chain_memory(int size, size_t bytes);

int strata_chain_bcast_run(struct strata_endpoint *endpoint, const struct strata_chain_links *links,
                           int root, void *buffer, size_t bytes, void *memory);
/* result: at the root. Operands are combined in the order of ranks. */
int strata_chain_reduce_run(struct strata_endpoint *endpoint,
                            const struct strata_chain_links *links, int root,
                            const struct strata_reduction *reduction, void *value, void *memory);
/* What a rank has and gets: one block, or at the root (in allgather everywhere) all. */
struct strata_chain_blocks {
    void *one, *all;
    size_t bytes; /* of a block */
};
/* Of this rank: the root needs most, half of all ranks room for one block. */
size_t strata_chain_gather_memory(const struct strata_chain_links *links, int root, size_t bytes);
int strata_chain_gather_run(struct strata_endpoint *endpoint,
                            const struct strata_chain_links *links, int root,
                            const struct strata_chain_blocks *blocks, void *memory);
/* Of this rank: the root needs most, at a distance d from it there is room for size / d blocks. */
size_t strata_chain_scatter_memory(const struct strata_chain_links *links, int root, size_t bytes);
int strata_chain_scatter_run(struct strata_endpoint *endpoint,
                             const struct strata_chain_links *links, int root,
                             const struct strata_chain_blocks *blocks, void *memory);
int strata_chain_allgather_run(struct strata_endpoint *endpoint,
                               const struct strata_chain_links *links,
                               const struct strata_chain_blocks *blocks, void *memory);

/* All of the chain learn the largest status. */
int strata_chain_agree(struct strata_endpoint *endpoint, const struct strata_chain_links *links,
                       int status);

#endif
