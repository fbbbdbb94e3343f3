/* Where endpoints are. Plans, topologies and regions number endpoints 0, 1, ..., count-1. Only this
 * file maps such a number to a rank of MPI, and to a communicator and a difference in the tags of
 * its messages, which separate them from those of the rank's other endpoints. */
#ifndef STRATA_INTERNODE_MPI_ENDPOINTS_MPI_H
#define STRATA_INTERNODE_MPI_ENDPOINTS_MPI_H

#include <mpi.h>
#include <stdbool.h>

#include "core/engine/transport.h"

/* The pairs of endpoints of two ranks that one communicator tells apart: half of the streams of
 * tags belong to blocking calls, and half to others (api/attach/sequence.c). */
enum { STRATA_ENDPOINT_PAIRS = 32 };

struct strata_endpoint {
    int rank; /* in the private communicator */
    int tag;  /* its number among the endpoints of that rank */
};

struct strata_endpoints {
    MPI_Comm comm;                    /* private, errors returned; borrowed */
    int count, tags;                  /* endpoints; the most that one rank has */
    struct strata_endpoint mine;      /* the endpoint that sends and receives here */
    const struct strata_endpoint *at; /* [count], borrowed; NULL: endpoint i is rank i */
    /* borrowed: further communicators of the same ranks, each for the next STRATA_ENDPOINT_PAIRS
     * pairs; NULL where `comm` has room for all */
    const MPI_Comm *further;
    /* borrowed: the program's communicator, with whose revocation all waiting ends
     * (failed_mpi.h); NULL: it is not asked */
    MPI_Comm *served;
};

/* Each rank is one endpoint, which has the rank's number. */
static inline struct strata_endpoints strata_endpoints_of(MPI_Comm comm, int rank, int ranks)
{
    return (struct strata_endpoints){.comm = comm, .count = ranks, .tags = 1, .mine = {rank, 0}};
}

static inline struct strata_endpoint strata_endpoint_at(const struct strata_endpoints *endpoints,
                                                        int endpoint)
{
    return endpoints->at ? endpoints->at[endpoint] : (struct strata_endpoint){endpoint, 0};
}

/* The number of the pair of this endpoint and another, among the pairs of their two ranks. */
static inline int strata_endpoints_pair(const struct strata_endpoints *endpoints,
                                        struct strata_endpoint other, bool receive)
{
    const int from = receive ? other.tag : endpoints->mine.tag;
    const int to = receive ? endpoints->mine.tag : other.tag;
    return from * endpoints->tags + to;
}

/* The communicator of messages from an endpoint, or to it. */
static inline MPI_Comm strata_endpoints_comm(const struct strata_endpoints *endpoints,
                                             struct strata_endpoint other, bool receive)
{
    const int pair = endpoints->further ? strata_endpoints_pair(endpoints, other, receive) : 0;
    return pair < STRATA_ENDPOINT_PAIRS ? endpoints->comm
                                        : endpoints->further[pair / STRATA_ENDPOINT_PAIRS - 1];
}

/* How far the tags of messages from an endpoint, or to it, differ from those between the first
 * endpoints of the two ranks, where each kind of traffic has one tag. */
static inline int strata_endpoints_apart(const struct strata_endpoints *endpoints,
                                         struct strata_endpoint other, bool receive)
{
    return strata_endpoints_pair(endpoints, other, receive) % STRATA_ENDPOINT_PAIRS *
           STRATA_TRAFFIC_KINDS;
}

#endif
