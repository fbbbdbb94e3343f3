/* Patterns: the lengths of the blocks that ranks send each other. */
#ifndef STRATA_BENCH_STRATA_BENCH_PATTERNS_H
#define STRATA_BENCH_STRATA_BENCH_PATTERNS_H

#include <stdint.h>

/* One exchange; `bytes` is the longest block, in bytes or in elements. */
struct pattern_shape {
    int ranks, bytes;
    uint64_t seed;
};

/* Depends on its arguments alone, so that all ranks know all blocks without a message. */
struct pattern {
    const char *name, *meaning;
    int (*block)(const struct pattern_shape *shape, int from, int to); /* in bytes */
};

/* Ended by a row without a name. The first pattern has blocks of equal size. */
extern const struct pattern patterns[];

#endif
