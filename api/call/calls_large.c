/* The public collectives with large counts, as in MPI-4, on any MPI. */
#include "api/call/again.h"
#include "api/call/call.h"
#include "include/strata.h"

/* The sides of a call, made of its arguments. */
#define BLOCKS(b, n, t)                                                                            \
    {                                                                                              \
        .form = STRATA_SIDE_EQUAL, .buffer = strata_read_only(b), .count = (n), .type = (t)        \
    }
#define VARYING(b, n, d, t)                                                                        \
    {                                                                                              \
        .form = STRATA_SIDE_LARGE_VARYING, .buffer = strata_read_only(b), .large_counts = (n),     \
        .large_displs = (d), .type = (t)                                                           \
    }
#define TYPED(b, n, d, t)                                                                          \
    {                                                                                              \
        .form = STRATA_SIDE_LARGE_TYPED, .buffer = strata_read_only(b), .large_counts = (n),       \
        .large_displs = (d), .types = (t)                                                          \
    }

/* As in calls.c, but the MPI may have no such call. */
#define SERVE(...)                                                                                 \
    const struct strata_signature call = {.large = true, __VA_ARGS__};                             \
    const unsigned changes = strata_changes_now(&strata_process_here);                             \
    struct strata_bound_call *known = strata_call_known(&call, changes);                           \
    struct strata_signature signature = {.large = true, __VA_ARGS__};                              \
                                                                                                   \
    return known ? strata_call_again(known, true) : strata_dispatch(&signature)

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    SERVE(.collective = STRATA_ALLTOALL, .comm = comm, .send = BLOCKS(sendbuf, sendcount, sendtype),
          .recv = BLOCKS(recvbuf, recvcount, recvtype));
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                       MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                       const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    SERVE(.collective = STRATA_ALLTOALLV, .comm = comm,
          .send = VARYING(sendbuf, sendcounts, sdispls, sendtype),
          .recv = VARYING(recvbuf, recvcounts, rdispls, recvtype));
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                       const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                       const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    SERVE(.collective = STRATA_ALLTOALLW, .comm = comm,
          .send = TYPED(sendbuf, sendcounts, sdispls, sendtypes),
          .recv = TYPED(recvbuf, recvcounts, rdispls, recvtypes));
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                       void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    SERVE(.collective = STRATA_ALLGATHER, .comm = comm,
          .send = BLOCKS(sendbuf, sendcount, sendtype),
          .recv = BLOCKS(recvbuf, recvcount, recvtype));
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                        void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                        MPI_Datatype recvtype, MPI_Comm comm)
{
    SERVE(.collective = STRATA_ALLGATHERV, .comm = comm,
          .send = BLOCKS(sendbuf, sendcount, sendtype),
          .recv = VARYING(recvbuf, recvcounts, displs, recvtype));
}

int strata_bcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    SERVE(.collective = STRATA_BCAST, .comm = comm, .recv = BLOCKS(buffer, count, datatype),
          .root = root);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_gather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    SERVE(.collective = STRATA_GATHER, .comm = comm, .send = BLOCKS(sendbuf, sendcount, sendtype),
          .recv = BLOCKS(recvbuf, recvcount, recvtype), .root = root);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_gatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                     const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                     int root, MPI_Comm comm)
{
    SERVE(.collective = STRATA_GATHERV, .comm = comm, .send = BLOCKS(sendbuf, sendcount, sendtype),
          .recv = VARYING(recvbuf, recvcounts, displs, recvtype), .root = root);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_scatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    SERVE(.collective = STRATA_SCATTER, .comm = comm, .send = BLOCKS(sendbuf, sendcount, sendtype),
          .recv = BLOCKS(recvbuf, recvcount, recvtype), .root = root);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_scatterv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                      MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                      MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    SERVE(.collective = STRATA_SCATTERV, .comm = comm,
          .send = VARYING(sendbuf, sendcounts, displs, sendtype),
          .recv = BLOCKS(recvbuf, recvcount, recvtype), .root = root);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_reduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                    MPI_Op op, int root, MPI_Comm comm)
{
    SERVE(.collective = STRATA_REDUCE, .comm = comm, .send = BLOCKS(sendbuf, count, datatype),
          .recv = BLOCKS(recvbuf, count, datatype), .root = root, .op = op);
}

int strata_allreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                       MPI_Op op, MPI_Comm comm)
{
    SERVE(.collective = STRATA_ALLREDUCE, .comm = comm, .send = BLOCKS(sendbuf, count, datatype),
          .recv = BLOCKS(recvbuf, count, datatype), .op = op);
}

int strata_scan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                  MPI_Op op, MPI_Comm comm)
{
    SERVE(.collective = STRATA_SCAN, .comm = comm, .send = BLOCKS(sendbuf, count, datatype),
          .recv = BLOCKS(recvbuf, count, datatype), .op = op);
}

int strata_exscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                    MPI_Op op, MPI_Comm comm)
{
    SERVE(.collective = STRATA_EXSCAN, .comm = comm, .send = BLOCKS(sendbuf, count, datatype),
          .recv = BLOCKS(recvbuf, count, datatype), .op = op);
}

int strata_reduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[],
                            MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    SERVE(.collective = STRATA_REDUCE_SCATTER, .comm = comm,
          .send = VARYING(sendbuf, recvcounts, NULL, datatype),
          .recv = VARYING(recvbuf, recvcounts, NULL, datatype), .op = op);
}

int strata_reduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    SERVE(.collective = STRATA_REDUCE_SCATTER_BLOCK, .comm = comm,
          .send = BLOCKS(sendbuf, recvcount, datatype),
          .recv = BLOCKS(recvbuf, recvcount, datatype), .op = op);
}
