/* A wait for many requests that takes them one by one. `strata simulate` preloads it where the
 * platform charges nothing for a message's receipt: there the order of the waits takes no time.
 *
 * SimGrid's own waits for any of them, as often as there are requests. Each time it ends every
 * message again that has arrived, and looks through all open messages of the rank for each. So an
 * alltoallv that posts everything at once took more than 200 s on 256 ranks, and takes 13.
 *
 * SimGrid's functions are looked up when they are called: the programs that start the simulation
 * load this file, too, and know no SimGrid. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

/* simgrid::smpi::Request::wait and waitall, by which MPI's calls and collectives wait. */
#define WAIT    "_ZN7simgrid4smpi7Request4waitEPPS1_P10MPI_Status"
#define WAITALL "_ZN7simgrid4smpi7Request7waitallEiPPS1_P10MPI_Status"
int strata_simgrid_waitall(int count, MPI_Request requests[],
                           MPI_Status statuses[]) __asm__(WAITALL);

enum { FEW = 32 }; /* which SimGrid's own waits for soon enough */

static int wait_as_before(int count, MPI_Request requests[], MPI_Status statuses[])
{
    static int (*before)(int, MPI_Request[], MPI_Status[]);
    if (!before) {
        *(void **)&before = dlsym(RTLD_NEXT, WAITALL);
    }
    return before(count, requests, statuses);
}

static int wait_for(MPI_Request *request)
{
    static int (*one)(MPI_Request *, MPI_Status *);
    if (!one) {
        *(void **)&one = dlsym(RTLD_NEXT, WAIT);
    }
    return one(request, MPI_STATUS_IGNORE);
}

int strata_simgrid_waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    int result = MPI_SUCCESS;
    if (count <= FEW || statuses != MPI_STATUSES_IGNORE) {
        return wait_as_before(count, requests, statuses);
    }
    for (int i = 0; i < count; i++) {
        if (requests[i] != MPI_REQUEST_NULL) {
            int error = wait_for(&requests[i]);
            result = result == MPI_SUCCESS ? error : result;
        }
    }
    return result;
}
