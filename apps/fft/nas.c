/* NAS FT. A forward transform of a random field is followed, for each time, by the spectrum's
 * decay, an inverse transform and a checksum. All variants do the same, in turn. */
#include <math.h>
#include <string.h>

#include "apps/fft/ft.h"

static void forward(struct ft *ft, int iteration)
{
    (void)iteration;
    ft_forward(ft);
}

static void iterate(struct ft *ft, int iteration)
{
    ft_field_evolve(ft, iteration);
    ft_inverse(ft);
    ft_field_checksum(ft, ft->checksum);
}

/* The larger error of the real and the imaginary part. A NaN in either part is returned. */
static double checksum_error(const struct ft *ft, int iteration)
{
    const double *known = ft->options->class->checksums[iteration - 1];
    double re = fabs(ft->checksum[0] - known[0]) / fabs(known[0]);
    double im = fabs(ft->checksum[1] - known[1]) / fabs(known[1]);
    return isnan(re) || re > im ? re : im;
}

/* All variants transform by the same plans, so their spectra agree to the last bit. */
static bool same_spectrum(const struct ft *ft)
{
    const size_t count = fft_box_count(fft_spectrum(ft->fft));
    int different = 0;
#pragma omp parallel for num_threads(ft->threads) schedule(static) reduction(| : different)
    for (size_t i = 0; i < count; i++) {
        different |= ft->field[i] != ft->spectrum[i];
    }
    ft_collect(ft, &different, 1, MPI_INT, MPI_MAX);
    return !different;
}

static void keep_spectrum(struct ft *ft)
{
    const size_t count = fft_box_count(fft_spectrum(ft->fft));
#pragma omp parallel for num_threads(ft->threads) schedule(static)
    for (size_t i = 0; i < count; i++) {
        ft->spectrum[i] = ft->field[i];
    }
}

/* Keeps the spectrum of one variant's first forward transform, MPI's where it takes part, to judge
 * the other variants. */
static void transform_field(struct ft *ft, int run)
{
    int order[FT_VARIANTS], count = ft_order(ft, run, order);
    double seconds[FT_PARTS];
    for (int i = 1; i < count; i++) {
        if (ft_variants[order[0]].library != FFT_MPI && ft_variants[order[i]].library == FFT_MPI) {
            int first = order[0];
            order[0] = order[i];
            order[i] = first;
        }
    }
    for (int i = 0; i < count; i++) {
        ft_field_random(ft);
        ft_timed(ft, order[i], forward, 0, seconds);
        if (i == 0) {
            keep_spectrum(ft);
        } else if (!same_spectrum(ft)) {
            ft_check(ft, order[i], INFINITY);
        }
    }
}

/* The first checksum by Strata also attaches the communicator. */
static void warm_up(struct ft *ft)
{
    int order[FT_VARIANTS], count = ft_order(ft, 0, order);
    for (int i = 0; i < count; i++) {
        ft_field_random(ft);
        ft_use(ft, order[i]);
        ft_forward(ft);
        ft_inverse(ft);
        ft_field_checksum(ft, ft->checksum);
    }
}

static void run_once(struct ft *ft, int run)
{
    double seconds[FT_VARIANTS][FT_PARTS];
    int iterations = ft->options->class->iterations;
    transform_field(ft, run);
    for (int i = 1; i <= iterations; i++) {
        int order[FT_VARIANTS], count = ft_order(ft, i, order);
        for (int v = 0; v < count; v++) {
            ft_timed(ft, order[v], iterate, i, seconds[order[v]]);
            ft_check(ft, order[v], checksum_error(ft, i));
        }
        if (ft->progress) {
            ft_report_iteration(ft, i, iterations, seconds);
        }
    }
    ft_done(ft);
}

void ft_nas(struct ft *ft)
{
    warm_up(ft);
    for (int run = 0; run < ft->options->repeat; run++) {
        run_once(ft, run);
    }
}
