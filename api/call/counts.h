/* One look at all counts of an array, in either form. */
#ifndef STRATA_API_CALL_COUNTS_H
#define STRATA_API_CALL_COUNTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Adds n counts to what is known of those before. */
static inline __attribute__((always_inline)) void
strata_count_more(const int *counts, int n, int *signs, int *most, uint64_t *sum)
{
    for (int i = 0; i < n; i++) {
        *signs |= counts[i];
        *most = counts[i] > *most ? counts[i] : *most;
        *sum += (uint32_t)counts[i];
    }
}

/* Finds the largest count and the sum; returns a negative number where a count is negative, and
 * then the sum is undefined. The loop takes eight counts at a time, so that compilers make vector
 * instructions. */
static inline int strata_count(const int *counts, int n, MPI_Count *most, int64_t *sum)
{
    int signs = 0;
    int largest = 0;
    uint64_t all = 0;
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        strata_count_more(counts + i, 8, &signs, &largest, &all);
    }
    strata_count_more(counts + i, n - i, &signs, &largest, &all);
    *most = largest;
    *sum = (int64_t)all;
    return signs;
}

/* The same for large counts. A sum that no integer holds counts as a negative count. */
static inline int strata_count_large(const MPI_Count *counts, int n, MPI_Count *most, int64_t *sum)
{
    bool wrong = false;
    *most = *sum = 0;
    for (int i = 0; i < n; i++) {
        wrong = wrong || counts[i] < 0 || __builtin_add_overflow(*sum, counts[i], sum);
        *most = counts[i] > *most ? counts[i] : *most;
    }
    return wrong ? -1 : 0;
}

#endif
