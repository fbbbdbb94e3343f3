/* Agreement of a communicator's ranks, beside which requests go on that plans serve. */
#ifndef STRATA_API_PROCESS_AGREE_H
#define STRATA_API_PROCESS_AGREE_H

#include <mpi.h>

/* Two forms of one collective do not meet in MPI. So where requests are to move during one, all
 * ranks must take that which does not block, whether they have requests or not. */

/* Completes a call of MPI's that was begun so, unless `error` says that it was not; requests move
 * meanwhile. Returns MPI's code. */
int strata_finish_beside(int error, MPI_Request *request);
/* MPI_Allreduce in place, in that form. Returns MPI's code. */
int strata_agree(void *words, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);

#endif
