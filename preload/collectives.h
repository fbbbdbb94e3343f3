/* The preloaded collectives, for Fortran's bindings, by names of their own: a tool that was loaded
 * before may catch the names in C. */
#ifndef STRATA_PRELOAD_COLLECTIVES_H
#define STRATA_PRELOAD_COLLECTIVES_H

#include <mpi.h>

/* THE(name, Name): the collectives that move data, which have forms with large counts, and all. */
#define PRELOAD_MOVING(THE)                                                                        \
    THE(alltoall, Alltoall)                                                                        \
    THE(alltoallv, Alltoallv)                                                                      \
    THE(alltoallw, Alltoallw)                                                                      \
    THE(allgather, Allgather)                                                                      \
    THE(allgatherv, Allgatherv)                                                                    \
    THE(bcast, Bcast)                                                                              \
    THE(gather, Gather)                                                                            \
    THE(gatherv, Gatherv)                                                                          \
    THE(scatter, Scatter)                                                                          \
    THE(scatterv, Scatterv)                                                                        \
    THE(reduce, Reduce)                                                                            \
    THE(allreduce, Allreduce)                                                                      \
    THE(reduce_scatter, Reduce_scatter)                                                            \
    THE(reduce_scatter_block, Reduce_scatter_block)                                                \
    THE(scan, Scan)                                                                                \
    THE(exscan, Exscan)
#define PRELOAD_ALL(THE) PRELOAD_MOVING(THE) THE(barrier, Barrier)

#define DECLARED(name, Name) extern __typeof__(MPI_##Name) strata_preload_##name;
PRELOAD_ALL(DECLARED)
#if MPI_VERSION >= 4
#define DECLARED_LARGE(name, Name) extern __typeof__(MPI_##Name##_c) strata_preload_##name##_c;
PRELOAD_MOVING(DECLARED_LARGE)
#endif

#endif
