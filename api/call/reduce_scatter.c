#include "api/call/signature.h"
#include "include/strata.h"

int strata_reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = STRATA_REDUCE_SCATTER,
        .comm = comm,
        .send = {.buffer = strata_read_only(sendbuf), .counts = recvcounts, .type = datatype},
        .recv = {.buffer = recvbuf, .counts = recvcounts, .type = datatype},
        .op = op,
    };
    return strata_dispatch(&signature);
}

int strata_reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = STRATA_REDUCE_SCATTER_BLOCK,
        .comm = comm,
        .send = {.buffer = strata_read_only(sendbuf), .count = recvcount, .type = datatype},
        .recv = {.buffer = recvbuf, .count = recvcount, .type = datatype},
        .op = op,
    };
    return strata_dispatch(&signature);
}
