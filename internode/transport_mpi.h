/* The engine's transport on MPI: nonblocking sends and receives on a private communicator. */
#ifndef STRATA_INTERNODE_TRANSPORT_MPI_H
#define STRATA_INTERNODE_TRANSPORT_MPI_H

#include <mpi.h>

#include "core/engine.h"

struct strata_transport_mpi {
    MPI_Comm comm; /* private; borrowed */
    int tag;       /* first of STRATA_TRAFFIC_KINDS tags that this stream uses */
    int mpi_error; /* MPI's code of the first error */
    struct {
        MPI_Request *requests;
        int used, capacity, open;
    } kind[STRATA_TRAFFIC_KINDS];
    int *indices; /* for MPI_Testsome */
    int indices_capacity;
};

extern const struct strata_transport strata_transport_mpi;

void strata_transport_mpi_init(struct strata_transport_mpi *t, MPI_Comm comm, int tag);
void strata_transport_mpi_fini(struct strata_transport_mpi *t); /* no request is open */

#endif
