/* Agreement of a communicator's ranks, beside which requests go on that plans serve. */
#ifndef STRATA_API_PROCESS_AGREE_H
#define STRATA_API_PROCESS_AGREE_H

#include <mpi.h>

/* Two forms of one collective do not meet in MPI. So where requests are to move during one, all
 * ranks must take that which does not block, whether they have requests or not. */

/* Completes a call of MPI's that was begun so, unless `error` says that it was not; requests move
 * meanwhile. Returns MPI's code. */
int strata_finish_moving_requests(int error, MPI_Request *request);
/* MPI_Allreduce in place, in that form. Returns MPI's code. */
int strata_agree(void *words, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
/* The worst of all ranks' statuses, so agreed. Where MPI has refused something on some of them
 * (STRATA_ERR_TRANSPORT) and all come here, it is STRATA_ERR_UNSUPPORTED. STRATA_ERR_TRANSPORT:
 * this rank is out of step. MPI refuses this, too; or it has refused something, and the others do
 * not come for long: they wait in what was refused. */
int strata_agree_status(int status, MPI_Comm comm);

#endif
