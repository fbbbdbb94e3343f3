/* The console's table: a head about the run, and a line for each case. On rank 0. */
#ifndef STRATA_BENCH_STRATA_BENCH_TABLE_H
#define STRATA_BENCH_STRATA_BENCH_TABLE_H

#include "bench/strata_bench/measurement.h"

/* The numbers of nodes that Strata and MPI see. */
struct table_nodes {
    int ours, mpis;
};

/* Prepares the head, and gives the same words to Google Benchmark for its reports. */
void table_head(const struct measurement *m, const struct table_nodes *nodes, const char *command);
void table_row(const struct measurement *m);
void table_error(const struct measurement *m, const char *error);

#endif
