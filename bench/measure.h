/* What the measuring programs share: batches of calls, timed by their slowest rank, and medians. */
#ifndef STRATA_BENCH_MEASURE_H
#define STRATA_BENCH_MEASURE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Zeroed memory; ends the job where memory is short. */
static inline void *measure_need(size_t bytes)
{
    void *memory = calloc(bytes ? bytes : 1, 1);
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
        exit(1); /* never reached, which only MPI knows */
    }
    return memory;
}

/* Ends the program where MPI allows no shared window of all ranks, though they are on one host, as
 * MPICH 5.0.2 of Debian does. A test is skipped then. */
static inline void measure_need_shared_window(const char *program)
{
    MPI_Comm host;
    int rank, ranks, sharing;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &sharing);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_free(&host);
    if (sharing != ranks) {
        if (rank == 0) {
            printf("%s: not run: by MPI these ranks share no memory\n", program);
        }
        MPI_Finalize();
        exit(77);
    }
}

/* The least work of a reduction of two vectors: reads both and writes the sums, with vectors as
 * wide as a compiler uses in a kernel. */
static inline void measure_combine(void *to, const void *a, const void *b, size_t bytes)
{
    typedef unsigned wide __attribute__((vector_size(32), aligned(4), may_alias));
    const size_t count = bytes / sizeof(unsigned), whole = bytes / sizeof(wide);
    wide *sums = to;
    const wide *x = a, *y = b;
    for (size_t i = 0; i < whole; i++) {
        sums[i] = x[i] + y[i];
    }
    for (size_t i = whole * (sizeof(wide) / sizeof(unsigned)); i < count; i++) {
        ((unsigned *)to)[i] = ((const unsigned *)a)[i] + ((const unsigned *)b)[i];
    }
}

/* The bytes that the kernel can hand out; 0 where it does not tell. */
static inline double measure_memory(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    double kilobytes = 0;
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "MemAvailable:", 13) == 0) {
            kilobytes = strtod(line + 13, NULL);
        }
    }
    if (file) {
        fclose(file);
    }
    return kilobytes * 1024;
}

/* A communicator of this machine's ranks, for the caller to free. Hosts that share a kernel, such
 * as containers or network namespaces, share its memory and its cores too. */
static inline MPI_Comm measure_machine(void)
{
    char text[MPI_MAX_PROCESSOR_NAME > 64 ? MPI_MAX_PROCESSOR_NAME : 64] = "";
    uint32_t hash = 2166136261u; /* Fowler, Noll, Vo */
    int length, rank;
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (!file || !fgets(text, sizeof text, file)) {
        MPI_Get_processor_name(text, &length);
    }
    if (file) {
        fclose(file);
    }
    for (const char *c = text; *c; c++) {
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    }
    MPI_Comm machine;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, (int)(hash >> 1), rank, &machine);
    return machine;
}

/* Whether every machine has the memory that its ranks will allocate. */
static inline bool measure_fits(double bytes)
{
    MPI_Comm machine = measure_machine();
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_SUM, machine);
    MPI_Comm_free(&machine);
    double memory = measure_memory();
    int fits = memory == 0 || bytes < memory;
    MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return fits;
}

typedef void measure_call(const void *argument);

/* The seconds of a call on the slowest rank. */
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

static inline void measure_sleep_until(double time)
{
    const double left = time - MPI_Wtime();
    const struct timespec rest = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
    if (left > 0) {
        nanosleep(&rest, NULL);
    }
}

/* As measure_batch, where all ranks have one clock. They begin at one instant. Ranks that have
 * returned wait a while, so that no other messages are under way. */
static inline double measure_instant(measure_call *call, const void *argument, int calls)
{
    const double pause = 0.1;
    double start = MPI_Wtime(), last;
    PMPI_Allreduce(MPI_IN_PLACE, &start, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    measure_sleep_until(start + pause);
    for (int i = 0; i < calls; i++) {
        call(argument);
    }
    double end = MPI_Wtime();
    measure_sleep_until(start + 2 * pause);
    PMPI_Allreduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return (last - start - pause) / calls;
}

/* Whether so many calls fill a batch. It tries twice, because first calls take long. */
static inline bool measure_fills(measure_call *call, const void *argument, int calls,
                                 double seconds)
{
    int batches = 0;
    while (batches < 2 && measure_batch(call, argument, calls) * calls >= seconds) {
        batches++;
    }
    return batches == 2;
}

/* The number of calls that fill a batch. All ranks have the same times, so they agree. The number
 * is doubled until it is enough: on a crowded host ranks leave the barrier milliseconds apart, and
 * the time of a few calls would be lost in the gap. */
static inline int measure_calls_for(measure_call *call, const void *argument, double seconds)
{
    int calls = 1;
    while (calls < (1 << 20) && !measure_fills(call, argument, calls, seconds)) {
        calls *= 2;
    }
    return calls;
}

static inline int measure_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values and returns their median; of an even number the mean of the middle two. */
static inline double measure_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, measure_ascending);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

#endif
