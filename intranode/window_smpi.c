/* A shared window of simulated clusters: SimGrid gives every rank as much as that rank asks for, in
 * one block, and wants them equal. */
#include "core/base/error.h"
#include "intranode/window_mpi.h"

int strata_window_allocate(struct strata_window *window, MPI_Comm host, size_t bytes)
{
    unsigned long all = bytes; /* rank 0's wish */
    int ranks = 1;
    void *mine = NULL;
    *window = (struct strata_window){.handle = MPI_WIN_NULL};
    if (PMPI_Comm_size(host, &ranks) || PMPI_Bcast(&all, 1, MPI_UNSIGNED_LONG, 0, host)) {
        return STRATA_ERR_TRANSPORT;
    }
    MPI_Aint bytes_each = (MPI_Aint)((all + (unsigned long)ranks - 1) / (unsigned long)ranks);
    if (PMPI_Win_allocate_shared(bytes_each, 1, MPI_INFO_NULL, host, &mine, &window->handle)) {
        window->handle = MPI_WIN_NULL;
        return STRATA_ERR_MEMORY;
    }
    return STRATA_OK;
}

int strata_window_open(struct strata_window *window, unsigned char **base)
{
    MPI_Aint bytes;
    int unit;
    return PMPI_Win_shared_query(window->handle, 0, &bytes, &unit, base) ? STRATA_ERR_TRANSPORT
                                                                         : STRATA_OK;
}

void strata_window_close(struct strata_window *window)
{
    if (window->handle != MPI_WIN_NULL) {
        PMPI_Win_free(&window->handle);
    }
}

void strata_window_spread(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}
