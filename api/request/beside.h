/* What goes on beside calls that block: requests that plans serve. */
#ifndef STRATA_API_REQUEST_BESIDE_H
#define STRATA_API_REQUEST_BESIDE_H

#include <stdbool.h>

#include "api/call/signature.h"

/* Whether any is under way in this process. */
bool strata_beside_open(void);
/* Moves all of them, unless another thread is at it. */
void strata_beside_move(void);

/* Ends the thread that moves them, if there is one. In MPI_Finalize. */
void strata_beside_end(void);

/* Two forms of one collective do not meet in MPI. So where requests are to move during one, all
 * ranks must take that which does not block, whether they have requests or not. */

/* Completes a call of MPI's that was begun so, unless `error` says that it was not; requests move
 * meanwhile. Returns MPI's code. */
int strata_finish_beside(int error, MPI_Request *request);
/* MPI_Allreduce in place, in that form. Returns MPI's code. */
int strata_agree(void *words, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
/* strata_native_call, in that form: on a communicator that plans have served without blocking, for
 * another rank may wait for such a call before it comes to this one. With large counts it is made
 * when all ranks have come to it: then none waits. */
int strata_native_beside(const struct strata_signature *signature);

#endif
