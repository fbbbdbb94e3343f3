/* One case: opened, measured in batches, closed. Collective over MPI_COMM_WORLD, all of it;
 * every rank holds the same figures. */
#ifndef STRATA_BENCH_MEASUREMENT_H
#define STRATA_BENCH_MEASUREMENT_H

#include "bench/strata_bench/bench.h"
#include "bench/strata_bench/cases.h"
#include "bench/strata_bench/others.h"
#include "strata.h"

/* The figures beside our time, in the order of the reports. Times in microseconds a call;
 * messages and bytes are those of all ranks in one of our calls. */
#define FIGURES(ROW)                                                                               \
    ROW(mpi_us)                                                                                    \
    ROW(ratio)                                                                                     \
    ROW(ratio_low)                                                                                 \
    ROW(ratio_high)                                                                                \
    ROW(same)                                                                                      \
    ROW(same_low)                                                                                  \
    ROW(same_high)                                                                                 \
    ROW(ours_least_us)                                                                             \
    ROW(ours_most_us)                                                                              \
    ROW(mpi_least_us)                                                                              \
    ROW(mpi_most_us)                                                                               \
    ROW(messages_between)                                                                          \
    ROW(bytes_between)                                                                             \
    ROW(messages_inside)                                                                           \
    ROW(bytes_inside)                                                                              \
    ROW(copies_per_byte)                                                                           \
    ROW(by_plan)                                                                                   \
    ROW(not_ours)                                                                                  \
    ROW(calls)

#define FIGURE_NAME(name) FIGURE_##name,
enum figure { FIGURES(FIGURE_NAME) FIGURE_COUNT };
#undef FIGURE_NAME

struct measurement {
    const struct options *options;
    MPI_Comm comm, machine;
    bool failed; /* a case was wrong, or could not be measured as asked for */

    const struct bench_case *now;
    struct exchange exchange;
    struct strata_report before;
    struct others others;
    int batch, calls, their_calls;
    double *ours, *theirs, *ratio; /* [batches] */
    double *same;                  /* [batches] MPI's time / MPI's time, a batch later */
    double ours_us;                /* the median, once closed */
    struct bench_counter figure[FIGURE_COUNT];
    char text[320];
};

void measurement_init(struct measurement *m, const struct options *options);
void measurement_fini(struct measurement *m);

/* NULL, or why the case cannot be measured; then it is not to be closed. */
const char *measurement_open(struct measurement *m, const struct bench_case *one);
/* Ours, MPI's, and MPI's again. Returns what makes the mean over the batches the median of ours:
 * nothing but for the last, which stands for all. */
double measurement_batch(struct measurement *m);
struct strata_report measurement_report(MPI_Comm comm);
/* figures.c. NULL, or why the figures do not count: the last calls were wrong. */
const char *measurement_close(struct measurement *m);
/* NULL, or that ours does not deliver what MPI's does. */
const char *measurement_prove(struct measurement *m);

#endif
