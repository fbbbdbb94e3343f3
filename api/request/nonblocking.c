/* The public nonblocking collectives. */
#include "api/call/call_sides.h"
#include "api/request/request.h"
#include "include/strata.h"

/* NOLINTBEGIN(readability-function-size): the parameters are MPI's */

int strata_ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                     int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                     struct strata_request **request)
{
    const struct strata_signature call = {
        .collective = STRATA_ALLTOALL, .comm = comm, BLOCKS_TO_BLOCKS};
    return strata_request_begin(&call, request);
}

int strata_ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                      MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                      const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                      struct strata_request **request)
{
    const struct strata_signature call = {
        .collective = STRATA_ALLTOALLV, .comm = comm, VARYING_TO_VARYING};
    return strata_request_begin(&call, request);
}

int strata_ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                      const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                      const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                      struct strata_request **request)
{
    const struct strata_signature call = {
        .collective = STRATA_ALLTOALLW, .comm = comm, TYPED_TO_TYPED};
    return strata_request_begin(&call, request);
}

int strata_iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                      int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                      struct strata_request **request)
{
    const struct strata_signature call = {
        .collective = STRATA_ALLGATHER, .comm = comm, BLOCKS_TO_BLOCKS};
    return strata_request_begin(&call, request);
}

int strata_iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                       const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                       MPI_Comm comm, struct strata_request **request)
{
    const struct strata_signature call = {
        .collective = STRATA_ALLGATHERV, .comm = comm, BLOCKS_TO_VARYING};
    return strata_request_begin(&call, request);
}

int strata_ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                  struct strata_request **request)
{
    const struct strata_signature call = {
        .collective = STRATA_BCAST, .comm = comm, FROM_ROOT, .root = root};
    return strata_request_begin(&call, request);
}

int strata_igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                   struct strata_request **request)
{
    const struct strata_signature call = {
        .collective = STRATA_GATHER, .comm = comm, BLOCKS_TO_BLOCKS, .root = root};
    return strata_request_begin(&call, request);
}

int strata_igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                    MPI_Comm comm, struct strata_request **request)
{
    const struct strata_signature call = {
        .collective = STRATA_GATHERV, .comm = comm, BLOCKS_TO_VARYING, .root = root};
    return strata_request_begin(&call, request);
}

int strata_iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                    struct strata_request **request)
{
    const struct strata_signature call = {
        .collective = STRATA_SCATTER, .comm = comm, BLOCKS_TO_BLOCKS, .root = root};
    return strata_request_begin(&call, request);
}

int strata_iscatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                     MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                     int root, MPI_Comm comm, struct strata_request **request)
{
    const struct strata_signature call = {
        .collective = STRATA_SCATTERV, .comm = comm, VARYING_TO_BLOCKS, .root = root};
    return strata_request_begin(&call, request);
}

int strata_ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   int root, MPI_Comm comm, struct strata_request **request)
{
    const struct strata_signature call = {
        .collective = STRATA_REDUCE, .comm = comm, OPERANDS(count), .root = root};
    return strata_request_begin(&call, request);
}

int strata_iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                      MPI_Op op, MPI_Comm comm, struct strata_request **request)
{
    const struct strata_signature call = {
        .collective = STRATA_ALLREDUCE, .comm = comm, OPERANDS(count)};
    return strata_request_begin(&call, request);
}

int strata_ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                           struct strata_request **request)
{
    const struct strata_signature call = {.collective = STRATA_REDUCE_SCATTER, .comm = comm, PARTS};
    return strata_request_begin(&call, request);
}

int strata_ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                 struct strata_request **request)
{
    const struct strata_signature call = {
        .collective = STRATA_REDUCE_SCATTER_BLOCK, .comm = comm, OPERANDS(recvcount)};
    return strata_request_begin(&call, request);
}

int strata_iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                 MPI_Comm comm, struct strata_request **request)
{
    const struct strata_signature call = {.collective = STRATA_SCAN, .comm = comm, OPERANDS(count)};
    return strata_request_begin(&call, request);
}

int strata_iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm, struct strata_request **request)
{
    const struct strata_signature call = {
        .collective = STRATA_EXSCAN, .comm = comm, OPERANDS(count)};
    return strata_request_begin(&call, request);
}

int strata_ibarrier(MPI_Comm comm, struct strata_request **request)
{
    const struct strata_signature call = {.collective = STRATA_BARRIER, .comm = comm};
    return strata_request_begin(&call, request);
}

/* NOLINTEND(readability-function-size) */
