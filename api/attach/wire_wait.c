#include "api/attach/group.h"
#include "api/attach/wire.h"
#include "internode/mpi/failed_mpi.h"
#include "internode/mpi/renamed_mpi.h"

int strata_wire_wait(struct strata_group *group, int count, MPI_Request *requests,
                     MPI_Status *statuses)
{
    struct strata_waiter *waiter = &group->waiter;
    int done = 0;
    int error = PMPI_Testall(count, requests, &done, statuses);
    waiter->attempt = 0;
    while (error == MPI_SUCCESS && !done) {
        strata_wait_between_tests(waiter);
        error = PMPI_Testall(count, requests, &done, statuses);
        if (error == MPI_SUCCESS && !done && waiter->attempt % STRATA_WAIT_STILL == 0 &&
            (strata_failed_any(group->comm) || strata_revoked(&group->served))) {
            error = MPI_ERR_OTHER;
        }
    }
    return error;
}

size_t strata_wire_bytes(const MPI_Status *status)
{
    MPI_Count bytes = 0;
    return strata_status_bytes(status, &bytes) == MPI_SUCCESS && bytes > 0 ? (size_t)bytes : 0;
}
