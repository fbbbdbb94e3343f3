/* Replaces fftw_transpose.c in a build without libfftw3-mpi for this MPI. It states that reason,
 * and no other function is called. */
#include "apps/fft/local.h"

const char *fft_transpose_lacks(const int n[3], const int grid[2])
{
    (void)n, (void)grid;
    return "this was built without libfftw3-mpi for this MPI";
}

fftw_plan fft_transpose_plan(const struct fft_setup *setup, MPI_Comm comm, bool back,
                             double complex *from, double complex *to)
{
    (void)setup, (void)comm, (void)back, (void)from, (void)to;
    return NULL;
}

void fft_transpose_execute(fftw_plan plan, double complex *from, double complex *to)
{
    (void)plan, (void)from, (void)to;
}
