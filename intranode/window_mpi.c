#include "intranode/window_mpi.h"

#include <numa.h>
#include <numaif.h>
#include <stdint.h>
#include <unistd.h>

#include "core/base/error.h"

int strata_window_allocate(struct strata_window *window, MPI_Comm host, size_t bytes)
{
    MPI_Info info;
    *window = (struct strata_window){.handle = MPI_WIN_NULL};
    if (PMPI_Info_create(&info)) {
        return STRATA_ERR_MEMORY;
    }
    PMPI_Info_set(info, "alloc_shared_noncontig", "false");
    void *mine = NULL;
    int error = PMPI_Win_allocate_shared((MPI_Aint)bytes, 1, info, host, &mine, &window->handle);
    PMPI_Info_free(&info);
    if (error) {
        window->handle = MPI_WIN_NULL;
        return STRATA_ERR_MEMORY;
    }
    PMPI_Win_set_errhandler(window->handle, MPI_ERRORS_RETURN);
    return STRATA_OK;
}

/* Flags are plain atomic loads and stores: that needs one copy of the window, not two. */
int strata_window_open(struct strata_window *window, unsigned char **base)
{
    int *model = NULL;
    int found = 0;
    MPI_Aint bytes;
    int unit;
    if (PMPI_Win_get_attr(window->handle, MPI_WIN_MODEL, &model, &found) || !found ||
        *model != MPI_WIN_UNIFIED) {
        return STRATA_ERR_UNSUPPORTED;
    }
    if (PMPI_Win_lock_all(MPI_MODE_NOCHECK, window->handle)) {
        return STRATA_ERR_TRANSPORT;
    }
    window->locked = true;
    if (PMPI_Win_shared_query(window->handle, 0, &bytes, &unit, base)) {
        return STRATA_ERR_TRANSPORT;
    }
    return STRATA_OK;
}

void strata_window_close(struct strata_window *window)
{
    if (window->locked) {
        PMPI_Win_unlock_all(window->handle);
        window->locked = false;
    }
    if (window->handle != MPI_WIN_NULL) {
        PMPI_Win_free(&window->handle);
    }
}

void strata_window_spread(void *memory, size_t bytes)
{
    if (numa_available() < 0 || numa_num_configured_nodes() < 2) {
        return;
    }
    uintptr_t skew = (uintptr_t)memory % (uintptr_t)sysconf(_SC_PAGESIZE);
    const struct bitmask *nodes = numa_all_nodes_ptr;
    /* Where the kernel refuses, the pages lie where they fall: slower, not wrong. */
    (void)mbind((unsigned char *)memory - skew, bytes + skew, MPOL_INTERLEAVE, nodes->maskp,
                nodes->size + 1, 0);
}
