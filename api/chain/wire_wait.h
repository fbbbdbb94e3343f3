/* Waiting for the messages of a chain's round, in the one place that waits. */
#ifndef STRATA_API_CHAIN_WIRE_WAIT_H
#define STRATA_API_CHAIN_WIRE_WAIT_H

#include <mpi.h>

#include "intranode/wait.h"

/* Returns when all requests are complete, or MPI's error. */
int strata_wire_wait(struct strata_waiter *waiter, int count, MPI_Request *requests,
                     MPI_Status *statuses);
/* How many bytes a completed receive brought. */
size_t strata_wire_bytes(const MPI_Status *status);

#endif
