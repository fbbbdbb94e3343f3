/* Figures from results: rates, medians, the ratio of both exchanges. */
#include <stdlib.h>

#include "apps/is_sort/is.h"

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct is_spread spread(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    double median = (values[(count - 1) / 2] + values[count / 2]) / 2;
    return (struct is_spread){median, values[0], values[count - 1]};
}

bool is_result_verified(const struct is_result *result)
{
    return result->runs > 0 && result->sorted == result->runs &&
           result->tests_passed == result->runs * IS_ITERATIONS * IS_TESTS;
}

struct is_spread is_result_mops(const struct is_result *result, const struct is_class *class)
{
    double values[IS_REPEATS];
    for (int r = 0; r < result->runs; r++) {
        values[r] = (double)is_keys(class) * IS_ITERATIONS / result->seconds[r][IS_TOTAL] / 1e6;
    }
    return spread(values, result->runs);
}

double is_result_seconds(const struct is_result *result, enum is_part part)
{
    double values[IS_REPEATS];
    for (int r = 0; r < result->runs; r++) {
        values[r] = result->seconds[r][part];
    }
    return spread(values, result->runs).median;
}

struct is_spread is_results_ratio(const struct is_result results[IS_EXCHANGES])
{
    double values[IS_REPEATS];
    for (int r = 0; r < results[IS_MPI].runs; r++) {
        values[r] =
            results[IS_MPI].seconds[r][IS_EXCHANGE] / results[IS_STRATA].seconds[r][IS_EXCHANGE];
    }
    return spread(values, results[IS_MPI].runs);
}
