/* The engine's transport on MPI: an endpoint's nonblocking sends and receives on a private
 * communicator. */
#ifndef STRATA_INTERNODE_MPI_TRANSPORT_MPI_H
#define STRATA_INTERNODE_MPI_TRANSPORT_MPI_H

#include <mpi.h>

#include "core/engine/transport.h"
#include "internode/mpi/requests_mpi.h"
#include "internode/mpi/spans_mpi.h"

struct strata_transport_mpi {
    struct strata_endpoints endpoints;
    /* The first error of each kind, as a STRATA_ERR code; calls of that kind return it until
     * abandon. */
    int failed[STRATA_TRAFFIC_KINDS];
    /* Messages of a wrong length have come in this call; test reports it, and the call goes on. */
    bool wrong[STRATA_TRAFFIC_KINDS];
    unsigned skipped;  /* calls since the last one that reserved requests */
    double settled_at; /* by MPI_Wtime; 0: this call does not settle */
    struct strata_request_list kind[STRATA_TRAFFIC_KINDS];
    MPI_Request idle;                     /* tested to let MPI make progress where no request is
                                             open */
    struct strata_span_types *span_types; /* created with the first message of several places */
    struct strata_transport_mpi *keeper;  /* whose span_types this one uses: its own, or the first
                                             one's of those that it takes turns with */
};

/* test drives MPI's progress even when no request of its kind is open, so that a rank which waits
 * for a flag can serve other ranks' messages. After STRATA_ERR_TRANSPORT a message may be left
 * unmatched on comm: no rank may use the stream again. */
extern const struct strata_transport strata_transport_mpi;

/* The same, but packs messages of several places instead of making datatypes, so that a call whose
 * requests are reserved allocates nothing. */
extern const struct strata_transport strata_transport_mpi_packing;

/* Reserves so many requests of each kind for later calls. STRATA_ERR_MEMORY. */
int strata_transport_mpi_reserve(struct strata_transport_mpi *t,
                                 const int requests[STRATA_TRAFFIC_KINDS]);

/* `stream`: the first of STRATA_TRAFFIC_KINDS numbers, for each pair of endpoints that two ranks
 * can have, that no other stream of the communicator uses and no other tag equals, below 1 <<
 * STRATA_STREAM_BITS. The lists point into *t. */
void strata_transport_mpi_init(struct strata_transport_mpi *t,
                               const struct strata_endpoints *endpoints, int stream);
/* Makes this one of `beside` transports that take turns at the calls of the stream
 * (strata_tags_share). They keep datatypes together, with the first one, so one thread at a time
 * may use them. */
void strata_transport_mpi_share(struct strata_transport_mpi *t, struct strata_transport_mpi *first,
                                int place, int beside);
/* The number of transports that can take turns at a stream: a power of two, `most` or fewer. */
int strata_transport_mpi_shares(const struct strata_transport_mpi *t, int most);
/* The endpoint whose message has not arrived yet (*receive), or has not been received from this
 * rank; -1: no request is open. */
int strata_transport_mpi_missing(const struct strata_transport_mpi *t, bool *receive);
/* Reports that this rank is out of step in all calls of the stream: sends a notice, unless a rank
 * already has. The other ranks then do not wait for its messages. */
void strata_transport_mpi_break(struct strata_transport_mpi *t);
void strata_transport_mpi_fini(struct strata_transport_mpi *t); /* no request is open */

#endif
