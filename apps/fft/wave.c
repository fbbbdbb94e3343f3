/* Computes the spectrum by its definition: at a few wave numbers k, the sum of u exp(-2 pi i k x /
 * n) over the field. No transform is needed. This finds mistakes that a round trip hides, such as
 * elements in wrong places of the spectrum. */
#include <math.h>
#include <stdlib.h>

#include "apps/fft/ft.h"

#define WAVES 4

static const double pi = 3.14159265358979323846;

/* exp(-2 pi i k x / n) for each x. The product is reduced first, so that the angle is exact. */
static double complex *phases(int n, int k)
{
    double complex *phase = malloc((size_t)n * sizeof *phase);
    for (int x = 0; phase && x < n; x++) {
        double angle = -2 * pi * (double)((int64_t)k * x % n) / n;
        phase[x] = CMPLX(cos(angle), sin(angle));
    }
    return phase;
}

/* Adds up my box's share of the sum, in extended precision: a plain sum of millions loses more
 * digits than the transform, which adds in a tree. */
static double complex add(const struct ft *ft, double complex *const phase[3])
{
    const int *n = ft->options->n;
    const struct fft_box box = *fft_space(ft->fft);
    long double re = 0, im = 0;
#pragma omp parallel for num_threads(ft->threads) schedule(static) collapse(2) reduction(+ : re, im)
    for (int z = box.low[0]; z < box.low[0] + box.size[0]; z++) {
        for (int y = box.low[1]; y < box.low[1] + box.size[1]; y++) {
            long double complex row = 0;
            for (int x = box.low[2]; x < box.low[2] + box.size[2]; x++) {
                row += ft_noise_at(n, z, y, x) * phase[2][x];
            }
            double complex part = (double complex)row * (phase[0][z] * phase[1][y]);
            re += creal(part);
            im += cimag(part);
        }
    }
    return CMPLX((double)re, (double)im);
}

/* The difference at one wave number, from the rank whose box has it. */
static double wave_error(const struct ft *ft, const int k[3])
{
    const int *n = ft->options->n;
    const struct fft_box *box = fft_spectrum(ft->fft);
    const struct fft_box point = {{k[0], k[1], k[2]}, {1, 1, 1}};
    const struct fft_box mine = fft_box_common(box, &point);
    double complex *phase[3] = {phases(n[0], k[0]), phases(n[1], k[1]), phases(n[2], k[2])};
    double complex sum = phase[0] && phase[1] && phase[2] ? add(ft, phase) : (double complex)NAN;
    double error = 0;
    ft_collect(ft, &sum, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM);
    if (fft_box_count(&mine) > 0) {
        error = cabs(ft->field[fft_box_at(box, k[0], k[1], k[2])] - sum);
    }
    for (int axis = 0; axis < 3; axis++) {
        free(phase[axis]);
    }
    return error;
}

double ft_wave_error(const struct ft *ft)
{
    const int *n = ft->options->n;
    const double usual = sqrt((double)n[0] * n[1] * n[2] / 6); /* of the noise's spectrum */
    double most = 0;
    for (int w = 0; w < WAVES; w++) {
        const int k[3] = {(7 * w + 1) % n[0], (5 * w + 2) % n[1], (n[2] / 2 + 3 * w) % n[2]};
        double error = wave_error(ft, k) / usual;
        most = error <= most ? most : isnan(error) ? INFINITY : error;
    }
    ft_collect(ft, &most, 1, MPI_DOUBLE, MPI_MAX);
    return most;
}
