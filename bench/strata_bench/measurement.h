/* One case is opened, measured in batches and closed. All functions are collective over
 * MPI_COMM_WORLD, and all ranks get the same figures. */
#ifndef STRATA_BENCH_STRATA_BENCH_MEASUREMENT_H
#define STRATA_BENCH_STRATA_BENCH_MEASUREMENT_H

#include "bench/strata_bench/bench.h"
#include "bench/strata_bench/cases.h"
#include "bench/strata_bench/forms.h"
#include "bench/strata_bench/others.h"
#include "strata.h"

/* The figures beside Strata's time, in the order of the reports, and the forms of calls that have
 * them. Times are microseconds of a call. Messages and bytes are of all ranks in one of Strata's
 * calls. */
#define EVERY_FORM  (1 << FORMS) - 1
#define NONBLOCKING 1 << FORM_NONBLOCKING
#define PERSISTENT  1 << FORM_PERSISTENT
#define METRICS(ROW)                                                                               \
    ROW(mpi_us, EVERY_FORM)                                                                        \
    ROW(ratio, EVERY_FORM)                                                                         \
    ROW(ratio_low, EVERY_FORM)                                                                     \
    ROW(ratio_high, EVERY_FORM)                                                                    \
    ROW(same, EVERY_FORM)                                                                          \
    ROW(same_low, EVERY_FORM)                                                                      \
    ROW(same_high, EVERY_FORM)                                                                     \
    ROW(ours_least_us, EVERY_FORM)                                                                 \
    ROW(ours_most_us, EVERY_FORM)                                                                  \
    ROW(mpi_least_us, EVERY_FORM)                                                                  \
    ROW(mpi_most_us, EVERY_FORM)                                                                   \
    ROW(messages_between, EVERY_FORM)                                                              \
    ROW(bytes_between, EVERY_FORM)                                                                 \
    ROW(messages_inside, EVERY_FORM)                                                               \
    ROW(bytes_inside, EVERY_FORM)                                                                  \
    ROW(copies_per_byte, EVERY_FORM)                                                               \
    ROW(copy_us, EVERY_FORM)                                                                       \
    ROW(by_plan, EVERY_FORM)                                                                       \
    ROW(not_ours, EVERY_FORM)                                                                      \
    ROW(calls, EVERY_FORM)                                                                         \
    ROW(tests, NONBLOCKING)                                                                        \
    ROW(computation_us, NONBLOCKING)                                                               \
    ROW(alone_us, NONBLOCKING)                                                                     \
    ROW(mpi_alone_us, NONBLOCKING)                                                                 \
    ROW(hidden, NONBLOCKING)                                                                       \
    ROW(hidden_low, NONBLOCKING)                                                                   \
    ROW(hidden_high, NONBLOCKING)                                                                  \
    ROW(mpi_hidden, NONBLOCKING)                                                                   \
    ROW(mpi_hidden_low, NONBLOCKING)                                                               \
    ROW(mpi_hidden_high, NONBLOCKING)                                                              \
    ROW(blocking_us, PERSISTENT)                                                                   \
    ROW(blocking_ratio, PERSISTENT)                                                                \
    ROW(blocking_ratio_low, PERSISTENT)                                                            \
    ROW(blocking_ratio_high, PERSISTENT)                                                           \
    ROW(mpi_persistent_us, PERSISTENT)                                                             \
    ROW(mpi_persistent_ratio, PERSISTENT)                                                          \
    ROW(mpi_persistent_ratio_low, PERSISTENT)                                                      \
    ROW(mpi_persistent_ratio_high, PERSISTENT)                                                     \
    ROW(init_us, PERSISTENT)                                                                       \
    ROW(mpi_init_us, PERSISTENT)                                                                   \
    ROW(pays_after, PERSISTENT)                                                                    \
    ROW(pays_after_mpi, PERSISTENT)

#define METRIC_NAME(name, forms) METRIC_##name,
enum metric { METRICS(METRIC_NAME) METRIC_COUNT };
#undef METRIC_NAME

/* The traffic of all ranks in Strata's calls, from differences of reports. */
struct traffic {
    double by_plan, native;
    double sum[5]; /* in the order of the figures, from messages_between on */
};

struct measurement {
    const struct options *options;
    MPI_Comm comm, machine;
    bool failed; /* a case was wrong, or could not be measured as asked for */

    const struct bench_case *now;
    struct exchange exchange;
    struct work work;
    struct traffic traffic;
    struct others others;
    int batch, calls[CALLED_SERIES];
    double *time[SERIES]; /* [batches] seconds of a call */
    double *derived;      /* [batches] values from several series */
    double ours_us;       /* the median; set by measurement_close */
    double metric[METRIC_COUNT];
    struct bench_counter counters[METRIC_COUNT]; /* of the forms that the options ask for */
    int ncounters;
    char text[320];
};

void measurement_init(struct measurement *m, const struct options *options);
void measurement_fini(struct measurement *m);

/* Returns NULL, or why the case cannot be measured; it must not be closed then. */
const char *measurement_open(struct measurement *m, const struct bench_case *one);
/* Measures a batch of each series of the form. The last batch returns a number that makes Google
 * Benchmark's mean Strata's median; the others return 0. */
double measurement_batch(struct measurement *m);
struct strata_report measurement_report(MPI_Comm comm);
/* traffic.c: adds this rank's traffic since the report. */
void traffic_add(struct traffic *traffic, MPI_Comm comm, const struct strata_report *was);
/* metrics.c: returns NULL, or why the figures do not count: the last calls were wrong. */
const char *measurement_close(struct measurement *m);
/* Returns NULL, or a sentence where Strata does not deliver the same as MPI. */
const char *measurement_prove(struct measurement *m);

#endif
