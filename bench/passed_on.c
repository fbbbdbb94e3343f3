/* Calls MPI_Exscan many times and nothing else: for counting the instructions that the preload
 * library takes of a call which it passes on (docs/preload.md).
 *   passed_on CALLS         with the same arguments
 *   passed_on CALLS vary    with others than the call before */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int calls = argc > 1 ? atoi(argv[1]) : 1000;
    int step = argc > 2;
    int from[8] = {0}, to[8];

    MPI_Init(&argc, &argv);
    for (int i = 0; i < calls; i++) {
        MPI_Exscan(from + step * (i % 8), to + step * (i % 7), 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
