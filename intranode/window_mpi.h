/* Memory that the processes of a host share: all of them create it together, once. */
#ifndef STRATA_INTRANODE_WINDOW_MPI_H
#define STRATA_INTRANODE_WINDOW_MPI_H

#include <mpi.h>
#include <stddef.h>

struct strata_window {
    unsigned char *base; /* NULL: there is none; aligned to a page, or at least to a region's
                            line */
    size_t bytes;
    MPI_Win handle; /* on simulated clusters */
};

/* Collective over host; bytes is the same on all. Fails alike on every rank, and leaves nothing:
 * STRATA_ERR_CAPACITY where there is too little memory, or not for all; STRATA_ERR_TRANSPORT where
 * MPI refuses. No page has been touched. */
int strata_window_create(struct strata_window *window, MPI_Comm host, size_t bytes);
/* Local; collective on simulated clusters. */
void strata_window_destroy(struct strata_window *window);

/* The worst status of all ranks of the host, so that a failure of one rank is one of all. */
int strata_window_agree(MPI_Comm host, int status);

#endif
