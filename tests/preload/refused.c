/* MPI refuses the communicator that Strata asks for on rank 1 only, and the others wait in it. The
 * call ends with an error, as MPI's own call does after a refusal. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#define SEEN __attribute__((visibility("default")))

static bool refuses, refused;

SEEN int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made)
{
    union {
        void *pointer;
        int (*call)(MPI_Comm, MPI_Group, MPI_Comm *);
    } real = {dlsym(RTLD_NEXT, "PMPI_Comm_create")};
    refused = refuses;
    return refuses ? MPI_ERR_OTHER : real.call(comm, group, made);
}

SEEN int PMPI_Iallreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm, MPI_Request *request)
{
    union {
        void *pointer;
        int (*call)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
    } real = {dlsym(RTLD_NEXT, "PMPI_Iallreduce")};
    return refused ? MPI_ERR_OTHER : real.call(send, recv, count, type, op, comm, request);
}

int main(int argc, char **argv)
{
    int rank, error = MPI_SUCCESS;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    refuses = rank == 1;
    for (int call = 0; call < 3 && error == MPI_SUCCESS; call++) {
        int one = 1, sum;
        error = MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    printf(rank == 1 && error != MPI_SUCCESS ? "all right\n" : "rank %d has no error\n", rank);
    fflush(stdout);
    usleep(200000); /* launchers drop output that comes late */
    MPI_Abort(MPI_COMM_WORLD, 7);
}
