/* What the measuring programs share: batches of calls, timed by the slowest rank, and medians. */
#ifndef STRATA_BENCH_MEASURE_H
#define STRATA_BENCH_MEASURE_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Zeroed memory, or the end of the job. */
static inline void *measure_need(size_t bytes)
{
    void *memory = calloc(bytes ? bytes : 1, 1);
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

typedef void measure_call(const void *argument);

/* Seconds per call of the slowest rank. */
static inline double measure_batch(measure_call *call, const void *argument, int calls)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    double mine = MPI_Wtime(), slowest;
    for (int i = 0; i < calls; i++) {
        call(argument);
    }
    mine = (MPI_Wtime() - mine) / calls;
    PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

/* As many calls as fill a batch; all ranks hold the same times, so they agree. It is found by
 * doubling: ranks leave the barrier at different times, on a crowded host by milliseconds, and a
 * few calls would be lost in that. */
static inline int measure_calls_for(measure_call *call, const void *argument, double seconds)
{
    int calls = 1;
    while (calls < (1 << 20) && measure_batch(call, argument, calls) * calls < seconds) {
        calls *= 2;
    }
    return calls;
}

static inline int measure_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values. */
static inline double measure_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, measure_ascending);
    return values[count / 2];
}

#endif
