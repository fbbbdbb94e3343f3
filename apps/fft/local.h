/* FFTW's share: transforms of what lies whole on a rank, by its OpenMP threads, and, where
 * libfftw3-mpi is there for this MPI, its transposition between ranks. */
#ifndef STRATA_APPS_FFT_LOCAL_H
#define STRATA_APPS_FFT_LOCAL_H

#include <complex.h>
#include <fftw3.h>

#include "apps/fft/transform.h"

/* A transform of a box along its axes first .. last; from and to may be the same. Plans are
 * executed by fftw_execute_dft on any buffers of fft_alloc. NULL: no memory. */
struct fft_local_transform {
    struct fft_box box, part; /* the memory; what is transformed of it: from and to begin there */
    int first, last;
};
fftw_plan fft_local_plan(const struct fft_local_transform *transform, int sign,
                         double complex *from, double complex *to, const struct fft_setup *setup);

/* fftw_transpose.c. NULL if FFTW can exchange for this field and grid, else the reason why not. */
const char *fft_transpose_lacks(const int n[3], const int grid[2]);
/* The exchange of slabs, from z cut to y cut (or back); collective over comm, also when executed by
 * fft_transpose_execute. NULL: not possible. */
fftw_plan fft_transpose_plan(const struct fft_setup *setup, MPI_Comm comm, bool back,
                             double complex *from, double complex *to);
void fft_transpose_execute(fftw_plan plan, double complex *from, double complex *to);

#endif
