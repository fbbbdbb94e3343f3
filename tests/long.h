/* The short and the long form of a test (docs/testing.md). */
#ifndef STRATA_TESTS_LONG_H
#define STRATA_TESTS_LONG_H

#include <stdbool.h>
#include <stdlib.h>

/* Sanitizers make tests many times slower. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { LONG_SANITIZED = 1 };
#else
enum { LONG_SANITIZED = 0 };
#endif

/* The number of random cases: `all`, or a tenth of that with sanitizers in the short form. */
static inline int long_drawn(int all)
{
    return !LONG_SANITIZED || getenv("STRATA_TEST_LONG") ? all : (all + 9) / 10;
}

/* A test's "long:" line sets STRATA_TEST_LONG; STRATA_TEST_ALL goes further and includes it. */
static inline bool long_form(void)
{
    return getenv("STRATA_TEST_LONG") || getenv("STRATA_TEST_ALL");
}

/* Whether a test over numbers of ranks takes this number. All up to `all` are taken. Above, the
 * long form takes every `step`-th. The short form takes fewer, and other ones for another row.
 * Where every number counts it also takes powers of two and the numbers beside them. */
static inline bool long_takes_ranks(int ranks, int all, int step, int row)
{
    int next = ranks + 1, before = ranks - 1;
    bool beside_power = (ranks & before) == 0 || (next & ranks) == 0 || (before & (ranks - 2)) == 0;
    if (ranks <= all) {
        return true;
    }
    if (long_form()) {
        return (ranks - all) % step == 0;
    }
    int others = step == 1 ? 11 : 4 * step; /* with sanitizers the step is a large one */
    return (step == 1 && beside_power) || (ranks - all) % others == row % others;
}

#endif
