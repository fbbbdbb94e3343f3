/* Random data that every rank can make for any place of the field. */
#include <math.h>

#include "apps/fft/ft.h"

/* Mixes the bits of the place as SplitMix64 does. Real and imaginary part are in [-1/2, 1/2). */
double complex ft_noise_at(const int n[3], int z, int y, int x)
{
    const double scale = 1 / 4294967296.;
    uint64_t h = (((uint64_t)z * (uint64_t)n[1] + (uint64_t)y) * (uint64_t)n[2] + (uint64_t)x + 1) *
                 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    h ^= h >> 31;
    return CMPLX((double)(h >> 32) * scale - .5, (double)(h & 0xffffffffu) * scale - .5);
}

void ft_noise_fill(const int n[3], const struct fft_box *box, double complex *data, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static) collapse(2)
    for (int z = box->low[0]; z < box->low[0] + box->size[0]; z++) {
        for (int y = box->low[1]; y < box->low[1] + box->size[1]; y++) {
            double complex *row = data + fft_box_at(box, z, y, box->low[2]);
            for (int x = 0; x < box->size[2]; x++) {
                row[x] = ft_noise_at(n, z, y, box->low[2] + x);
            }
        }
    }
}

double ft_noise_error(const struct ft *ft)
{
    const int *n = ft->options->n;
    const double scale = 1 / ((double)n[0] * n[1] * n[2]);
    const struct fft_box box = *fft_space(ft->fft);
    double most = 0;
#pragma omp parallel for num_threads(ft->threads) schedule(static) collapse(2) reduction(max : most)
    for (int z = box.low[0]; z < box.low[0] + box.size[0]; z++) {
        for (int y = box.low[1]; y < box.low[1] + box.size[1]; y++) {
            const double complex *row = ft->field + fft_box_at(&box, z, y, box.low[2]);
            for (int x = 0; x < box.size[2]; x++) {
                double error = cabs(row[x] * scale - ft_noise_at(n, z, y, box.low[2] + x));
                most = error <= most ? most : isnan(error) ? INFINITY : error;
            }
        }
    }
    ft_collect(ft, &most, 1, MPI_DOUBLE, MPI_MAX);
    return most;
}
