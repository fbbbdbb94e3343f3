/* The interface between this program's C and Google Benchmark (google_benchmark.cc). Only rank 0
 * uses it: Google Benchmark chooses the next case and its number of runs there. Rank 0 tells the
 * others (lead.c), so all ranks agree. */
#ifndef STRATA_BENCH_STRATA_BENCH_BENCH_H
#define STRATA_BENCH_STRATA_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A figure beside the time. All cases have the same figures in the same order. */
struct bench_counter {
    const char *name;
    double value;
};

struct bench_result {
    const char *label; /* the algorithm that ran */
    const char *error; /* why none of this counts; NULL: it counts */
    const struct bench_counter *counters;
    int ncounters;
};

/* The cases that Google Benchmark runs. All strings belong to the suite. */
struct bench_suite {
    int cases, batches;
    const char *(*name)(int index);
    const char *(*open)(int index); /* NULL, or why the case cannot be measured, and is over */
    double (*batch)(void); /* returns seconds for Google Benchmark's sum over a case's batches */
    const struct bench_result *(*close)(void);
};

/* Takes Google Benchmark's options out of the arguments. */
void bench_initialize(int *argc, char **argv);
/* Adds a line to the head of the reports. */
void bench_context(const char *key, const char *value);
/* Runs the cases that --benchmark_filter selects. With `report` the console shows the report too,
 * in the form of --benchmark_format. Returns the number of cases. */
size_t bench_run(const struct bench_suite *suite, bool report);

#ifdef __cplusplus
}
#endif

#endif
