#include "api/call/errors.h"

#include <stdio.h>

static const int class_of[STRATA_ERROR_COUNT] = {
    [STRATA_OK] = MPI_SUCCESS,
    [STRATA_ERR_MEMORY] = MPI_ERR_NO_MEM,
    [STRATA_ERR_ARGUMENT] = MPI_ERR_ARG,
    [STRATA_ERR_SYNTAX] = MPI_ERR_ARG,
    [STRATA_ERR_UNSUPPORTED] = MPI_ERR_UNSUPPORTED_OPERATION,
    [STRATA_ERR_CAPACITY] = MPI_ERR_NO_MEM,
    [STRATA_ERR_TRUNCATE] = MPI_ERR_TRUNCATE,
    [STRATA_ERR_PLAN] = MPI_ERR_INTERN,
    [STRATA_ERR_TRANSPORT] = MPI_ERR_OTHER,
};

int strata_error_class(int error)
{
    return error >= 0 && error < STRATA_ERROR_COUNT ? class_of[error] : MPI_ERR_UNKNOWN;
}

int strata_raise(MPI_Comm comm, int code, const char *call, const char *text)
{
    MPI_Comm owner = comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm;
    int rank = -1;

    PMPI_Comm_rank(owner, &rank);
    fprintf(stderr, "strata: %s, rank %d: %s\n", call, rank, text);
    PMPI_Comm_call_errhandler(owner, code);
    return code;
}
