#include "api/call/signature.h"
#include "include/strata.h"

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = STRATA_ALLTOALL,
        .comm = comm,
        .send = {.buffer = strata_read_only(sendbuf), .count = sendcount, .type = sendtype},
        .recv = {.buffer = recvbuf, .count = recvcount, .type = recvtype},
    };
    return strata_dispatch(&signature);
}
