/* A program that knows nothing of Strata, with a fault in how it calls MPI's collectives, or none:
 *   explained            small vectors
 *   explained long       blocks of 32 KiB for all
 *   explained multiple   small vectors, where all threads may call MPI */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = 100, COUNT = 64, LONG = 8192, MOST = 16 };
static int from[MOST * LONG], to[MOST * LONG];

int main(int argc, char **argv)
{
    const char *fault = argc > 1 ? argv[1] : "";
    int counts[MOST], displs[MOST], ranks, level = MPI_THREAD_SINGLE;

    if (strcmp(fault, "multiple") == 0) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    } else {
        MPI_Init(&argc, &argv);
    }
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int r = 0; r < ranks; r++) {
        counts[r] = LONG;
        displs[r] = r * LONG;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Bcast(from, 1, MPI_INT, 0,
              MPI_COMM_WORLD); /* the second call, which is wrong, is looked at */
    if (MPI_Bcast(from, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD) == MPI_SUCCESS) {
        return 1;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_name(MPI_COMM_WORLD, "the \"world\" \xe9");
    for (int i = 0; i < CALLS; i++) {
        if (strcmp(fault, "long") == 0) {
            MPI_Alltoallv(from, counts, displs, MPI_INT, to, counts, displs, MPI_INT,
                          MPI_COMM_WORLD);
        } else {
            MPI_Allreduce(from, to, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
