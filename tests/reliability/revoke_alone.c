/* Revokes a communicator with MPI alone. MPICH ends the job by an assertion there, which is why
 * Strata asks only Open MPI for failed ranks (docs/decisions/dead-peers.md). The test fails once a
 * release of MPICH goes on. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int rank, class;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        MPIX_Comm_revoke(comm);
    }
    MPI_Error_class(MPI_Barrier(comm), &class);
    printf("rank %d goes on, with error class %d\n", rank, class);
    return MPI_Finalize();
}
