/* MPI's collectives with large counts, where MPI has them. */
#include "include/strata.h"
#include "preload/collectives.h"
#include "preload/serve.h"

#if MPI_VERSION >= 4
/* NOLINTBEGIN(readability-function-size): the parameters are MPI's */

STRATA_PUBLIC int MPI_Alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                 void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                 MPI_Comm comm)
{
    SERVE(STRATA_ALLTOALL,
          strata_alltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
          PMPI_Alltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

STRATA_PUBLIC int MPI_Alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[],
                                  const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf,
                                  const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                  MPI_Datatype recvtype, MPI_Comm comm)
{
    SERVE(STRATA_ALLTOALLV,
          strata_alltoallv_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                             recvtype, comm),
          PMPI_Alltoallv_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                           recvtype, comm));
}

STRATA_PUBLIC int MPI_Alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[],
                                  const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                  void *recvbuf, const MPI_Count recvcounts[],
                                  const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                  MPI_Comm comm)
{
    SERVE(STRATA_ALLTOALLW,
          strata_alltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                             recvtypes, comm),
          PMPI_Alltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                           recvtypes, comm));
}

STRATA_PUBLIC int MPI_Allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                  void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                  MPI_Comm comm)
{
    SERVE(STRATA_ALLGATHER,
          strata_allgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
          PMPI_Allgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

STRATA_PUBLIC int MPI_Allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                   void *recvbuf, const MPI_Count recvcounts[],
                                   const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm)
{
    SERVE(STRATA_ALLGATHERV,
          strata_allgatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                              comm),
          PMPI_Allgatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                            comm));
}

STRATA_PUBLIC int MPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root,
                              MPI_Comm comm)
{
    SERVE(STRATA_BCAST, strata_bcast_c(buffer, count, datatype, root, comm),
          PMPI_Bcast_c(buffer, count, datatype, root, comm));
}

STRATA_PUBLIC int MPI_Gather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                               void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                               MPI_Comm comm)
{
    SERVE(STRATA_GATHER,
          strata_gather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
          PMPI_Gather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
}

STRATA_PUBLIC int MPI_Gatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                void *recvbuf, const MPI_Count recvcounts[],
                                const MPI_Aint displs[], MPI_Datatype recvtype, int root,
                                MPI_Comm comm)
{
    SERVE(STRATA_GATHERV,
          strata_gatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                           root, comm),
          PMPI_Gatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
                         comm));
}

STRATA_PUBLIC int MPI_Scatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                                MPI_Comm comm)
{
    SERVE(STRATA_SCATTER,
          strata_scatter_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
          PMPI_Scatter_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
}

STRATA_PUBLIC int MPI_Scatterv_c(const void *sendbuf, const MPI_Count sendcounts[],
                                 const MPI_Aint displs[], MPI_Datatype sendtype, void *recvbuf,
                                 MPI_Count recvcount, MPI_Datatype recvtype, int root,
                                 MPI_Comm comm)
{
    SERVE(STRATA_SCATTERV,
          strata_scatterv_c(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                            root, comm),
          PMPI_Scatterv_c(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
                          comm));
}

STRATA_PUBLIC int MPI_Reduce_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                               MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm)
{
    SERVE(STRATA_REDUCE, strata_reduce_c(sendbuf, recvbuf, count, datatype, op, root, comm),
          PMPI_Reduce_c(sendbuf, recvbuf, count, datatype, op, root, comm));
}

STRATA_PUBLIC int MPI_Allreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                                  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    SERVE(STRATA_ALLREDUCE, strata_allreduce_c(sendbuf, recvbuf, count, datatype, op, comm),
          PMPI_Allreduce_c(sendbuf, recvbuf, count, datatype, op, comm));
}

STRATA_PUBLIC int MPI_Reduce_scatter_c(const void *sendbuf, void *recvbuf,
                                       const MPI_Count recvcounts[], MPI_Datatype datatype,
                                       MPI_Op op, MPI_Comm comm)
{
    SERVE(STRATA_REDUCE_SCATTER,
          strata_reduce_scatter_c(sendbuf, recvbuf, recvcounts, datatype, op, comm),
          PMPI_Reduce_scatter_c(sendbuf, recvbuf, recvcounts, datatype, op, comm));
}

STRATA_PUBLIC int MPI_Reduce_scatter_block_c(const void *sendbuf, void *recvbuf,
                                             MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
                                             MPI_Comm comm)
{
    SERVE(STRATA_REDUCE_SCATTER_BLOCK,
          strata_reduce_scatter_block_c(sendbuf, recvbuf, recvcount, datatype, op, comm),
          PMPI_Reduce_scatter_block_c(sendbuf, recvbuf, recvcount, datatype, op, comm));
}

STRATA_PUBLIC int MPI_Scan_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    SERVE(STRATA_SCAN, strata_scan_c(sendbuf, recvbuf, count, datatype, op, comm),
          PMPI_Scan_c(sendbuf, recvbuf, count, datatype, op, comm));
}

STRATA_PUBLIC int MPI_Exscan_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    SERVE(STRATA_EXSCAN, strata_exscan_c(sendbuf, recvbuf, count, datatype, op, comm),
          PMPI_Exscan_c(sendbuf, recvbuf, count, datatype, op, comm));
}

/* NOLINTEND(readability-function-size) */

#define SAME(name, Name)  SAME_AS(strata_preload_##name##_c, MPI_##Name##_c)
#define SAME_AS(name, of) __typeof__(of) name __attribute__((alias(#of)));
PRELOAD_MOVING(SAME)
#endif
