/* The public collectives: arguments into a signature. */
#include "api/call/call.h"
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

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                     int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = STRATA_ALLGATHER,
        .comm = comm,
        .send = {.buffer = strata_read_only(sendbuf), .count = sendcount, .type = sendtype},
        .recv = {.buffer = recvbuf, .count = recvcount, .type = recvtype},
    };
    return strata_dispatch(&signature);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                      const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                      MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = STRATA_ALLGATHERV,
        .comm = comm,
        .send = {.buffer = strata_read_only(sendbuf), .count = sendcount, .type = sendtype},
        .recv = {.buffer = recvbuf, .counts = recvcounts, .displs = displs, .type = recvtype},
    };
    return strata_dispatch(&signature);
}

int strata_bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = STRATA_BCAST,
        .comm = comm,
        .recv = {.buffer = buffer, .count = count, .type = datatype},
        .root = root,
    };
    return strata_dispatch(&signature);
}

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

int strata_barrier(MPI_Comm comm)
{
    struct strata_signature signature = {.collective = STRATA_BARRIER, .comm = comm};

    return strata_dispatch(&signature);
}
