/* MPI's transport for threads that may not call MPI at any time (api/process/by_mpi.h). */
#ifndef STRATA_API_ATTACH_GUARDED_TRANSPORT_H
#define STRATA_API_ATTACH_GUARDED_TRANSPORT_H

#include "internode/mpi/transport_mpi.h"

/* Its first argument is a struct strata_transport_mpi, as that of strata_transport_mpi. */
extern const struct strata_transport strata_guarded_transport;

/* strata_transport_mpi_break, where this thread may not call MPI. */
void strata_guarded_transport_break(struct strata_transport_mpi *transport);

#endif
