/* The public collectives: arguments into a signature. */
#include "api/call/again.h"
#include "api/call/call_sides.h"
#include "api/call/known_native.h"
#include "core/base/seldom.h"
#include "include/strata.h"

/* The plan or MPI's own collective at once where an earlier call was like this one. Else the
 * signature is put together, in a function of its own: here the compiler only compares it, and
 * leaves the arguments where MPI's own takes them. */
#define CALL(name, Name, parameters, arguments, ...)                                               \
    static STRATA_SELDOM int first_##name parameters                                               \
    {                                                                                              \
        struct strata_signature signature = {__VA_ARGS__};                                         \
                                                                                                   \
        return strata_dispatch(&signature);                                                        \
    }                                                                                              \
    int strata_##name parameters                                                                   \
    {                                                                                              \
        const struct strata_signature asked = {__VA_ARGS__};                                       \
                                                                                                   \
        if (strata_call_is_last(&asked)) {                                                         \
            return strata_call_again(false);                                                       \
        }                                                                                          \
        return strata_native_again(&asked) ? PMPI_##Name arguments : first_##name arguments;       \
    }

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
CALL(alltoall, Alltoall,
     (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
      MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
     .collective = STRATA_ALLTOALL, .comm = comm, .send = BLOCKS(sendbuf, sendcount, sendtype),
     .recv = BLOCKS(recvbuf, recvcount, recvtype))

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
CALL(alltoallv, Alltoallv,
     (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
      void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
      MPI_Comm comm),
     (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm),
     .collective = STRATA_ALLTOALLV, .comm = comm,
     .send = VARYING(sendbuf, sendcounts, sdispls, sendtype),
     .recv = VARYING(recvbuf, recvcounts, rdispls, recvtype))

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
CALL(alltoallw, Alltoallw,
     (const void *sendbuf, const int sendcounts[], const int sdispls[],
      const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
      const MPI_Datatype recvtypes[], MPI_Comm comm),
     (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm),
     .collective = STRATA_ALLTOALLW, .comm = comm,
     .send = TYPED(sendbuf, sendcounts, sdispls, sendtypes),
     .recv = TYPED(recvbuf, recvcounts, rdispls, recvtypes))

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
CALL(allgather, Allgather,
     (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
      MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
     .collective = STRATA_ALLGATHER, .comm = comm, .send = BLOCKS(sendbuf, sendcount, sendtype),
     .recv = BLOCKS(recvbuf, recvcount, recvtype))

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
CALL(allgatherv, Allgatherv,
     (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
      const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm),
     .collective = STRATA_ALLGATHERV, .comm = comm, .send = BLOCKS(sendbuf, sendcount, sendtype),
     .recv = VARYING(recvbuf, recvcounts, displs, recvtype))

CALL(bcast, Bcast, (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm),
     (buffer, count, datatype, root, comm), .collective = STRATA_BCAST, .comm = comm,
     .recv = BLOCKS(buffer, count, datatype), .root = root)

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
CALL(gather, Gather,
     (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
      MPI_Datatype recvtype, int root, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
     .collective = STRATA_GATHER, .comm = comm, .send = BLOCKS(sendbuf, sendcount, sendtype),
     .recv = BLOCKS(recvbuf, recvcount, recvtype), .root = root)

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
CALL(gatherv, Gatherv,
     (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
      const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm),
     .collective = STRATA_GATHERV, .comm = comm, .send = BLOCKS(sendbuf, sendcount, sendtype),
     .recv = VARYING(recvbuf, recvcounts, displs, recvtype), .root = root)

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
CALL(scatter, Scatter,
     (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
      MPI_Datatype recvtype, int root, MPI_Comm comm),
     (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
     .collective = STRATA_SCATTER, .comm = comm, .send = BLOCKS(sendbuf, sendcount, sendtype),
     .recv = BLOCKS(recvbuf, recvcount, recvtype), .root = root)

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
CALL(scatterv, Scatterv,
     (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
      void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
     (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm),
     .collective = STRATA_SCATTERV, .comm = comm,
     .send = VARYING(sendbuf, sendcounts, displs, sendtype),
     .recv = BLOCKS(recvbuf, recvcount, recvtype), .root = root)

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
CALL(reduce, Reduce,
     (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
      MPI_Comm comm),
     (sendbuf, recvbuf, count, datatype, op, root, comm), .collective = STRATA_REDUCE, .comm = comm,
     .send = BLOCKS(sendbuf, count, datatype), .recv = BLOCKS(recvbuf, count, datatype),
     .root = root, .op = op)

CALL(allreduce, Allreduce,
     (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
      MPI_Comm comm),
     (sendbuf, recvbuf, count, datatype, op, comm), .collective = STRATA_ALLREDUCE, .comm = comm,
     .send = BLOCKS(sendbuf, count, datatype), .recv = BLOCKS(recvbuf, count, datatype), .op = op)

CALL(scan, Scan,
     (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
      MPI_Comm comm),
     (sendbuf, recvbuf, count, datatype, op, comm), .collective = STRATA_SCAN, .comm = comm,
     .send = BLOCKS(sendbuf, count, datatype), .recv = BLOCKS(recvbuf, count, datatype), .op = op)

CALL(exscan, Exscan,
     (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
      MPI_Comm comm),
     (sendbuf, recvbuf, count, datatype, op, comm), .collective = STRATA_EXSCAN, .comm = comm,
     .send = BLOCKS(sendbuf, count, datatype), .recv = BLOCKS(recvbuf, count, datatype), .op = op)

CALL(reduce_scatter, Reduce_scatter,
     (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
      MPI_Comm comm),
     (sendbuf, recvbuf, recvcounts, datatype, op, comm), .collective = STRATA_REDUCE_SCATTER,
     .comm = comm, .send = VARYING(sendbuf, recvcounts, NULL, datatype),
     .recv = VARYING(recvbuf, recvcounts, NULL, datatype), .op = op)

CALL(reduce_scatter_block, Reduce_scatter_block,
     (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
      MPI_Comm comm),
     (sendbuf, recvbuf, recvcount, datatype, op, comm), .collective = STRATA_REDUCE_SCATTER_BLOCK,
     .comm = comm, .send = BLOCKS(sendbuf, recvcount, datatype),
     .recv = BLOCKS(recvbuf, recvcount, datatype), .op = op)

CALL(barrier, Barrier, (MPI_Comm comm), (comm), .collective = STRATA_BARRIER, .comm = comm)
