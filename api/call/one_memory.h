/* Calls with the same memory as send and receive buffer, where MPI requires MPI_IN_PLACE. */
#ifndef STRATA_API_CALL_ONE_MEMORY_H
#define STRATA_API_CALL_ONE_MEMORY_H

#include "api/call/signature.h"

struct strata_process;

/* Whether this rank's call, whose counts are known, has one memory on both sides. */
bool strata_one_memory(const struct strata_signature *signature);
/* Returns MPI_ERR_BUFFER where one memory is an error. In a program that knows of Strata it is an
 * error where all ranks see it. In a preloaded program it is an error where MPI itself refuses it
 * in this collective. Otherwise the call becomes the call in place, so that this rank does what
 * ranks with MPI_IN_PLACE do. Returns an MPI error code. */
int strata_one_memory_judge(struct strata_process *process, struct strata_signature *signature);

#endif
