/* The field of NAS FT. It is random at first, then a solution of the diffusion equation, whose
 * spectrum decays by exp(-4 alpha pi^2 t k^2). */
#include <math.h>

#include "apps/common/collect.h"
#include "apps/common/random.h"
#include "apps/common/work.h"
#include "apps/fft/ft.h"

#define ALPHA  1e-6
#define POINTS 1024 /* the points that a checksum adds up */

static const double pi = 3.14159265358979323846;

/* Each element takes two values of the sequence, in the field's order. */
static void fill_row(double complex *row, int64_t position, int count)
{
    const double scale = 1 / (double)((int64_t)1 << APP_RANDOM_BITS);
    uint64_t x = app_random_at(2 * (uint64_t)position);
    for (int i = 0; i < count; i++) {
        uint64_t re = x * APP_RANDOM_MULTIPLIER & APP_RANDOM_MASK;
        x = re * APP_RANDOM_MULTIPLIER & APP_RANDOM_MASK;
        row[i] = CMPLX((double)re * scale, (double)x * scale);
    }
}

void ft_field_random(struct ft *ft)
{
    const int *n = ft->options->n;
    const struct fft_box box = *fft_space(ft->fft);
#pragma omp parallel for num_threads(ft->threads) schedule(static) collapse(2)
    for (int z = box.low[0]; z < box.low[0] + box.size[0]; z++) {
        for (int y = box.low[1]; y < box.low[1] + box.size[1]; y++) {
            int64_t position = ((int64_t)z * n[1] + y) * n[2] + box.low[2];
            fill_row(ft->field + fft_box_at(&box, z, y, box.low[2]), position, box.size[2]);
        }
    }
}

/* The decay factors of one axis of the box. Wave numbers above the middle stand for negative
 * ones. */
static void fill_decay(const struct ft *ft, int axis, int time, double *factor)
{
    const struct fft_box *box = fft_spectrum(ft->fft);
    const int n = ft->options->n[axis];
    for (int i = 0; i < box->size[axis]; i++) {
        int place = box->low[axis] + i, k = place < n / 2 ? place : place - n;
        factor[i] = exp(-4 * ALPHA * pi * pi * time * (double)k * k);
    }
}

void ft_field_evolve(struct ft *ft, int time)
{
    const int *size = fft_spectrum(ft->fft)->size;
    double *fz = ft->decay, *fy = fz + size[0], *fx = fy + size[1];
    fill_decay(ft, 0, time, fz);
    fill_decay(ft, 1, time, fy);
    fill_decay(ft, 2, time, fx);
#pragma omp parallel for num_threads(ft->threads) schedule(static) collapse(2)
    for (int z = 0; z < size[0]; z++) {
        for (int y = 0; y < size[1]; y++) {
            size_t row = ((size_t)z * (size_t)size[1] + (size_t)y) * (size_t)size[2];
            for (int x = 0; x < size[2]; x++) {
                ft->field[row + (size_t)x] =
                    ft->spectrum[row + (size_t)x] * (fz[z] * fy[y] * fx[x]);
            }
        }
    }
    const double rows = app_largest_share((int64_t)size[0] * size[1], ft->threads);
    app_work_shared(2.5 * rows * size[2], ft->threads); /* 1.5 ns an element; a visit takes 0.6 */
}

void ft_field_checksum(struct ft *ft, double sum[2])
{
    const int *n = ft->options->n;
    const struct fft_box box = *fft_space(ft->fft);
    const double elements = (double)n[0] * n[1] * n[2];
    double re = 0, im = 0;
#pragma omp parallel for num_threads(ft->threads) schedule(static) reduction(+ : re, im)
    for (int j = 1; j <= POINTS; j++) {
        int z = 5 * j % n[0], y = 3 * j % n[1], x = j % n[2];
        const struct fft_box point = {{z, y, x}, {1, 1, 1}};
        const struct fft_box mine = fft_box_common(&box, &point);
        if (fft_box_count(&mine) > 0) {
            double complex value = ft->field[fft_box_at(&box, z, y, x)];
            re += creal(value);
            im += cimag(value);
        }
    }
    app_work_shared(0, ft->threads); /* the points are few, opening the team is not */
    sum[0] = re / elements;
    sum[1] = im / elements;
    app_collect(ft->comm, ft->options->members || ft->by_strata, sum, 2, MPI_DOUBLE, MPI_SUM);
}
