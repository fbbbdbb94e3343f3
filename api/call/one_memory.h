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
/* Makes a call that strata_one_memory_judge has put in place, of a collective in which each rank
 * sends each rank a block, with MPI's own. In place MPI's own may exchange other messages than
 * ranks that are not in place expect, and this rank alone may have one memory. So it sends a copy
 * of its blocks. The call stays in place where there is no memory for the copy, where an int does
 * not count its bytes, and where counts are large. Returns what MPI returns. */
int strata_one_memory_native(const struct strata_signature *signature, bool moving);

#endif
