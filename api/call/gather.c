#include "api/call/signature.h"
#include "include/strata.h"

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = STRATA_GATHER,
        .comm = comm,
        .send = {.buffer = strata_read_only(sendbuf), .count = sendcount, .type = sendtype},
        .recv = {.buffer = recvbuf, .count = recvcount, .type = recvtype},
        .root = root,
    };
    return strata_dispatch(&signature);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                   MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = STRATA_GATHERV,
        .comm = comm,
        .send = {.buffer = strata_read_only(sendbuf), .count = sendcount, .type = sendtype},
        .recv = {.buffer = recvbuf, .counts = recvcounts, .displs = displs, .type = recvtype},
        .root = root,
    };
    return strata_dispatch(&signature);
}
