/* Ranks that have failed, and communicators that were revoked, where MPI can tell (User Level
 * Failure Mitigation: Open MPI from version 5 on). Elsewhere neither is known. */
#ifndef STRATA_INTERNODE_MPI_FAILED_MPI_H
#define STRATA_INTERNODE_MPI_FAILED_MPI_H

#include <mpi.h>
#include <stdbool.h>

/* Whether MPI knows of a rank of comm that has failed. Local; no message is sent. */
bool strata_failed_any(MPI_Comm comm);
/* Calls `each` with the ranks in comm that MPI knows to have failed. */
void strata_failed_each(MPI_Comm comm, void (*each)(void *self, int rank), void *self);
/* This rank leaves calls on `left`, a communicator of Strata's own, in which others may wait for
 * it. Where MPI knows that a rank of comm has failed, or *served was revoked (NULL: that is not
 * asked), it revokes `left`, which ends their calls. MPI_COMM_NULL as `left`: does nothing. */
void strata_failed_leave(MPI_Comm left, MPI_Comm comm, MPI_Comm *served);
/* From now on *served is the communicator of a program that one of Strata's own serves. */
void strata_revoked_with(MPI_Comm *served, MPI_Comm comm);
/* The program frees that communicator. Whether it was revoked is remembered, for requests on it. */
void strata_revoked_forget(MPI_Comm *served);
/* Whether *served was revoked. Local; any thread that may call MPI asks. NULL: false. */
bool strata_revoked(MPI_Comm *served);
/* The class of an error that may come from a failed rank of comm: MPIX_ERR_REVOKED where comm was
 * revoked, MPIX_ERR_PROC_FAILED where a rank of it has failed, else `class`. Another rank may have
 * told of the error before MPI tells of the death that caused it. So this waits until MPI does, a
 * second at most; and never again once that was in vain. */
int strata_failed_class(MPI_Comm comm, int class);

#endif
