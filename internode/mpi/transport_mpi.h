/* The engine's transport on MPI: an endpoint's nonblocking sends and receives on a private
 * communicator. */
#ifndef STRATA_INTERNODE_MPI_TRANSPORT_MPI_H
#define STRATA_INTERNODE_MPI_TRANSPORT_MPI_H

#include <mpi.h>

#include "core/engine/transport.h"
#include "internode/mpi/requests_mpi.h"
#include "internode/mpi/spots_mpi.h"

struct strata_transport_mpi {
    struct strata_endpoints endpoints;
    /* The first error of each kind as one of ours; its calls return it until abandon. */
    int failed[STRATA_TRAFFIC_KINDS];
    /* Messages of a wrong length have come in this call; test says so, and nothing stops. */
    bool wrong[STRATA_TRAFFIC_KINDS];
    unsigned skipped;  /* calls since the last one for which room was made */
    double settled_at; /* by MPI_Wtime; 0: this call does not settle */
    struct strata_request_list kind[STRATA_TRAFFIC_KINDS];
    MPI_Request idle;                     /* tested to let MPI work where nothing is open */
    struct strata_spot_types *spot_types; /* made with the first message of several places */
};

/* test drives MPI's progress even when nothing of its kind is open, so that a rank which waits for
 * a flag can serve others' messages. After STRATA_ERR_TRANSPORT a message may be left unmatched on
 * comm: the stream must not be used again, on any rank. */
extern const struct strata_transport strata_transport_mpi;

/* The same, but messages of several places are packed: no datatypes are made of them, so that a
 * call for which there is room allocates nothing. */
extern const struct strata_transport strata_transport_mpi_packing;

/* Room for so many requests at once, which calls find. STRATA_ERR_MEMORY. */
int strata_transport_mpi_room(struct strata_transport_mpi *t,
                              const int requests[STRATA_TRAFFIC_KINDS]);

/* `stream`: the first of STRATA_TRAFFIC_KINDS names, for each pair of endpoints that two ranks can
 * have, that nobody else on the communicator uses, neither as a tag, below 1 <<
 * STRATA_STREAM_BITS. The lists point into *t. */
void strata_transport_mpi_init(struct strata_transport_mpi *t,
                               const struct strata_endpoints *endpoints, int stream);
/* It is one of so many that take turns at the calls of the stream: strata_tags_share. */
void strata_transport_mpi_share(struct strata_transport_mpi *t, int place, int beside);
/* Into how many the calls of a stream can be divided: a power of two, `most` or fewer. */
int strata_transport_mpi_shares(const struct strata_transport_mpi *t, int most);
/* The endpoint whose message has not come yet, or, where all have, has not been taken (*receive
 * says which); -1: none is open. */
int strata_transport_mpi_missing(const struct strata_transport_mpi *t, bool *receive);
/* This rank is out of step in all calls of the stream: tells the others, unless it or another has,
 * who need not wait for its messages then. */
void strata_transport_mpi_break(struct strata_transport_mpi *t);
void strata_transport_mpi_fini(struct strata_transport_mpi *t); /* no request is open */

#endif
