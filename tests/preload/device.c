/* A program some of whose buffers lie in the memory of a device, as the stand-in for CUDA's library
 * has it: MPI's own may read it, and Strata must not. Prints "all right", or what is wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

extern int device_memory[2]; /* of the stand-in */

int main(int argc, char **argv)
{
    int ranks, rank, wrong = 0, value = 1, all = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 4; i++) { /* the first is MPI's own in any case */
        MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        wrong += all != ranks;
    }
    for (int i = 0; i < 5; i++) {
        device_memory[0] = 1;
        MPI_Allreduce(device_memory, device_memory + 1, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        wrong += device_memory[1] != ranks;
    }
    if (rank == 0 && !wrong) {
        printf("all right\n");
    }
    MPI_Finalize();
    return wrong > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
