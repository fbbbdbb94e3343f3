/* Stands for Open MPI 6's library for mpi_f08: has its name, and calls a collective of PMPI. */
#include <mpi.h>

__attribute__((visibility("default"))) int redirected_sum(int mine);

int redirected_sum(int mine)
{
    int sum = 0;
    PMPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}
