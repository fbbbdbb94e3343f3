#include "api/call/signature.h"
#include "include/strata.h"

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                     MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                     const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = STRATA_ALLTOALLV,
        .comm = comm,
        .send = {.buffer = strata_read_only(sendbuf),
                 .counts = sendcounts,
                 .displs = sdispls,
                 .type = sendtype},
        .recv = {.buffer = recvbuf, .counts = recvcounts, .displs = rdispls, .type = recvtype},
    };
    return strata_dispatch(&signature);
}
