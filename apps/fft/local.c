#include "apps/fft/local.h"

#include <math.h>

#include "apps/common/work.h"

/* Visits of memory that a level of the transform takes for an element: 0.45 ns, measured with class
 * W on a core of today, where a visit takes 0.6 ns (sim/platforms). */
#define VISITS 0.75

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
        fftw_plan_with_nthreads(app_real_threads(transform->threads));
        plan = fftw_plan_guru_dft(dimensions, whole, nested, loops, from, to, sign, setup->flags);
    }
    return plan;
}

/* The levels of all elements of the thread that transforms the most lines along each axis. */
static double most_levels(const struct fft_local_transform *transform)
{
    const int *part = transform->part.size;
    const int64_t count = (int64_t)fft_box_count(&transform->part);
    double levels = 0;
    for (int axis = transform->first; axis <= transform->last; axis++) {
        if (part[axis] > 1) {
            levels += log2(part[axis]) * part[axis] *
                      app_largest_share(count / part[axis], transform->threads);
        }
    }
    return levels;
}

void fft_local_execute(const struct fft_local_transform *transform, fftw_plan plan,
                       double complex *from, double complex *to)
{
    fftw_execute_dft(plan, from, to);
    app_work_shared(VISITS * most_levels(transform), transform->threads);
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
