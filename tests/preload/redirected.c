/* A program whose collectives are called by a library with PMPI's names, as by Open MPI 6 those of
 * mpi_f08, while its own calls of PMPI go to MPI. Prints "all right", or what is wrong. */
#include <mpi.h>
#include <stdio.h>

int redirected_sum(int mine);

int main(int argc, char **argv)
{
    int rank = 0, ranks = 0, right = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < 10; i++) {
        right = right && redirected_sum(rank + i) == ranks * (ranks - 1) / 2 + ranks * i;
    }
    PMPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0) {
        puts(right ? "all right" : "wrong sums");
    }
    MPI_Finalize();
    return !right;
}
