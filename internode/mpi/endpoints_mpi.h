/* Where endpoints are. Plans, topologies and regions number endpoints 0, 1, ..., count-1. Only this
 * file maps such a number to a rank of MPI, and to a difference in the tags of its messages, which
 * separates them from those of the rank's other endpoints. */
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
    int count, tags;                  /* endpoints; the most that one rank has */
    struct strata_endpoint mine;      /* the endpoint that sends and receives here */
    const struct strata_endpoint *at; /* [count], borrowed; NULL: endpoint i is rank i */
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

/* How far the tags of messages from an endpoint, or to it, differ from those between the first
 * endpoints of the two ranks, where each kind of traffic has one tag. */
static inline int strata_endpoints_apart(const struct strata_endpoints *endpoints,
                                         struct strata_endpoint other, bool receive)
{
    const int from = receive ? other.tag : endpoints->mine.tag;
    const int to = receive ? endpoints->mine.tag : other.tag;
    return (from * endpoints->tags + to) * STRATA_TRAFFIC_KINDS;
}

#endif
