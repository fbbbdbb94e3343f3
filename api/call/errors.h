/* From our error codes to MPI's, and out through the communicator's error handler. */
#ifndef STRATA_API_CALL_ERRORS_H
#define STRATA_API_CALL_ERRORS_H

#include <mpi.h>

#include "core/base/error.h"

/* Logs one line "strata: alltoallv, rank 3: text" and hands the MPI error code (or class) to the
 * error handler of comm; MPI_COMM_NULL means MPI's default for calls without a communicator.
 * Returns code. */
int strata_raise(MPI_Comm comm, int code, const char *call, const char *text);

/* The MPI class of one of our errors. */
int strata_error_class(int error);

#endif
