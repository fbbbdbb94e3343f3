/* On simulated clusters testing does not let time go on, so a rank that waits blocks in MPI. */
#include "api/attach/wire.h"

int strata_wire_wait(struct strata_group *group, int count, MPI_Request *requests,
                     MPI_Status *statuses)
{
    (void)group;
    return PMPI_Waitall(count, requests, statuses);
}

size_t strata_wire_bytes(const MPI_Status *status)
{
    int bytes = 0;
    return PMPI_Get_count(status, MPI_BYTE, &bytes) == MPI_SUCCESS && bytes > 0 ? (size_t)bytes : 0;
}
