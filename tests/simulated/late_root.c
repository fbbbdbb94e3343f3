/* Ranks wait in a gatherv for the sizes that the root tells, and the root calls long after them.
 * smpirun starts this program. */
#include <mpi.h>
#include <stdio.h>

#include "include/strata.h"

enum { CALLS = 100, RANKS = 3 };

int main(int argc, char **argv)
{
    int rank, wrong = 0;
    const int counts[RANKS] = {1, 1, 1}, displacements[RANKS] = {0, 1, 2};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    strata_comm_attach(MPI_COMM_WORLD, NULL);
    if (rank == 0) {
        smpi_execute(1e-3); /* seconds */
    }
    for (int call = 0; call < CALLS; call++) {
        const int own = call + rank;
        int all[RANKS] = {-1, -1, -1};
        strata_gatherv(&own, 1, MPI_INT, all, counts, displacements, MPI_INT, 0, MPI_COMM_WORLD);
        for (int i = 0; i < RANKS && rank == 0; i++) {
            wrong += all[i] != call + i;
        }
    }
    if (rank == 0) {
        puts(wrong ? "wrong" : "all right");
    }
    MPI_Finalize();
    return wrong > 0;
}
