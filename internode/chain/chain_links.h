/* A group as a chain: each rank knows its own place and its two neighbours; no rank knows all. All
 * collectives here take ceil(log2 size) rounds. In round i a rank exchanges messages with the ranks
 * 2^i to its left and right. Each message carries, behind its data, the address that the receiver
 * needs for the next round. From A. Moody, D. H. Ahn, B. R. de Supinski, "Exascale Algorithms for
 * Generalized MPI_Comm_split", EuroMPI 2011, section 2. */
#ifndef STRATA_INTERNODE_CHAIN_CHAIN_LINKS_H
#define STRATA_INTERNODE_CHAIN_CHAIN_LINKS_H

#include "core/base/station.h"

/* A rank's place in a chain. */
struct strata_chain_links {
    int size, rank;
    int address;     /* this rank's */
    int left, right; /* addresses of the ranks before and after it, or STRATA_NOBODY */
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

/* A walk through the rounds: the partners of the current one. */
struct strata_walk {
    int size, distance;
    int partner[STRATA_SIDES];
};

void strata_walk_init(struct strata_walk *walk, const struct strata_chain_links *links);

static inline bool strata_walk_more(const struct strata_walk *walk)
{
    return walk->distance < walk->size;
}

/* The messages to and from the partner on one side. */
struct strata_parcel {
    void *send; /* with free bytes for an address behind the data; NULL: only the address is sent */
    size_t size;
    void *receive;   /* likewise; NULL: only the address arrives */
    size_t capacity; /* without the address */
    size_t received; /* set by the round: bytes of data that arrived */
};

/* One round: exchanges parcels with both partners, then doubles the distance. A zeroed parcel
 * carries only addresses. */
int strata_walk_round(struct strata_walk *walk, struct strata_station *station,
                      struct strata_parcel parcel[STRATA_SIDES]);

/* right := left combined with right. The context knows how many bytes they have. */
typedef void strata_combine(void *context, const void *left, void *right);

/* When it returns, all ranks have called it. */
int strata_chain_barrier_run(struct strata_station *station,
                             const struct strata_chain_links *links);

/* All ranks of the chain learn the largest status. */
int strata_chain_agree(struct strata_station *station, const struct strata_chain_links *links,
                       int status);

#endif
