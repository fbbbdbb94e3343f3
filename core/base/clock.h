/* The time. */
#ifndef STRATA_CORE_BASE_CLOCK_H
#define STRATA_CORE_BASE_CLOCK_H

#include <time.h>

/* Seconds since some moment; they pass evenly. */
static inline double strata_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif
