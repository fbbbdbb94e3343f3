/* What the console shows: the run in a few words, and a line for each case. Rank 0. */
#ifndef STRATA_BENCH_STRATA_BENCH_TABLE_H
#define STRATA_BENCH_STRATA_BENCH_TABLE_H

#include "bench/strata_bench/measurement.h"

/* Printed before the first line; Google Benchmark gets the same words for the head of its
 * reports. */
void table_head(const struct measurement *m, int nodes, const char *command);
void table_row(const struct measurement *m);
void table_error(const struct measurement *m, const char *error);

#endif
