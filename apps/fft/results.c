/* Makes figures of results: medians and ratios. */
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

#define EXCHANGE (1u << FFT_EXCHANGE)
#define MOVING   (EXCHANGE | 1u << FFT_PACKING) /* FFTW's transposition does both in one */
#define TOTAL    (1u << FT_TOTAL)

const struct ft_comparison ft_comparisons[FT_COMPARISONS] = {
    {"exchange time, mpi / strata, packed", "exchange_ratio_mpi_to_strata_pack", 1, 0, EXCHANGE},
    {"exchange time, mpi / strata, datatypes", "exchange_ratio_mpi_to_strata_datatype", 3, 2,
     EXCHANGE},
    {"exchange and packing, fftw / strata, packed", "moving_ratio_fftw_to_strata_pack", 4, 0,
     MOVING},
    {"exchange and packing, fftw / strata, datatypes", "moving_ratio_fftw_to_strata_datatype", 4, 2,
     MOVING},
    {"whole transform, FFTW MPI / strata, packed", "total_ratio_fftw_to_strata_pack", FT_REFERENCE,
     0, TOTAL},
    {"whole transform, FFTW MPI / strata, datatypes", "total_ratio_fftw_to_strata_datatype",
     FT_REFERENCE, 2, TOTAL},
};

/* One rank exchanges nothing, but its transforms may still be compared. */
bool ft_compares(const struct ft *ft, const struct ft_comparison *c)
{
    return ft_runs(ft, c->way) && ft_runs(ft, c->base) && (ft->ranks > 1 || c->parts == TOTAL);
}

static double sum_parts(const double seconds[FT_PARTS], unsigned parts)
{
    double sum = 0;
    for (int part = 0; part < FT_PARTS; part++) {
        sum += parts >> part & 1 ? seconds[part] : 0;
    }
    return sum;
}

struct app_spread ft_ratio(const struct ft *ft, const struct ft_comparison *c)
{
    double values[FT_REPEATS];
    const struct ft_result *way = &ft->result[c->way], *base = &ft->result[c->base];
    for (int r = 0; r < way->runs; r++) {
        values[r] = sum_parts(way->seconds[r], c->parts) / sum_parts(base->seconds[r], c->parts);
    }
    return app_spread(values, way->runs);
}
