/* Helpers of the tests of attached communicators. */
#ifndef STRATA_TESTS_MPI_ATTACHED_H
#define STRATA_TESTS_MPI_ATTACHED_H

#include "include/strata.h"
#include "tests/mpi/require.h"

static inline struct strata_report report_of(MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(comm, &report));
    return report;
}

/* A communicator of the world's ranks that returns errors, for the caller to free. */
static inline MPI_Comm new_communicator(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    succeed(strata_comm_attach(comm, NULL));
    return comm;
}

#endif
