#include "api/call/signature.h"
#include "include/strata.h"

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = STRATA_SCATTER,
        .comm = comm,
        .send = {.buffer = strata_read_only(sendbuf), .count = sendcount, .type = sendtype},
        .recv = {.buffer = recvbuf, .count = recvcount, .type = recvtype},
        .root = root,
    };
    return strata_dispatch(&signature);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                    MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                    int root, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = STRATA_SCATTERV,
        .comm = comm,
        .send = {.buffer = strata_read_only(sendbuf),
                 .counts = sendcounts,
                 .displs = displs,
                 .type = sendtype},
        .recv = {.buffer = recvbuf, .count = recvcount, .type = recvtype},
        .root = root,
    };
    return strata_dispatch(&signature);
}
