/* The transport of chains' messages: MPI, on a group's private communicator, under tags of their
 * own. */
#ifndef STRATA_API_ATTACH_WIRE_H
#define STRATA_API_ATTACH_WIRE_H

#include <mpi.h>

#include "core/base/station.h"

struct strata_group;

/* The wire of a chain's station; the station's `self` is the group. */
extern const struct strata_wire strata_wire_mpi;

/* Waits for the messages of a round: the only place where chains wait. wire_wait.c and
 * wire_wait_smpi.c implement it. Returns when all requests are complete, or
 * an error: MPI's, or MPI_ERR_OTHER where a rank of the group has failed, for a rank that knows
 * that may have left, or where the communicator was revoked (failed_mpi.h). */
int strata_wire_wait(struct strata_group *group, int count, MPI_Request *requests,
                     MPI_Status *statuses);
/* The bytes that a completed receive brought. */
size_t strata_wire_bytes(const MPI_Status *status);

#endif
