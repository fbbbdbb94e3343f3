/* A shared window of simulated clusters: SimGrid gives every rank the memory that the rank asks
 * for, in one block, and requires equal sizes. */
#include <stdint.h>

#include "core/base/error.h"
#include "intranode/regions.h"
#include "intranode/window_mpi.h"

int strata_window_agree(MPI_Comm host, int status)
{
    int worst = status;
    if (PMPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, host)) {
        return STRATA_ERR_TRANSPORT;
    }
    return worst;
}

int strata_window_create(struct strata_window *window, MPI_Comm host, size_t bytes)
{
    size_t all = bytes + STRATA_REGION_LINE; /* so that it can begin a line */
    int ranks = 1, unit;
    void *mine = NULL;
    MPI_Aint found;
    *window = (struct strata_window){.handle = MPI_WIN_NULL};
    PMPI_Comm_size(host, &ranks);
    MPI_Aint bytes_each = (MPI_Aint)((all + (size_t)ranks - 1) / (size_t)ranks);
    if (PMPI_Win_allocate_shared(bytes_each, 1, MPI_INFO_NULL, host, &mine, &window->handle)) {
        window->handle = MPI_WIN_NULL;
        return STRATA_ERR_CAPACITY;
    }
    if (PMPI_Win_shared_query(window->handle, 0, &found, &unit, &window->base)) {
        return STRATA_ERR_TRANSPORT;
    }
    window->base += -(uintptr_t)window->base % STRATA_REGION_LINE;
    window->bytes = bytes;
    return STRATA_OK;
}

void strata_window_destroy(struct strata_window *window)
{
    if (window->handle != MPI_WIN_NULL) {
        PMPI_Win_free(&window->handle);
    }
}
