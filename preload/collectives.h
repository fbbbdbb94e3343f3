/* The preloaded collectives, for Fortran's bindings, by names of their own: a tool that was loaded
 * before may catch the names in C. */
#ifndef STRATA_PRELOAD_COLLECTIVES_H
#define STRATA_PRELOAD_COLLECTIVES_H

#include <mpi.h>

extern __typeof__(MPI_Alltoall) strata_preload_alltoall;
extern __typeof__(MPI_Alltoallv) strata_preload_alltoallv;
extern __typeof__(MPI_Alltoallw) strata_preload_alltoallw;
extern __typeof__(MPI_Allgather) strata_preload_allgather;
extern __typeof__(MPI_Allgatherv) strata_preload_allgatherv;
extern __typeof__(MPI_Bcast) strata_preload_bcast;
extern __typeof__(MPI_Gather) strata_preload_gather;
extern __typeof__(MPI_Gatherv) strata_preload_gatherv;
extern __typeof__(MPI_Scatter) strata_preload_scatter;
extern __typeof__(MPI_Scatterv) strata_preload_scatterv;
extern __typeof__(MPI_Reduce) strata_preload_reduce;
extern __typeof__(MPI_Allreduce) strata_preload_allreduce;
extern __typeof__(MPI_Reduce_scatter) strata_preload_reduce_scatter;
extern __typeof__(MPI_Reduce_scatter_block) strata_preload_reduce_scatter_block;
extern __typeof__(MPI_Scan) strata_preload_scan;
extern __typeof__(MPI_Exscan) strata_preload_exscan;
extern __typeof__(MPI_Barrier) strata_preload_barrier;

#endif
