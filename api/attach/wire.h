/* What carries the messages of chains: MPI, on a group's private communicator, under tags of their
 * own. */
#ifndef STRATA_API_ATTACH_WIRE_H
#define STRATA_API_ATTACH_WIRE_H

#include <mpi.h>

#include "core/base/station.h"
#include "intranode/wait.h"

/* The wire of a chain's station; its `self` is the group. */
extern const struct strata_wire strata_wire_mpi;

/* api/attach/wire_wait.c, wire_wait_smpi.c: waiting for the messages of a round, in the one place
 * that waits. Returns when all requests are complete, or MPI's error. */
int strata_wire_wait(struct strata_waiter *waiter, int count, MPI_Request *requests,
                     MPI_Status *statuses);
/* How many bytes a completed receive brought. */
size_t strata_wire_bytes(const MPI_Status *status);

#endif
