/* Rank 0 runs Google Benchmark and tells the others what it is asked to do. */
#ifndef STRATA_BENCH_STRATA_BENCH_LEAD_H
#define STRATA_BENCH_STRATA_BENCH_LEAD_H

#include "bench/strata_bench/measurement.h"

/* Rank 0: runs the cases that are selected; returns their number. */
size_t lead(struct measurement *m, const struct cases *cases);
/* The others: do what rank 0 says until it ends. */
void follow(struct measurement *m, const struct cases *cases);

#endif
