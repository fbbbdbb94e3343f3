/* All ranks reach the same exit code; rank 0 prints. */
#include "apps/common/app.h"

int app_refuse(const char *program, const char *message)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        fprintf(stderr, "%s: %s\n", program, message);
    }
    return 2;
}

bool app_open(const char *name, FILE **file)
{
    int rank, good = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *file = NULL;
    if (name && rank == 0) {
        *file = fopen(name, "w");
        good = *file != NULL;
    }
    MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return good;
}
