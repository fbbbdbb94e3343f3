/* Rank 0 runs Google Benchmark and tells the others what to do. */
#ifndef STRATA_BENCH_STRATA_BENCH_LEAD_H
#define STRATA_BENCH_STRATA_BENCH_LEAD_H

#include "bench/strata_bench/measurement.h"

/* On rank 0: runs the selected cases. Returns their number. */
size_t lead(struct measurement *m, const struct cases *cases);
/* On the other ranks: obeys rank 0 until it ends. */
void follow(struct measurement *m, const struct cases *cases);

#endif
