/* MPI's collectives, as programs that do not know of Strata call them. */
#include "preload/collectives.h"

#include "include/strata.h"
#include "preload/serve.h"

/* The calls in C, which a tool that was loaded before may catch. */

/* NOLINTBEGIN(readability-function-size): the parameters are MPI's */

STRATA_PUBLIC int MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                               void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    SERVE(STRATA_ALLTOALL,
          strata_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
          PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

STRATA_PUBLIC int MPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    SERVE(STRATA_ALLTOALLV,
          strata_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                           recvtype, comm),
          PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                         recvtype, comm));
}

STRATA_PUBLIC int MPI_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                const MPI_Datatype sendtypes[], void *recvbuf,
                                const int recvcounts[], const int rdispls[],
                                const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    SERVE(STRATA_ALLTOALLW,
          strata_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                           recvtypes, comm),
          PMPI_Alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                         recvtypes, comm));
}

STRATA_PUBLIC int MPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    SERVE(STRATA_ALLGATHER,
          strata_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
          PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

STRATA_PUBLIC int MPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void *recvbuf, const int recvcounts[], const int displs[],
                                 MPI_Datatype recvtype, MPI_Comm comm)
{
    SERVE(
        STRATA_ALLGATHERV,
        strata_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                          comm),
        PMPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm));
}

STRATA_PUBLIC int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    SERVE(STRATA_BCAST, strata_bcast(buffer, count, datatype, root, comm),
          PMPI_Bcast(buffer, count, datatype, root, comm));
}

STRATA_PUBLIC int MPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                             void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                             MPI_Comm comm)
{
    SERVE(STRATA_GATHER,
          strata_gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
          PMPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
}

STRATA_PUBLIC int MPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                              void *recvbuf, const int recvcounts[], const int displs[],
                              MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    SERVE(STRATA_GATHERV,
          strata_gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
                         comm),
          PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
                       comm));
}

STRATA_PUBLIC int MPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                              void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                              MPI_Comm comm)
{
    SERVE(STRATA_SCATTER,
          strata_scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
          PMPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
}

STRATA_PUBLIC int MPI_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                               MPI_Datatype sendtype, void *recvbuf, int recvcount,
                               MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    SERVE(STRATA_SCATTERV,
          strata_scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
                          comm),
          PMPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
                        comm));
}

STRATA_PUBLIC int MPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                             MPI_Op op, int root, MPI_Comm comm)
{
    SERVE(STRATA_REDUCE, strata_reduce(sendbuf, recvbuf, count, datatype, op, root, comm),
          PMPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm));
}

STRATA_PUBLIC int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    SERVE(STRATA_ALLREDUCE, strata_allreduce(sendbuf, recvbuf, count, datatype, op, comm),
          PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm));
}

STRATA_PUBLIC int MPI_Reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                                     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    SERVE(STRATA_REDUCE_SCATTER,
          strata_reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm),
          PMPI_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm));
}

STRATA_PUBLIC int MPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    SERVE(STRATA_REDUCE_SCATTER_BLOCK,
          strata_reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm),
          PMPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm));
}

STRATA_PUBLIC int MPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                           MPI_Op op, MPI_Comm comm)
{
    SERVE(STRATA_SCAN, strata_scan(sendbuf, recvbuf, count, datatype, op, comm),
          PMPI_Scan(sendbuf, recvbuf, count, datatype, op, comm));
}

STRATA_PUBLIC int MPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                             MPI_Op op, MPI_Comm comm)
{
    SERVE(STRATA_EXSCAN, strata_exscan(sendbuf, recvbuf, count, datatype, op, comm),
          PMPI_Exscan(sendbuf, recvbuf, count, datatype, op, comm));
}

STRATA_PUBLIC int MPI_Barrier(MPI_Comm comm)
{
    SERVE(STRATA_BARRIER, strata_barrier(comm), PMPI_Barrier(comm));
}

/* NOLINTEND(readability-function-size) */

/* The same functions under names that no tool catches. */
#define SAME(name, Name)  SAME_AS(strata_preload_##name, MPI_##Name)
#define SAME_AS(name, of) __typeof__(of) name __attribute__((alias(#of)));
PRELOAD_ALL(SAME)
