/* MPI's collectives, as programs that do not know of Strata call them. */
#include "preload/collectives.h"

#include "include/strata.h"
#include "preload/serve.h"

/* The calls in C, which a tool that was loaded before may catch. */

/* NOLINTBEGIN(readability-function-size): the parameters are MPI's */

SERVE(STRATA_ALLTOALL, strata_alltoall, MPI_Alltoall,
      (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
       MPI_Datatype recvtype, MPI_Comm comm),
      (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))

SERVE(STRATA_ALLTOALLV, strata_alltoallv, MPI_Alltoallv,
      (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
       void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
       MPI_Comm comm),
      (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm))

SERVE(STRATA_ALLTOALLW, strata_alltoallw, MPI_Alltoallw,
      (const void *sendbuf, const int sendcounts[], const int sdispls[],
       const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
       const MPI_Datatype recvtypes[], MPI_Comm comm),
      (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm))

SERVE(STRATA_ALLGATHER, strata_allgather, MPI_Allgather,
      (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
       MPI_Datatype recvtype, MPI_Comm comm),
      (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))

SERVE(STRATA_ALLGATHERV, strata_allgatherv, MPI_Allgatherv,
      (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
       const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm),
      (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm))

SERVE(STRATA_BCAST, strata_bcast, MPI_Bcast,
      (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm),
      (buffer, count, datatype, root, comm))

SERVE(STRATA_GATHER, strata_gather, MPI_Gather,
      (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
       MPI_Datatype recvtype, int root, MPI_Comm comm),
      (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))

SERVE(STRATA_GATHERV, strata_gatherv, MPI_Gatherv,
      (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
       const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm),
      (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm))

SERVE(STRATA_SCATTER, strata_scatter, MPI_Scatter,
      (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
       MPI_Datatype recvtype, int root, MPI_Comm comm),
      (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))

SERVE(STRATA_SCATTERV, strata_scatterv, MPI_Scatterv,
      (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
       void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
      (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm))

SERVE(STRATA_REDUCE, strata_reduce, MPI_Reduce,
      (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
       MPI_Comm comm),
      (sendbuf, recvbuf, count, datatype, op, root, comm))

SERVE(STRATA_ALLREDUCE, strata_allreduce, MPI_Allreduce,
      (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
       MPI_Comm comm),
      (sendbuf, recvbuf, count, datatype, op, comm))

SERVE(STRATA_REDUCE_SCATTER, strata_reduce_scatter, MPI_Reduce_scatter,
      (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
       MPI_Comm comm),
      (sendbuf, recvbuf, recvcounts, datatype, op, comm))

SERVE(STRATA_REDUCE_SCATTER_BLOCK, strata_reduce_scatter_block, MPI_Reduce_scatter_block,
      (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
       MPI_Comm comm),
      (sendbuf, recvbuf, recvcount, datatype, op, comm))

SERVE(STRATA_SCAN, strata_scan, MPI_Scan,
      (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
       MPI_Comm comm),
      (sendbuf, recvbuf, count, datatype, op, comm))

SERVE(STRATA_EXSCAN, strata_exscan, MPI_Exscan,
      (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
       MPI_Comm comm),
      (sendbuf, recvbuf, count, datatype, op, comm))

SERVE(STRATA_BARRIER, strata_barrier, MPI_Barrier, (MPI_Comm comm), (comm))

/* NOLINTEND(readability-function-size) */

/* The same functions under names that no tool catches. */
#define SAME(name, Name)  SAME_AS(strata_preload_##name, MPI_##Name)
#define SAME_AS(name, of) __typeof__(of) name __attribute__((alias(#of)));
PRELOAD_ALL(SAME)
