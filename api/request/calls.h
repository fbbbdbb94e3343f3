/* The collectives that begin, or describe, a call which goes on by itself: a row each, with MPI's
 * parameters and what of a signature they become. */
#ifndef STRATA_API_REQUEST_CALLS_H
#define STRATA_API_REQUEST_CALLS_H

#include "api/call/call_sides.h"

#define STRATA_REQUEST_TABLE(ROW)                                                                  \
    ROW(alltoall, ALLTOALL, (SENT, TAKEN, ), BLOCK_TO_BLOCK)                                       \
    ROW(alltoallv, ALLTOALLV, (SENT_EACH, TAKEN_EACH, ), EACH_TO_EACH)                             \
    ROW(alltoallw, ALLTOALLW, (SENT_TYPED, TAKEN_TYPED, ), TYPED_TO_TYPED)                         \
    ROW(allgather, ALLGATHER, (SENT, TAKEN, ), BLOCK_TO_BLOCK)                                     \
    ROW(allgatherv, ALLGATHERV, (SENT, COLLECTED, ), BLOCK_TO_EACH)                                \
    ROW(bcast, BCAST, (void *buffer, int count, MPI_Datatype datatype, int root, ), SPREAD)        \
    ROW(gather, GATHER, (SENT, TAKEN, int root, ), ROOTED(BLOCK_TO_BLOCK))                         \
    ROW(gatherv, GATHERV, (SENT, COLLECTED, int root, ), ROOTED(BLOCK_TO_EACH))                    \
    ROW(scatter, SCATTER, (SENT, TAKEN, int root, ), ROOTED(BLOCK_TO_BLOCK))                       \
    ROW(scatterv, SCATTERV, (DEALT, TAKEN, int root, ), ROOTED(EACH_TO_BLOCK))                     \
    ROW(reduce, REDUCE, (OPERANDS(int count), int root, ), ROOTED(COMBINED(count)))                \
    ROW(allreduce, ALLREDUCE, (OPERANDS(int count), ), COMBINED(count))                            \
    ROW(reduce_scatter, REDUCE_SCATTER, (OPERANDS(const int recvcounts[]), ), COMBINED_PARTS)      \
    ROW(reduce_scatter_block, REDUCE_SCATTER_BLOCK, (OPERANDS(int recvcount), ),                   \
        COMBINED(recvcount))                                                                       \
    ROW(scan, SCAN, (OPERANDS(int count), ), COMBINED(count))                                      \
    ROW(exscan, EXSCAN, (OPERANDS(int count), ), COMBINED(count))                                  \
    ROW(barrier, BARRIER, (), )

/* Parameters. */
#define SENT  const void *sendbuf, int sendcount, MPI_Datatype sendtype
#define TAKEN void *recvbuf, int recvcount, MPI_Datatype recvtype
#define SENT_EACH                                                                                  \
    const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype
#define TAKEN_EACH void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype
#define SENT_TYPED                                                                                 \
    const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[]
#define TAKEN_TYPED                                                                                \
    void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[]

#define COLLECTED void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype

#define DEALT const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype

#define OPERANDS(count) const void *sendbuf, void *recvbuf, count, MPI_Datatype datatype, MPI_Op op

/* Of a signature. */
#define BLOCK_TO_BLOCK                                                                             \
    .send = BLOCKS(sendbuf, sendcount, sendtype), .recv = BLOCKS(recvbuf, recvcount, recvtype),
#define EACH_TO_EACH                                                                               \
    .send = VARYING(sendbuf, sendcounts, sdispls, sendtype),                                       \
    .recv = VARYING(recvbuf, recvcounts, rdispls, recvtype),
#define TYPED_TO_TYPED                                                                             \
    .send = TYPED(sendbuf, sendcounts, sdispls, sendtypes),                                        \
    .recv = TYPED(recvbuf, recvcounts, rdispls, recvtypes),
#define BLOCK_TO_EACH                                                                              \
    .send = BLOCKS(sendbuf, sendcount, sendtype),                                                  \
    .recv = VARYING(recvbuf, recvcounts, displs, recvtype),
#define EACH_TO_BLOCK                                                                              \
    .send = VARYING(sendbuf, sendcounts, displs, sendtype),                                        \
    .recv = BLOCKS(recvbuf, recvcount, recvtype),
#define SPREAD ROOTED(.recv = BLOCKS(buffer, count, datatype), )
#define COMBINED(n)                                                                                \
    .send = BLOCKS(sendbuf, n, datatype), .recv = BLOCKS(recvbuf, n, datatype), .op = op,
#define COMBINED_PARTS                                                                             \
    .send = VARYING(sendbuf, recvcounts, NULL, datatype),                                          \
    .recv = VARYING(recvbuf, recvcounts, NULL, datatype), .op = op,
#define ROOTED(...) __VA_ARGS__.root = root,

/* Parameters, each with a comma behind, out of their parentheses. */
#define STRATA_LISTED(...) __VA_ARGS__

#endif
