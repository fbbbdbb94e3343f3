/* The preload library's cost for a call that it passes on (docs/preload.md). The program calls
 * MPI_Exscan many times, on a communicator that has plans, and does nothing else.
 *   passed_on CALLS         with the same arguments, for counting instructions
 *   passed_on CALLS vary    with other arguments than the call before
 *   passed_on CALLS alone   on a communicator that has none, for exscan cannot attach it
 *   passed_on CALLS time    in turns with PMPI_Exscan, which goes past the library; prints the
 *                           nanoseconds of a call of each in the fastest batch, and the median
 *                           of the differences of neighbouring batches, with quartiles */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 101 };

enum { ATTACHED = 4 }; /* after so many calls in which all ranks wait for all */

static int step;

static int exscan(const int *from, int *to)
{
    return MPI_Exscan(from, to, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static int exscan_past(const int *from, int *to)
{
    return PMPI_Exscan(from, to, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* The nanoseconds of a call. */
static double batch(int (*call)(const int *, int *), int calls)
{
    int from[8] = {0}, to[8];
    double begin = MPI_Wtime();
    for (int i = 0; i < calls; i++) {
        call(from + step * (i % 8), to + step * (i % 7));
    }
    return (MPI_Wtime() - begin) / calls * 1e9;
}

static int order(const void *a, const void *b)
{
    const double *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

static void time_both(int calls)
{
    double through[BATCHES], past[BATCHES], more[BATCHES];
    for (int i = 0; i < BATCHES; i++) {
        through[i] = batch(exscan, calls);
        past[i] = batch(exscan_past, calls);
        more[i] = through[i] - past[i];
    }
    qsort(through, BATCHES, sizeof *through, order);
    qsort(past, BATCHES, sizeof *past, order);
    qsort(more, BATCHES, sizeof *more, order);
    printf("MPI_Exscan %.1f ns, PMPI_Exscan %.1f ns, more %.1f ns (%.1f to %.1f)\n", through[0],
           past[0], more[BATCHES / 2], more[BATCHES / 4], more[BATCHES * 3 / 4]);
}

int main(int argc, char **argv)
{
    int calls = argc > 1 ? atoi(argv[1]) : 1000;
    const char *way = argc > 2 ? argv[2] : "";
    step = strcmp(way, "vary") == 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < ATTACHED && strcmp(way, "alone") != 0; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (strcmp(way, "time") == 0) {
        time_both(calls);
    } else {
        batch(exscan, calls);
    }
    MPI_Finalize();
    return 0;
}
