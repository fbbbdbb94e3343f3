/* MPI's collectives with large counts, where MPI has them. */
#include "include/strata.h"
#include "preload/collectives.h"
#include "preload/serve.h"

#if MPI_VERSION >= 4
/* NOLINTBEGIN(readability-function-size): the parameters are MPI's */

SERVE(STRATA_ALLTOALL, strata_alltoall_c, MPI_Alltoall_c,
      (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
       MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm),
      (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))

SERVE(STRATA_ALLTOALLV, strata_alltoallv_c, MPI_Alltoallv_c,
      (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
       MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
       MPI_Datatype recvtype, MPI_Comm comm),
      (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm))

SERVE(STRATA_ALLTOALLW, strata_alltoallw_c, MPI_Alltoallw_c,
      (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
       const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
       const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm),
      (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm))

SERVE(STRATA_ALLGATHER, strata_allgather_c, MPI_Allgather_c,
      (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
       MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm),
      (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))

SERVE(STRATA_ALLGATHERV, strata_allgatherv_c, MPI_Allgatherv_c,
      (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
       const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm),
      (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm))

SERVE(STRATA_BCAST, strata_bcast_c, MPI_Bcast_c,
      (void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm),
      (buffer, count, datatype, root, comm))

SERVE(STRATA_GATHER, strata_gather_c, MPI_Gather_c,
      (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
       MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
      (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))

SERVE(STRATA_GATHERV, strata_gatherv_c, MPI_Gatherv_c,
      (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
       const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
       MPI_Comm comm),
      (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm))

SERVE(STRATA_SCATTER, strata_scatter_c, MPI_Scatter_c,
      (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
       MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
      (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))

SERVE(STRATA_SCATTERV, strata_scatterv_c, MPI_Scatterv_c,
      (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
       MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
       MPI_Comm comm),
      (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm))

SERVE(STRATA_REDUCE, strata_reduce_c, MPI_Reduce_c,
      (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
       int root, MPI_Comm comm),
      (sendbuf, recvbuf, count, datatype, op, root, comm))

SERVE(STRATA_ALLREDUCE, strata_allreduce_c, MPI_Allreduce_c,
      (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
       MPI_Comm comm),
      (sendbuf, recvbuf, count, datatype, op, comm))

SERVE(STRATA_REDUCE_SCATTER, strata_reduce_scatter_c, MPI_Reduce_scatter_c,
      (const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
       MPI_Op op, MPI_Comm comm),
      (sendbuf, recvbuf, recvcounts, datatype, op, comm))

SERVE(STRATA_REDUCE_SCATTER_BLOCK, strata_reduce_scatter_block_c, MPI_Reduce_scatter_block_c,
      (const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
       MPI_Comm comm),
      (sendbuf, recvbuf, recvcount, datatype, op, comm))

SERVE(STRATA_SCAN, strata_scan_c, MPI_Scan_c,
      (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
       MPI_Comm comm),
      (sendbuf, recvbuf, count, datatype, op, comm))

SERVE(STRATA_EXSCAN, strata_exscan_c, MPI_Exscan_c,
      (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
       MPI_Comm comm),
      (sendbuf, recvbuf, count, datatype, op, comm))

/* NOLINTEND(readability-function-size) */

#define SAME(name, Name)  SAME_AS(strata_preload_##name##_c, MPI_##Name##_c)
#define SAME_AS(name, of) __typeof__(of) name __attribute__((alias(#of)));
PRELOAD_MOVING(SAME)
#endif
