/* Patterns: how long the blocks are that ranks send each other. */
#ifndef STRATA_BENCH_STRATA_BENCH_PATTERNS_H
#define STRATA_BENCH_STRATA_BENCH_PATTERNS_H

#include <stdint.h>

/* One exchange: bytes (or elements) are the most that a block has. */
struct pattern_shape {
    int ranks, bytes;
    uint64_t seed;
};

/* A function of its arguments alone, so that all ranks know all blocks without a message. */
struct pattern {
    const char *name, *meaning;
    int (*block)(const struct pattern_shape *shape, int from, int to); /* bytes */
};

/* Ends with a row without a name. The first has all blocks of equal size. */
extern const struct pattern patterns[];

#endif
