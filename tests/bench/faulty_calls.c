/* Stands in front of two collectives, and the other forms of one of them (linked with --wrap), and
 * spoils their results on rank 1 in the way that FAULT names. strata_bench must notice each fault.
 * Without FAULT nothing is spoilt. */
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"

int __real_strata_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                            const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);
int __wrap_strata_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                            const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);
int __real_strata_ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                             MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                             const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                             struct strata_request **request);
int __wrap_strata_ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                             MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                             const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                             struct strata_request **request);
int __real_strata_alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                 MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                 const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                 MPI_Info info, struct strata_request **request);
int __wrap_strata_alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                 MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                 const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                 MPI_Info info, struct strata_request **request);
int __real_strata_request_free(struct strata_request **request);
int __wrap_strata_request_free(struct strata_request **request);
int __real_strata_wait(struct strata_request **request, MPI_Status *status);
int __wrap_strata_wait(struct strata_request **request, MPI_Status *status);
int __real_strata_allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                            MPI_Op op, MPI_Comm comm);
int __wrap_strata_allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                            MPI_Op op, MPI_Comm comm);

/* "later" leaves the first call right, for the first proof. */
static int is_spoilt(const char *fault, MPI_Comm comm)
{
    const char *asked = getenv("FAULT");
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (!asked || strcmp(asked, fault) != 0) {
        return 0;
    }
    static int calls;
    return rank == 1 && (strcmp(fault, "later") != 0 || calls++ > 0);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int __wrap_strata_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                            const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    const char *fault = getenv("FAULT");
    if (fault && strcmp(fault, "nothing") == 0) {
        return MPI_SUCCESS;
    }
    int code = __real_strata_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                       rdispls, recvtype, comm);
    unsigned char *bytes = recvbuf;
    if (is_spoilt("altered", comm) || is_spoilt("later", comm)) {
        bytes[rdispls[0]] ^= 1;
    } else if (is_spoilt("swapped", comm)) {
        for (int i = 0; i < recvcounts[0]; i++) {
            unsigned char kept = bytes[rdispls[0] + i];
            bytes[rdispls[0] + i] = bytes[rdispls[1] + i];
            bytes[rdispls[1] + i] = kept;
        }
    }
    return code;
}

int __wrap_strata_allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                            MPI_Op op, MPI_Comm comm)
{
    int code = __real_strata_allreduce(sendbuf, recvbuf, count, datatype, op, comm);
    if (is_spoilt("altered", comm)) {
        *(unsigned *)recvbuf += 1;
    }
    return code;
}

/* The request that was begun or described last; only one is open at a time. */
static struct {
    unsigned char *first; /* the first received byte; NULL: of another collective */
    MPI_Comm comm;
} begun;

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int __wrap_strata_ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                             MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                             const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                             struct strata_request **request)
{
    begun.first = (unsigned char *)recvbuf + rdispls[0];
    begun.comm = comm;
    return __real_strata_ialltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                    rdispls, recvtype, comm, request);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int __wrap_strata_alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                 MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                 const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                 MPI_Info info, struct strata_request **request)
{
    begun.first = (unsigned char *)recvbuf + rdispls[0];
    begun.comm = comm;
    return __real_strata_alltoallv_init(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                        rdispls, recvtype, comm, info, request);
}

int __wrap_strata_request_free(struct strata_request **request)
{
    begun.first = NULL;
    return __real_strata_request_free(request);
}

int __wrap_strata_wait(struct strata_request **request, MPI_Status *status)
{
    int code = __real_strata_wait(request, status);
    if (begun.first && (is_spoilt("altered", begun.comm) || is_spoilt("later", begun.comm))) {
        *begun.first ^= 1;
    }
    begun.first = *request ? begun.first : NULL;
    return code;
}
