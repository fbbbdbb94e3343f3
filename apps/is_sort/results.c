/* Makes figures of results: rates, medians, and the ratio of the exchanges. */
#include "apps/is_sort/is.h"

bool is_result_verified(const struct is_result *result)
{
    return result->runs > 0 && result->sorted == result->runs &&
           result->tests_passed == result->runs * IS_ITERATIONS * IS_TESTS;
}

struct app_spread is_result_mops(const struct is_result *result, const struct is_class *class)
{
    double values[IS_REPEATS];
    for (int r = 0; r < result->runs; r++) {
        values[r] = (double)is_keys(class) * IS_ITERATIONS / result->seconds[r][IS_TOTAL] / 1e6;
    }
    return app_spread(values, result->runs);
}

double is_result_seconds(const struct is_result *result, enum is_part part)
{
    double values[IS_REPEATS];
    for (int r = 0; r < result->runs; r++) {
        values[r] = result->seconds[r][part];
    }
    return app_spread(values, result->runs).median;
}

struct app_spread is_results_ratio(const struct is_result results[IS_EXCHANGES])
{
    double values[IS_REPEATS];
    for (int r = 0; r < results[IS_MPI].runs; r++) {
        values[r] =
            results[IS_MPI].seconds[r][IS_EXCHANGE] / results[IS_STRATA].seconds[r][IS_EXCHANGE];
    }
    return app_spread(values, results[IS_MPI].runs);
}
