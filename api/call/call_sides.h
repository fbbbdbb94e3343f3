/* Makes the sides of a signature from a call's arguments. */
#ifndef STRATA_API_CALL_CALL_SIDES_H
#define STRATA_API_CALL_CALL_SIDES_H

#include "api/call/signature.h"

#define BLOCKS(b, n, t)                                                                            \
    {                                                                                              \
        .form = STRATA_SIDE_EQUAL, .buffer = strata_read_only(b), .count = (n), .type = (t)        \
    }
#define VARYING(b, n, d, t)                                                                        \
    {                                                                                              \
        .form = STRATA_SIDE_VARYING, .buffer = strata_read_only(b), .counts = (n), .displs = (d),  \
        .type = (t)                                                                                \
    }
#define TYPED(b, n, d, t)                                                                          \
    {                                                                                              \
        .form = STRATA_SIDE_TYPED, .buffer = strata_read_only(b), .counts = (n), .displs = (d),    \
        .types = (t)                                                                               \
    }

/* Both sides, made of parameters that have MPI's names. */
#define BLOCKS_TO_BLOCKS                                                                           \
    .send = BLOCKS(sendbuf, sendcount, sendtype), .recv = BLOCKS(recvbuf, recvcount, recvtype)
#define BLOCKS_TO_VARYING                                                                          \
    .send = BLOCKS(sendbuf, sendcount, sendtype),                                                  \
    .recv = VARYING(recvbuf, recvcounts, displs, recvtype)
#define VARYING_TO_BLOCKS                                                                          \
    .send = VARYING(sendbuf, sendcounts, displs, sendtype),                                        \
    .recv = BLOCKS(recvbuf, recvcount, recvtype)
#define VARYING_TO_VARYING                                                                         \
    .send = VARYING(sendbuf, sendcounts, sdispls, sendtype),                                       \
    .recv = VARYING(recvbuf, recvcounts, rdispls, recvtype)
#define TYPED_TO_TYPED                                                                             \
    .send = TYPED(sendbuf, sendcounts, sdispls, sendtypes),                                        \
    .recv = TYPED(recvbuf, recvcounts, rdispls, recvtypes)
#define FROM_ROOT .recv = BLOCKS(buffer, count, datatype)
#define OPERANDS(n)                                                                                \
    .send = BLOCKS(sendbuf, n, datatype), .recv = BLOCKS(recvbuf, n, datatype), .op = op
#define PARTS                                                                                      \
    .send = VARYING(sendbuf, recvcounts, NULL, datatype),                                          \
    .recv = VARYING(recvbuf, recvcounts, NULL, datatype), .op = op

#endif
