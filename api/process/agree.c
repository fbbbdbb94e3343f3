#include "api/process/agree.h"

#include "api/process/patience.h"
#include "api/process/process.h"
#include "intranode/wait.h"

int strata_finish_beside(int error, MPI_Request *request)
{
    struct strata_waiter waiter = strata_waiter_of(STRATA_WAIT_SPIN);
    struct strata_stall stall = {0};
    int done = 0;

    while (error == MPI_SUCCESS && !done) {
        error = PMPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (error == MPI_SUCCESS && !done) {
            strata_process_here.move_beside();
            strata_wait_between_tests(&waiter);
            int seconds = strata_stall_seconds(&stall, 0);
            if (seconds > 0) {
                strata_stall_say_mpi(seconds);
            }
        }
    }
    return error;
}

#ifdef STRATA_SIMULATED
/* No request is served by a plan there: api/attach/sequence.c. */
int strata_agree(void *words, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return PMPI_Allreduce(MPI_IN_PLACE, words, count, type, op, comm);
}
#else
int strata_agree(void *words, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;

    return strata_finish_beside(
        PMPI_Iallreduce(MPI_IN_PLACE, words, count, type, op, comm, &request), &request);
}
#endif
