#include "api/request/beside.h"

#include "api/request/stall.h"
#include "intranode/wait.h"

int strata_finish_beside(int error, MPI_Request *request)
{
    struct strata_waiter waiter = strata_waiter_of(STRATA_WAIT_SPIN);
    struct strata_stall stall = {0};
    int done = 0;

    while (error == MPI_SUCCESS && !done) {
        error = PMPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (error == MPI_SUCCESS && !done) {
            strata_beside_move();
            strata_wait_between_tests(&waiter);
            strata_stall_look(&stall, 0, 0, NULL);
        }
    }
    return error;
}

#ifdef STRATA_SIMULATED
/* No request is served by a plan there: api/request/sequence.c. */
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

int strata_native_beside(const struct strata_signature *signature)
{
    MPI_Request request = MPI_REQUEST_NULL;

    if (signature->large) { /* not every MPI has such calls that do not block */
        int none = 0;
        int error = strata_agree(&none, 1, MPI_INT, MPI_MAX, signature->comm);
        return error == MPI_SUCCESS ? strata_native_call(signature) : error;
    }
    return strata_finish_beside(strata_native_start(signature, &request), &request);
}
