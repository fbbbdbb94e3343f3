/* A group as a chain: each rank knows its own place and its two neighbours, and nobody knows all.
 *
 * A. Moody, D. H. Ahn, B. R. de Supinski, "Exascale Algorithms for Generalized MPI_Comm_split",
 * EuroMPI 2011, section 2. All collectives here take ceil(log2 size) rounds: in round i a rank
 * exchanges messages with the ranks 2^i to its left and right, and each message carries, behind its
 * data, the address that the receiver needs for the next round. */
#ifndef STRATA_INTERNODE_CHAIN_CHAIN_LINKS_H
#define STRATA_INTERNODE_CHAIN_CHAIN_LINKS_H

#include "core/base/station.h"

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
int strata_walk_round(struct strata_walk *walk, struct strata_station *station,
                      struct strata_parcel parcel[STRATA_SIDES]);

/* right := left combined with right; how many bytes they have, and what else there is to know, is
 * the context's. */
typedef void strata_combine(void *context, const void *left, void *right);

/* Everybody has called it when it returns. */
int strata_chain_barrier_run(struct strata_station *station,
                             const struct strata_chain_links *links);

/* All of the chain learn the largest status. */
int strata_chain_agree(struct strata_station *station, const struct strata_chain_links *links,
                       int status);

#endif
