#include "api/process/agree.h"

#include "api/process/process.h"
#include "api/process/timeout.h"
#include "core/base/error.h"
#include "core/base/memory.h"
#include "intranode/wait.h"

#ifdef STRATA_SIMULATED
/* On simulated clusters plans serve no requests (api/attach/sequence.c), and a test of a request
 * lets no time pass. */
int strata_finish_moving_requests(int error, MPI_Request *request)
{
    return error == MPI_SUCCESS ? PMPI_Wait(request, MPI_STATUS_IGNORE) : error;
}

int strata_agree(void *words, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return PMPI_Allreduce(MPI_IN_PLACE, words, count, type, op, comm);
}

int strata_agree_first(void *words, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return strata_agree(words, count, type, op, comm);
}

int strata_agree_status(int status, MPI_Comm comm)
{
    return strata_agree(&status, 1, MPI_INT, MPI_MAX, comm) ? STRATA_ERR_TRANSPORT : status;
}
#else
/* How long a rank waits in vain for the others. They all are in the same call of Strata's, so none
 * is late for a reason of the program's. */
enum { LONG = 10, MINUTE = 60 }; /* seconds */
enum { SPEAKERS = 2 }; /* ranks of a communicator that speak unasked: one may be the late one */

/* Completes the request, but gives up at `end` (PMPI_Wtime; 0: never) with MPI_ERR_OTHER. `first`:
 * of a communicator's first call. */
static int finish_until(double end, bool first, int error, MPI_Request *request)
{
    struct strata_waiter waiter = strata_waiter_of(STRATA_WAIT_SPIN);
    struct strata_stall stall = {.patience = first ? MINUTE : 0};
    int done = 0;
    while (error == MPI_SUCCESS && !done) {
        error = PMPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (error == MPI_SUCCESS && !done) {
            if (strata_process_here.move_requests) {
                strata_process_here.move_requests();
            }
            strata_wait_between_tests(&waiter);
            int seconds = strata_stall_seconds(&stall, 0);
            if (seconds > 0) {
                (first ? strata_stall_say_first : strata_stall_say_mpi)(seconds);
            }
            error = end > 0 && PMPI_Wtime() > end ? MPI_ERR_OTHER : error;
        }
    }
    return error;
}

int strata_finish_moving_requests(int error, MPI_Request *request)
{
    return finish_until(0, false, error, request);
}

int strata_agree(void *words, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    return strata_finish_moving_requests(
        PMPI_Iallreduce(MPI_IN_PLACE, words, count, type, op, comm, &request), &request);
}

int strata_agree_first(void *words, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int rank;
    PMPI_Comm_rank(comm, &rank);
    const bool speaks = rank < SPEAKERS && !strata_process_here.preloaded;
    const int error = PMPI_Iallreduce(MPI_IN_PLACE, words, count, type, op, comm, &request);
    return finish_until(0, speaks, error, &request);
}

/* Where this rank gives up, the others may join later, and MPI writes the word then: so the word's
 * memory stays. */
int strata_agree_status(int status, MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    double end = status == STRATA_ERR_TRANSPORT ? PMPI_Wtime() + LONG : 0;
    int *word = strata_allocate(1, sizeof *word), here = status;
    int *words = word ? word : &here, worst = status;
    int error;
    *words = status;
    error = PMPI_Iallreduce(MPI_IN_PLACE, words, 1, MPI_INT, MPI_MAX, comm, &request);
    error = finish_until(word ? end : 0, false, error, &request);
    worst = *words;
    if (request == MPI_REQUEST_NULL) {
        strata_release(word);
    }
    return error != MPI_SUCCESS            ? STRATA_ERR_TRANSPORT
           : worst == STRATA_ERR_TRANSPORT ? STRATA_ERR_UNSUPPORTED
                                           : worst;
}
#endif
