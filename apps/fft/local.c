#include "apps/fft/local.h"

fftw_plan fft_local_plan(const struct fft_local_transform *transform, int sign,
                         double complex *from, double complex *to, const struct fft_setup *setup)
{
    const int *size = transform->box.size, *part = transform->part.size;
    fftw_iodim whole[3], loops[3];
    int dimensions = 0, nested = 0;
    for (int axis = 0; axis < 3; axis++) {
        int stride = axis == 0 ? size[1] * size[2] : axis == 1 ? size[2] : 1;
        fftw_iodim dimension = {part[axis], stride, stride};
        if (axis >= transform->first && axis <= transform->last) {
            whole[dimensions++] = dimension;
        } else {
            loops[nested++] = dimension;
        }
    }
    fftw_plan plan;
#pragma omp critical /* which FFTW has one of, for all threads */
    {
        fftw_plan_with_nthreads(setup->threads);
        plan = fftw_plan_guru_dft(dimensions, whole, nested, loops, from, to, sign, setup->flags);
    }
    return plan;
}

bool fft_local_begin(void)
{
    int fine;
#pragma omp critical
    fine = fftw_init_threads();
    return fine;
}

void fft_local_forget(fftw_plan plan)
{
#pragma omp critical
    fftw_destroy_plan(plan);
}
