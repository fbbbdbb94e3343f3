/* Times one collective on a simulated cluster, by one or several methods. smpirun starts this
 * program. */
#include <stdio.h>

#include "sim/smpi/simulate.h"

int main(int argc, char **argv)
{
    struct options options;
    int rank, code = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *wrong = options_parse(&options, argc, argv);
    if (wrong) {
        code = 2;
        if (rank == 0) {
            fprintf(stderr, "simulate: %s\n", wrong);
        }
    } else {
        code = measure_all(&options) ? 0 : 1;
    }
    MPI_Finalize();
    return code;
}
