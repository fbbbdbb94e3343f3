/* The public collectives: arguments into a signature. */
#include "api/call/again.h"
#include "api/call/call_sides.h"
#include "api/call/known_native.h"
#include "include/strata.h"

/* MPI's own collective or the plan at once where an earlier call was like this one. Else the
 * signature is put together: it stands here twice, for the compiler only compares the first. */
#define SERVE(native, ...)                                                                         \
    const struct strata_signature asked = {__VA_ARGS__};                                           \
    struct strata_state *knows = strata_native_known(&asked);                                      \
                                                                                                   \
    if (knows && strata_native_count(knows, asked.collective)) {                                   \
        return native;                                                                             \
    }                                                                                              \
    if (strata_call_is_last(&asked)) {                                                             \
        return strata_call_again(false);                                                           \
    }                                                                                              \
    struct strata_signature signature = {__VA_ARGS__};                                             \
    return strata_dispatch(&signature)

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    SERVE(PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
          .collective = STRATA_ALLTOALL, .comm = comm, .send = BLOCKS(sendbuf, sendcount, sendtype),
          .recv = BLOCKS(recvbuf, recvcount, recvtype));
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                     MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                     const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    SERVE(PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                         recvtype, comm),
          .collective = STRATA_ALLTOALLV, .comm = comm,
          .send = VARYING(sendbuf, sendcounts, sdispls, sendtype),
          .recv = VARYING(recvbuf, recvcounts, rdispls, recvtype));
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                     const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                     const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    SERVE(PMPI_Alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                         recvtypes, comm),
          .collective = STRATA_ALLTOALLW, .comm = comm,
          .send = TYPED(sendbuf, sendcounts, sdispls, sendtypes),
          .recv = TYPED(recvbuf, recvcounts, rdispls, recvtypes));
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                     int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    SERVE(PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
          .collective = STRATA_ALLGATHER, .comm = comm,
          .send = BLOCKS(sendbuf, sendcount, sendtype),
          .recv = BLOCKS(recvbuf, recvcount, recvtype));
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                      const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                      MPI_Comm comm)
{
    SERVE(
        PMPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm),
        .collective = STRATA_ALLGATHERV, .comm = comm, .send = BLOCKS(sendbuf, sendcount, sendtype),
        .recv = VARYING(recvbuf, recvcounts, displs, recvtype));
}

int strata_bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    SERVE(PMPI_Bcast(buffer, count, datatype, root, comm), .collective = STRATA_BCAST, .comm = comm,
          .recv = BLOCKS(buffer, count, datatype), .root = root);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    SERVE(PMPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
          .collective = STRATA_GATHER, .comm = comm, .send = BLOCKS(sendbuf, sendcount, sendtype),
          .recv = BLOCKS(recvbuf, recvcount, recvtype), .root = root);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                   MPI_Comm comm)
{
    SERVE(PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
                       comm),
          .collective = STRATA_GATHERV, .comm = comm, .send = BLOCKS(sendbuf, sendcount, sendtype),
          .recv = VARYING(recvbuf, recvcounts, displs, recvtype), .root = root);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    SERVE(PMPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
          .collective = STRATA_SCATTER, .comm = comm, .send = BLOCKS(sendbuf, sendcount, sendtype),
          .recv = BLOCKS(recvbuf, recvcount, recvtype), .root = root);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                    MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                    int root, MPI_Comm comm)
{
    SERVE(PMPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
                        comm),
          .collective = STRATA_SCATTERV, .comm = comm,
          .send = VARYING(sendbuf, sendcounts, displs, sendtype),
          .recv = BLOCKS(recvbuf, recvcount, recvtype), .root = root);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  int root, MPI_Comm comm)
{
    SERVE(PMPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm),
          .collective = STRATA_REDUCE, .comm = comm, .send = BLOCKS(sendbuf, count, datatype),
          .recv = BLOCKS(recvbuf, count, datatype), .root = root, .op = op);
}

int strata_allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm comm)
{
    SERVE(PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm),
          .collective = STRATA_ALLREDUCE, .comm = comm, .send = BLOCKS(sendbuf, count, datatype),
          .recv = BLOCKS(recvbuf, count, datatype), .op = op);
}

int strata_scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm)
{
    SERVE(PMPI_Scan(sendbuf, recvbuf, count, datatype, op, comm), .collective = STRATA_SCAN,
          .comm = comm, .send = BLOCKS(sendbuf, count, datatype),
          .recv = BLOCKS(recvbuf, count, datatype), .op = op);
}

int strata_exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm)
{
    SERVE(PMPI_Exscan(sendbuf, recvbuf, count, datatype, op, comm), .collective = STRATA_EXSCAN,
          .comm = comm, .send = BLOCKS(sendbuf, count, datatype),
          .recv = BLOCKS(recvbuf, count, datatype), .op = op);
}

int strata_reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    SERVE(PMPI_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm),
          .collective = STRATA_REDUCE_SCATTER, .comm = comm,
          .send = VARYING(sendbuf, recvcounts, NULL, datatype),
          .recv = VARYING(recvbuf, recvcounts, NULL, datatype), .op = op);
}

int strata_reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    SERVE(PMPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm),
          .collective = STRATA_REDUCE_SCATTER_BLOCK, .comm = comm,
          .send = BLOCKS(sendbuf, recvcount, datatype),
          .recv = BLOCKS(recvbuf, recvcount, datatype), .op = op);
}

int strata_barrier(MPI_Comm comm)
{
    SERVE(PMPI_Barrier(comm), .collective = STRATA_BARRIER, .comm = comm);
}
