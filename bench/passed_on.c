/* The preload library's cost for a call that it passes on (docs/preload.md). The program calls
 * MPI_Exscan many times, on a communicator that has plans, and does nothing else.
 *   passed_on CALLS         with the same arguments, for counting instructions
 *   passed_on CALLS vary    with other arguments than the call before
 *   passed_on CALLS alone   on a communicator that has none, for exscan cannot attach it
 *   passed_on CALLS time    in turns with PMPI_Exscan, which goes past the library, and with
 *                           PMPI_Exscan once more. Rank 0 prints the nanoseconds of a call, the
 *                           median of the batches, and the median of the differences of batches in
 *                           the same turn with its interval of 95 %, also of the two PMPI_Exscan */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 201 };
/* Of so many sorted values this one and its mirror are the ends of the interval of 95 % of their
 * median. */
enum { LEAST = 86 };

enum way { THROUGH, PAST, AGAIN, WAYS };

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

static double median(const double *values)
{
    double sorted[TURNS];
    memcpy(sorted, values, sizeof sorted);
    qsort(sorted, TURNS, sizeof *sorted, order);
    return sorted[TURNS / 2];
}

/* Prints how much longer the first took than the second. */
static void compare(const char *what, const double *first, const double *second)
{
    double more[TURNS];
    for (int i = 0; i < TURNS; i++) {
        more[i] = first[i] - second[i];
    }
    qsort(more, TURNS, sizeof *more, order);
    printf("%s %.1f ns (%.1f to %.1f)", what, more[TURNS / 2], more[LEAST],
           more[TURNS - 1 - LEAST]);
}

static void report(double taken[WAYS][TURNS])
{
    printf("MPI_Exscan %.1f ns, PMPI_Exscan %.1f ns, ", median(taken[THROUGH]),
           median(taken[PAST]));
    compare("more", taken[THROUGH], taken[PAST]);
    compare(", PMPI_Exscan beside itself", taken[AGAIN], taken[PAST]);
    printf("\n");
}

/* Each turn begins with another way, and all ranks begin a batch together. */
static void time_all(int calls)
{
    static double taken[WAYS][TURNS];
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < TURNS * WAYS; i++) {
        int way = (i / WAYS + i) % WAYS;
        PMPI_Barrier(MPI_COMM_WORLD);
        taken[way][i / WAYS] = batch(way == THROUGH ? exscan : exscan_past, calls);
    }
    if (rank == 0) {
        report(taken);
    }
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
        time_all(calls);
    } else {
        batch(exscan, calls);
    }
    MPI_Finalize();
    return 0;
}
