/* The one door between the C of this program and Google Benchmark, which google_benchmark.cc is
 * behind. Only rank 0 goes through it: Google Benchmark decides there which case runs next and how
 * often, and the other ranks are told (lead.c). So ranks agree by construction. */
#ifndef STRATA_BENCH_STRATA_BENCH_BENCH_H
#define STRATA_BENCH_STRATA_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A figure beside the time. All cases have the same ones, in the same order. */
struct bench_counter {
    const char *name;
    double value;
};

struct bench_result {
    const char *label; /* the algorithm that ran */
    const char *error; /* NULL, or why nothing of this counts */
    const struct bench_counter *counters;
    int ncounters;
};

/* What is run. Indices are those of the cases; all strings belong to the suite. */
struct bench_suite {
    int cases, batches;
    const char *(*name)(int index);
    const char *(*open)(int index); /* NULL, or why it was not measured; then the case is over */
    double (*batch)(void);          /* seconds for Google Benchmark's sum over a case's batches */
    const struct bench_result *(*close)(void);
};

/* Takes Google Benchmark's options out of the arguments; what is left is ours, or wrong. */
void bench_initialize(int *argc, char **argv);
/* What else the reports say at their head. */
void bench_context(const char *key, const char *value);
/* Runs the cases that --benchmark_filter selects. report: on the console too, in the form that
 * --benchmark_format names. Returns their number. */
size_t bench_run(const struct bench_suite *suite, bool report);

#ifdef __cplusplus
}
#endif

#endif
