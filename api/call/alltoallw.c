#include "api/call/signature.h"
#include "include/strata.h"

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                     const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                     const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = STRATA_ALLTOALLW,
        .comm = comm,
        .send = {.buffer = strata_read_only(sendbuf),
                 .counts = sendcounts,
                 .displs = sdispls,
                 .types = sendtypes},
        .recv = {.buffer = recvbuf, .counts = recvcounts, .displs = rdispls, .types = recvtypes},
    };
    return strata_dispatch(&signature);
}
