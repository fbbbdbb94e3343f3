/* Agreements between a communicator's ranks, during which requests that plans serve go on. */
#ifndef STRATA_API_PROCESS_AGREE_H
#define STRATA_API_PROCESS_AGREE_H

#include <mpi.h>

/* MPI does not match two forms of one collective with each other. So where requests must move
 * during a collective, all ranks take its nonblocking form, whether they have requests or not. */

/* Completes a nonblocking call of MPI's; requests move meanwhile. `error` says whether the call
 * began. Returns MPI's code. */
int strata_finish_moving_requests(int error, MPI_Request *request);
/* MPI_Allreduce in place, in its nonblocking form. Returns MPI's code. */
int strata_agree(void *words, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
/* As both, but where *served is revoked meanwhile (failed_mpi.h), MPI_ERR_OTHER comes, and the call
 * stays open. */
int strata_finish_unless_revoked(int error, MPI_Request *request, MPI_Comm *served);
int strata_agree_unless_revoked(void *words, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                MPI_Comm *served);
/* As strata_agree, in a communicator's first call, where others may call MPI's own collective
 * instead. Its first two ranks say so when they have waited for a minute, or for the seconds of
 * STRATA_STALL; not under the preload library, whose ranks have met in MPI_Init. */
int strata_agree_first(void *words, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
/* The ranks agree on the worst status of all. STRATA_ERR_UNSUPPORTED: MPI has refused something to
 * a rank (STRATA_ERR_TRANSPORT), and all ranks know. STRATA_ERR_TRANSPORT: this rank is out of
 * step. MPI has refused this agreement, too, or the others did not join it for long, because they
 * wait in the call that MPI refused to this rank. */
int strata_agree_status(int status, MPI_Comm comm);

#endif
