/* Waits for requests of MPI's and of Strata's together. */
#include "api/request/complete.h"
#include "include/strata.h"

/* Waits until all are complete, or a request of MPI's has failed, which MPI has raised. Returns
 * MPI's code. */
static int wait_for_both(int mpi_count, MPI_Request mpi_requests[], MPI_Status *mpi_statuses,
                         int count, struct strata_request *requests[])
{
    struct strata_waiter waiter = strata_requests_waiter(count, requests);
    struct strata_stall stall = {0};
    struct strata_completion s = {0, 0};
    int error = MPI_SUCCESS;
    int theirs = 0;
    for (;;) {
        if (!theirs && error == MPI_SUCCESS) {
            error = PMPI_Testall(mpi_count, mpi_requests, &theirs, mpi_statuses);
        }
        s = strata_requests_look(count, requests);
        if (s.complete == s.active && (theirs || error != MPI_SUCCESS)) {
            return error;
        }
        strata_wait_between_tests(&waiter);
        strata_stall_look(&stall, s.complete, count, requests);
    }
}

/* NOLINTNEXTLINE(readability-function-size): two lists, as MPI has them */
int strata_waitall_with(int mpi_count, MPI_Request mpi_requests[], MPI_Status *mpi_statuses,
                        int count, struct strata_request *requests[], MPI_Status *statuses)
{
    if (mpi_count < 0 || count < 0 || (mpi_count > 0 && !mpi_requests) ||
        (count > 0 && !requests)) {
        return strata_raise(MPI_COMM_NULL, MPI_ERR_ARG, "waitall_with",
                            "a count is negative, or a list of requests is null");
    }
    int theirs = wait_for_both(mpi_count, mpi_requests, mpi_statuses, count, requests);
    int ours = strata_requests_take_all(count, requests, statuses);
    return theirs != MPI_SUCCESS ? theirs : ours;
}
