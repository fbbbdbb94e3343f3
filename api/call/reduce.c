/* The reductions of whole vectors: all that differs is which collective, and the root. */
#include "api/call/signature.h"
#include "include/strata.h"

static int reduce(struct strata_signature signature, const void *sendbuf, void *recvbuf, int count,
                  MPI_Datatype datatype)
{
    struct strata_side side = {.count = count, .type = datatype};

    signature.send = signature.recv = side;
    signature.send.buffer = strata_read_only(sendbuf);
    signature.recv.buffer = recvbuf;
    return strata_dispatch(&signature);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  int root, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = STRATA_REDUCE, .comm = comm, .op = op, .root = root};

    return reduce(signature, sendbuf, recvbuf, count, datatype);
}

int strata_allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm comm)
{
    struct strata_signature signature = {.collective = STRATA_ALLREDUCE, .comm = comm, .op = op};

    return reduce(signature, sendbuf, recvbuf, count, datatype);
}

int strata_scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm)
{
    struct strata_signature signature = {.collective = STRATA_SCAN, .comm = comm, .op = op};

    return reduce(signature, sendbuf, recvbuf, count, datatype);
}

int strata_exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm)
{
    struct strata_signature signature = {.collective = STRATA_EXSCAN, .comm = comm, .op = op};

    return reduce(signature, sendbuf, recvbuf, count, datatype);
}
