/* Figures from results: medians, ratios of exchanges. */
#include "apps/fft/ft.h"

bool ft_verified(const struct ft_result *result)
{
    return result->runs > 0 && result->checks > 0 && result->passed == result->checks;
}

double ft_seconds(const struct ft_result *result, int part)
{
    double values[FT_REPEATS];
    for (int r = 0; r < result->runs; r++) {
        values[r] = result->seconds[r][part];
    }
    return app_spread(values, result->runs).median;
}

static double exchange(const double seconds[FT_PARTS], bool packing)
{
    return seconds[FFT_EXCHANGE] + (packing ? seconds[FFT_PACKING] : 0);
}

struct app_spread ft_ratio(const struct ft *ft, int way, int base, bool packing)
{
    double values[FT_REPEATS];
    const struct ft_result *a = &ft->result[way], *b = &ft->result[base];
    for (int r = 0; r < a->runs; r++) {
        values[r] = exchange(a->seconds[r], packing) / exchange(b->seconds[r], packing);
    }
    return app_spread(values, a->runs);
}
