/* strata_wait, strata_test and their like, which complete requests of recorded calls, and
 * strata_start. */
#include "include/strata.h"
#include "preload/record/recorder.h"
#include "preload/record/waits.h"

#define RECORDER_COMPLETING(THE)                                                                   \
    RECORDER_COMPLETES(THE)                                                                        \
    THE(Waitall_with, waitall_with)
#define NAME(Name, name) strata_##name
#define REQUEST          struct strata_request *
#define OWN              true
#include "preload/record/completing.h"

/* Strata's requests are waited for first in the file. MPI's requests may be of recorded calls,
 * too. */
STRATA_PUBLIC int strata_waitall_with(int mpi_count, MPI_Request mpi_requests[],
                                      MPI_Status mpi_statuses[], int count,
                                      struct strata_request *requests[], MPI_Status statuses[])
{
    struct recorder_wait own, mpi;
    begin(&own, count, requests, __builtin_return_address(0));
    recorder_wait_begin(&mpi, false, mpi_count, mpi_requests, __builtin_return_address(0), false);
    const int error =
        next_Waitall_with(mpi_count, mpi_requests, mpi_statuses, count, requests, statuses);
    recorder_wait_all(&mpi, mpi_count, mpi_requests, error);
    recorder_wait_end(&mpi);
    recorder_wait_all(&own, count, requests, error);
    recorder_wait_end(&own);
    return error;
}

/* One by one, as Strata starts them, so that it tells of each start what serves it. */
STRATA_PUBLIC int strata_startall(int count, struct strata_request *requests[])
{
    int error = MPI_SUCCESS;
    find_next_early();
    if (count < 0 || !requests) {
        return next_Startall(count, requests);
    }
    for (int i = 0; error == MPI_SUCCESS && i < count; i++) {
        recorder_start(true, 1, &requests[i], __builtin_return_address(0));
        error = next_Start(&requests[i]);
    }
    return error;
}

#define ROW(Name, name) {"strata_" #name, (void **)&next_##Name},
static const struct recorder_next next[] = {RECORDER_COMPLETING(ROW)};

static void find_next(void)
{
    recorder_find_own(next, sizeof next / sizeof *next);
}
