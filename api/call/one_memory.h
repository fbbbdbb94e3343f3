/* Calls whose send and receive buffer are the same memory, in which MPI_IN_PLACE was to stand. */
#ifndef STRATA_API_CALL_ONE_MEMORY_H
#define STRATA_API_CALL_ONE_MEMORY_H

#include "api/call/signature.h"

struct strata_process;

/* Whether this rank's call, whose counts were found, has one buffer for both. */
bool strata_one_memory(const struct strata_signature *signature);
/* MPI_ERR_BUFFER where it is an error: for a program that knows of Strata where all ranks see it,
 * for others where MPI itself refuses it in this collective. Else the call becomes the one in
 * place, so that the rank goes the way of those that call rightly. Returns an MPI error code. */
int strata_one_memory_judge(struct strata_process *process, struct strata_signature *signature);

#endif
