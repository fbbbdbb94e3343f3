/* What is not timed as the exchange. MPI's own collectives know nothing of threads, so members make
 * Strata's. */
#ifndef STRATA_APPS_FFT_COLLECT_H
#define STRATA_APPS_FFT_COLLECT_H

#include <mpi.h>
#include <stdbool.h>

/* `members`: comm is a member's handle, and ranks are members. */
void fft_collect_place(MPI_Comm comm, bool members, int *rank, int *ranks);
/* The numbers of all ranks, combined, in place of this rank's. */
void fft_collect(MPI_Comm comm, bool members, void *numbers, int count, MPI_Datatype type,
                 MPI_Op op);
void fft_collect_meet(MPI_Comm comm, bool members);

#endif
