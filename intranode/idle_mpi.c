/* MPI does not say what its ranks do while they wait. Ranks that yield lose their core again and
 * again, each time after a few tests, as soon as another rank can have it. Ranks that spin lose it
 * at a tick of the scheduler, or to a process that wakes up: once or not at all in as many tests.
 * So the number of losses within a few tests tells the two apart, however busy the machine is. */
#define _GNU_SOURCE /* RUSAGE_THREAD */
#include <sys/resource.h>
#include <time.h>

#include "intranode/placement.h"

/* How often this thread lost its core while it could have gone on; yields count too. */
static long switches(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

static double core_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool loses_core(MPI_Request *request)
{
    enum { TESTS = 64, MANY = 8 };
    const long before = switches();
    int done;
    for (int i = 0; i < TESTS; i++) {
        if (PMPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
            return false;
        }
        if (switches() - before >= MANY) {
            return true;
        }
    }
    return false;
}

bool strata_idle_hands_over(MPI_Comm comm)
{
    enum { TAG = 0 };
    const double end = core_seconds() + 1e-3;
    MPI_Request request;
    char come, gone = 0;
    int rank;
    bool found = false;
    if (PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS ||
        PMPI_Irecv(&come, 1, MPI_CHAR, rank, TAG, comm, &request) != MPI_SUCCESS) {
        return false;
    }
    while (!found && core_seconds() < end) {
        found = loses_core(&request);
    }
    if (PMPI_Send(&gone, 1, MPI_CHAR, rank, TAG, comm) != MPI_SUCCESS) {
        (void)PMPI_Cancel(&request); /* or the wait would have no end */
    }
    (void)PMPI_Wait(&request, MPI_STATUS_IGNORE);
    return found;
}
