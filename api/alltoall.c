#include "api/signature.h"
#include "include/strata.h"

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = STRATA_ALLTOALL,
        .comm = comm,
        .send = {.buffer = (void *)(uintptr_t)sendbuf, .count = sendcount, .type = sendtype},
        .recv = {.buffer = recvbuf, .count = recvcount, .type = recvtype},
        .in_place = sendbuf == MPI_IN_PLACE,
    };
    return strata_dispatch(&signature);
}
