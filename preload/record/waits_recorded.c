/* MPI_Wait, MPI_Test and their like, which complete requests of recorded calls, and MPI_Start. */
#include "include/strata.h"
#include "preload/record/recorder.h"
#include "preload/record/waits.h"

#define RECORDER_COMPLETING RECORDER_WAITS
#define NAME(Name, name)    MPI_##Name
#define REQUEST             MPI_Request
#define OWN                 false
#include "preload/record/completing.h"

STRATA_PUBLIC int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[],
                               MPI_Status statuses[])
{
    struct recorder_wait w;
    begin_any(&w, count, requests, __builtin_return_address(0));
    const int error = next_Waitsome(count, requests, done, indices, statuses);
    recorder_wait_some(&w, count, requests, done, indices, error);
    recorder_wait_end(&w);
    return error;
}

STRATA_PUBLIC int MPI_Startall(int count, MPI_Request requests[])
{
    find_next_early();
    recorder_start(false, count, requests, __builtin_return_address(0));
    return next_Startall(count, requests);
}

#if MPI_VERSION >= 4
static __typeof__(MPI_Parrived) *next_Parrived;
STRATA_PUBLIC int MPI_Parrived(MPI_Request request, int partition, int *flag)
{
    struct recorder_wait w;
    begin(&w, 1, &request, NULL);
    const int error = next_Parrived(request, partition, flag);
    recorder_wait_end(&w);
    return error;
}
#endif

#define ROW(Name, name) {"MPI_" #Name, (void **)&next_##Name},
static const struct recorder_next next[] = {RECORDER_COMPLETING(ROW)
#if MPI_VERSION >= 4
                                                ROW(Parrived, parrived)
#endif
};

__attribute__((constructor)) static void find_next(void)
{
    recorder_find_next(next, sizeof next / sizeof *next);
}
