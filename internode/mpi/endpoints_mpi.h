/* Where endpoints are. Plans, topologies and regions number endpoints 0, 1, ..., count-1; here, and
 * nowhere else, such a number becomes a rank of MPI and what its messages' tags differ by from
 * those of other endpoints of that rank. */
#ifndef STRATA_INTERNODE_MPI_ENDPOINTS_MPI_H
#define STRATA_INTERNODE_MPI_ENDPOINTS_MPI_H

#include <mpi.h>
#include <stdbool.h>

#include "core/engine/transport.h"

struct strata_endpoint {
    int rank; /* in the private communicator */
    int tag;  /* 0 or 1 among the endpoints of that rank; api/attach/wire.c has the tags above */
};

struct strata_endpoints {
    MPI_Comm comm;                    /* private, errors returned; borrowed */
    int count, tags;                  /* of endpoints; most of one rank */
    struct strata_endpoint mine;      /* whose messages these are */
    const struct strata_endpoint *at; /* [count], borrowed; NULL: each is the rank of its number */
};

/* Each rank is one endpoint, of its number. */
static inline struct strata_endpoints strata_endpoints_of(MPI_Comm comm, int rank, int ranks)
{
    return (struct strata_endpoints){.comm = comm, .count = ranks, .tags = 1, .mine = {rank, 0}};
}

static inline struct strata_endpoint strata_endpoint_at(const struct strata_endpoints *endpoints,
                                                        int endpoint)
{
    return endpoints->at ? endpoints->at[endpoint] : (struct strata_endpoint){endpoint, 0};
}

/* The tags of messages from an endpoint, or to it, differ by so much from those between the first
 * endpoints of the two ranks, where each kind of traffic has a tag. */
static inline int strata_endpoints_apart(const struct strata_endpoints *endpoints,
                                         struct strata_endpoint other, bool receive)
{
    const int from = receive ? other.tag : endpoints->mine.tag;
    const int to = receive ? endpoints->mine.tag : other.tag;
    return (from * endpoints->tags + to) * STRATA_TRAFFIC_KINDS;
}

#endif
