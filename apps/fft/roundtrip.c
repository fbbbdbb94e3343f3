/* Transforms random data there and back. One untimed round compares the spectrum with its
 * definition and with FFTW's spectrum. Every round compares the returned data with the original. */
#include <math.h>

#include "apps/fft/ft.h"

static void forward(struct ft *ft, int run)
{
    (void)run;
    ft_forward(ft);
}

static void inverse(struct ft *ft, int run)
{
    (void)run;
    ft_inverse(ft);
}

static void fill(struct ft *ft)
{
    ft_noise_fill(ft->options->n, fft_space(ft->fft), ft->field, ft->threads);
}

static void check_spectrum(struct ft *ft, int variant)
{
    double error = ft_wave_error(ft);
    ft_check(ft, variant, error);
    ft->wave_error = fmax(ft->wave_error, error);
    if (ft->reference) {
        error = ft_reference_error(ft);
        ft_check(ft, variant, error);
        ft->reference_error = fmax(ft->reference_error, error);
    }
}

/* FFTW's spectrum stays in FFTW's memory until all variants are compared with it. */
static void warm_up(struct ft *ft)
{
    int order[FT_VARIANTS], count = ft_order(ft, 0, order);
    if (ft->reference) {
        ft_reference_forward(ft);
    }
    for (int i = 0; i < count; i++) {
        fill(ft);
        ft_use(ft, order[i]);
        fft_forget(ft->fft);
        ft_forward(ft);
        check_spectrum(ft, order[i]);
        fft_forget(ft->fft);
        ft_inverse(ft);
        ft_check(ft, order[i], ft_noise_error(ft));
    }
    if (ft->reference) {
        ft_reference_inverse(ft);
    }
}

static void there_and_back(struct ft *ft, int variant, int run, double seconds[FT_PARTS])
{
    double back[FT_PARTS];
    fill(ft);
    ft_timed(ft, variant, forward, run, seconds);
    ft_timed(ft, variant, inverse, run, back);
    ft_check(ft, variant, ft_noise_error(ft));
    for (int p = 0; p < FT_PARTS; p++) {
        seconds[p] += back[p];
    }
}

static void time_reference(struct ft *ft)
{
    double seconds[FT_PARTS] = {0};
    seconds[FT_TOTAL] = ft_reference_forward(ft);
    seconds[FT_TOTAL] += ft_reference_inverse(ft);
    ft_add_times(ft, FT_REFERENCE, seconds);
}

void ft_roundtrip(struct ft *ft)
{
    double seconds[FT_VARIANTS][FT_PARTS];
    warm_up(ft);
    for (int run = 0; run < ft->options->repeat; run++) {
        int order[FT_VARIANTS], count = ft_order(ft, run, order);
        for (int i = 0; i < count; i++) {
            there_and_back(ft, order[i], run, seconds[order[i]]);
        }
        if (ft->reference) {
            time_reference(ft);
        }
        if (ft->progress) {
            ft_report_iteration(ft, run + 1, ft->options->repeat, seconds);
        }
        ft_done(ft);
    }
}
