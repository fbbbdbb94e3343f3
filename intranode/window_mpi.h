/* Memory that the processes of a host share: made once, by all of them together. */
#ifndef STRATA_INTRANODE_WINDOW_MPI_H
#define STRATA_INTRANODE_WINDOW_MPI_H

#include <mpi.h>
#include <stddef.h>

struct strata_window {
    unsigned char *base; /* NULL: there is none; begins a page, or a region's line at least */
    size_t bytes;
    MPI_Win handle; /* of simulated clusters */
};

/* Collective over host; bytes is the same on all. Fails alike on every rank, whatever one of them
 * lacks, with nothing left: STRATA_ERR_CAPACITY where there is not so much or not all of them can
 * have it, STRATA_ERR_TRANSPORT where MPI refuses. No page has been touched. */
int strata_window_create(struct strata_window *window, MPI_Comm host, size_t bytes);
/* Local; collective in simulated clusters. */
void strata_window_destroy(struct strata_window *window);

/* The worst status of all ranks of the host: a failure of one is everybody's. */
int strata_window_agree(MPI_Comm host, int status);

/* Deals the pages of a host with several NUMA domains to them in turn; otherwise all would lie in
 * the domain of the process that takes a region. For memory that nobody has touched. */
void strata_window_spread(void *memory, size_t bytes);

#endif
