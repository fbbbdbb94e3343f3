/* An MPI shared window as plain memory: allocated once, locked once for its life. */
#ifndef STRATA_INTRANODE_WINDOW_MPI_H
#define STRATA_INTRANODE_WINDOW_MPI_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

struct strata_window {
    MPI_Win handle;
    bool locked;
};

/* Collective. Only rank 0 asks for bytes, the others for 0, so the memory is one block however the
 * MPI lays windows out. On failure the handle is MPI_WIN_NULL: on this rank, perhaps not on others.
 */
int strata_window_allocate(struct strata_window *window, MPI_Comm host, size_t bytes);
/* Local. *base is rank 0's memory. STRATA_ERR_UNSUPPORTED where the MPI keeps two copies of it. */
int strata_window_open(struct strata_window *window, unsigned char **base);
/* Collective where there is a handle. */
void strata_window_close(struct strata_window *window);

/* Deals the pages of a host with several NUMA domains to them in turn; otherwise all would lie in
 * the domain of the process that takes a region. For memory that nobody has touched. */
void strata_window_spread(void *memory, size_t bytes);

#endif
