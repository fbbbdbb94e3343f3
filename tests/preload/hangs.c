/* A program that hangs, for docs/recorder.md. */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

enum { CELLS = 1000, STEPS = 100 };

/* The sum of all ranks' cells. */
static double total(const double *cell)
{
    double mine = 0;
    double all = 0;
    for (int i = 0; i < CELLS; i++) {
        mine += cell[i];
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* Returns how much the cells have changed on this rank. */
static double step(double *cell, double mean)
{
    double change = 0;
    for (int i = 0; i < CELLS; i++) {
        const double next = 0.5 * (cell[i] + mean);
        change += fabs(next - cell[i]);
        cell[i] = next;
    }
    return change;
}

/* Rank 0 tells the others how to go on. */
static double relaxation(int n)
{
    double factor = 1.0 / (n + 1);
    MPI_Bcast(&factor, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return factor;
}

int main(int argc, char **argv)
{
    double cell[CELLS];
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < CELLS; i++) {
        cell[i] = rank == 2 ? 1 : i + rank;
    }
    for (int n = 0; n < STEPS; n++) {
        const double change = step(cell, relaxation(n) * total(cell) / (CELLS * ranks));
        if (change < 500) { /* wrong: each rank decides for itself */
            break;
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
