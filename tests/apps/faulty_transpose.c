/* Stands in front of the exchanges that fft uses (linked with --wrap) and spoils the received data
 * in the way that FAULT names. The verification must notice each fault. Without FAULT nothing is
 * spoilt. */
#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"

typedef int alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                      MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                      const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);
typedef int alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                      const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                      const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);
alltoallv __real_strata_alltoallv, __wrap_strata_alltoallv;
alltoallw __real_strata_alltoallw, __wrap_strata_alltoallw;

static int fault(const char *name)
{
    const char *asked = getenv("FAULT");
    return asked && strcmp(asked, name) == 0;
}

/* Adds a thousandth to the first element that one rank received. */
static void alter(void *recvbuf, MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (rank == 1 && fault("altered")) {
        *(double complex *)recvbuf *= 1.001;
    }
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int __wrap_strata_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                            const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    if (fault("nothing")) {
        return MPI_SUCCESS;
    }
    int code = __real_strata_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                       rdispls, recvtype, comm);
    alter(recvbuf, comm);
    return code;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int __wrap_strata_alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                            const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    if (fault("nothing")) {
        return MPI_SUCCESS;
    }
    int code = __real_strata_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                       rdispls, recvtypes, comm);
    alter(recvbuf, comm);
    return code;
}

typedef int ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                       MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                       const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                       struct strata_request **request);
typedef int ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                       const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                       const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                       struct strata_request **request);
ialltoallv __real_strata_ialltoallv, __wrap_strata_ialltoallv;
ialltoallw __real_strata_ialltoallw, __wrap_strata_ialltoallw;

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int __wrap_strata_ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                             MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                             const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                             struct strata_request **request)
{
    *request = NULL;
    return fault("nothing")
               ? MPI_SUCCESS
               : __real_strata_ialltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                          recvcounts, rdispls, recvtype, comm, request);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int __wrap_strata_ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                             const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                             const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                             struct strata_request **request)
{
    *request = NULL;
    return fault("nothing")
               ? MPI_SUCCESS
               : __real_strata_ialltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                          recvcounts, rdispls, recvtypes, comm, request);
}
