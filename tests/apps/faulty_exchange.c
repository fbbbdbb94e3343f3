/* Stands in front of strata_alltoallv (linked with --wrap) and spoils the received keys in the way
 * that FAULT names. The verification of is_sort must notice each fault. Without FAULT nothing is
 * spoilt. */
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"

int __real_strata_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                            const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);
int __wrap_strata_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                            const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);

/* Spoils the keys that rank 1 received from rank 0, from *first to *last. */
static void spoil(const char *fault, int *first, int *last)
{
    if (strcmp(fault, "lost") == 0) {
        *last = -1;
    } else if (strcmp(fault, "altered") == 0) {
        *first += 1; /* still in the same bucket: only the fingerprint of the keys can tell */
    } else if (strcmp(fault, "foreign") == 0) {
        *first = 1 << 30;
    }
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
    int rank, code = __real_strata_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                             recvcounts, rdispls, recvtype, comm);
    MPI_Comm_rank(comm, &rank);
    if (code == MPI_SUCCESS && fault && rank == 1 && recvcounts[0] > 1) {
        int *keys = (int *)recvbuf + rdispls[0];
        spoil(fault, keys, keys + recvcounts[0] - 1);
    }
    return code;
}
