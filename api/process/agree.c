#include "api/process/agree.h"

#include <string.h>

#include "api/process/process.h"
#include "api/process/timeout.h"
#include "core/base/error.h"
#include "core/base/memory.h"
#include "internode/mpi/failed_mpi.h"
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

int strata_finish_unless_revoked(int error, MPI_Request *request, MPI_Comm *served)
{
    (void)served;
    return strata_finish_moving_requests(error, request);
}

int strata_agree_unless_revoked(void *words, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                MPI_Comm *served)
{
    (void)served;
    return strata_agree(words, count, type, op, comm);
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

/* How a rank waits for the others. Where it gives up, which is MPI_ERR_OTHER, MPI may write
 * later. */
struct patience {
    MPI_Comm *served; /* it gives up when this is revoked; NULL: it does not ask */
    double end;       /* it gives up then (PMPI_Wtime); 0: never */
    bool first;       /* in a communicator's first call */
};

static bool gives_up(const struct patience *p, unsigned attempt)
{
    return (p->end > 0 && PMPI_Wtime() > p->end) ||
           (p->served && attempt % STRATA_WAIT_STILL == 0 && strata_revoked(p->served));
}

/* Completes the request, unless it gives up. */
static int finish(const struct patience *p, int error, MPI_Request *request)
{
    struct strata_waiter waiter = strata_waiter_of(STRATA_WAIT_SPIN);
    struct strata_stall stall = {.patience = p->first ? MINUTE : 0};
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
                (p->first ? strata_stall_say_first : strata_stall_say_mpi)(seconds);
            }
            error = gives_up(p, waiter.attempt) ? MPI_ERR_OTHER : error;
        }
    }
    return error;
}

int strata_finish_moving_requests(int error, MPI_Request *request)
{
    const struct patience endless = {0};
    return finish(&endless, error, request);
}

int strata_finish_unless_revoked(int error, MPI_Request *request, MPI_Comm *served)
{
    const struct patience p = {.served = served};
    return finish(&p, error, request);
}

/* MPI_Allreduce in place. Where this rank gives up, the others may join later, and MPI writes the
 * words then: so their memory stays. Without such memory it does not give up. */
static int agree(const struct patience *p, void *words, int count, MPI_Datatype type, MPI_Op op,
                 MPI_Comm comm)
{
    const struct patience endless = {.first = p->first};
    MPI_Request request = MPI_REQUEST_NULL;
    int size = 0;
    PMPI_Type_size(type, &size);
    const size_t bytes = (size_t)count * (size_t)size;
    void *kept = p->served || p->end > 0 ? strata_allocate(bytes, 1) : NULL;
    if (kept) {
        memcpy(kept, words, bytes);
    }
    int error = PMPI_Iallreduce(MPI_IN_PLACE, kept ? kept : words, count, type, op, comm, &request);
    error = finish(kept ? p : &endless, error, &request);
    if (kept) {
        memcpy(words, kept, bytes);
    }
    if (request == MPI_REQUEST_NULL) {
        strata_release(kept);
    }
    return error;
}

int strata_agree(void *words, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    const struct patience endless = {0};
    return agree(&endless, words, count, type, op, comm);
}

int strata_agree_unless_revoked(void *words, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                MPI_Comm *served)
{
    const struct patience p = {.served = served};
    return agree(&p, words, count, type, op, comm);
}

int strata_agree_first(void *words, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    const struct patience p = {.first = rank < SPEAKERS && !strata_process_here.preloaded};
    return agree(&p, words, count, type, op, comm); /* MPI ends it where comm is revoked */
}

int strata_agree_status(int status, MPI_Comm comm)
{
    const double end = status == STRATA_ERR_TRANSPORT ? PMPI_Wtime() + LONG : 0;
    const struct patience p = {.end = end};
    int worst = status;
    return agree(&p, &worst, 1, MPI_INT, MPI_MAX, comm) != MPI_SUCCESS ? STRATA_ERR_TRANSPORT
           : worst == STRATA_ERR_TRANSPORT                             ? STRATA_ERR_UNSUPPORTED
                                                                       : worst;
}
#endif
