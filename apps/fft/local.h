/* FFTW's part: it transforms the axes that are whole on a rank, with OpenMP threads. With
 * libfftw3-mpi for this MPI it also transposes between ranks. */
#ifndef STRATA_APPS_FFT_LOCAL_H
#define STRATA_APPS_FFT_LOCAL_H

#include <complex.h>
#include <fftw3.h>

#include "apps/fft/transform.h"

/* A transform of a box along its axes first .. last; from and to may be the same. fft_local_plan
 * returns NULL where memory is short. fft_local_execute runs the plan on any buffers of
 * fft_alloc. */
struct fft_local_transform {
    int threads; /* that share it */
    /* The box in memory, and the part of it that is transformed: from and to begin at the part. */
    struct fft_box box, part;
    int first, last;
};
fftw_plan fft_local_plan(const struct fft_local_transform *transform, int sign,
                         double complex *from, double complex *to, const struct fft_setup *setup);
void fft_local_execute(const struct fft_local_transform *transform, fftw_plan plan,
                       double complex *from, double complex *to);
bool fft_local_begin(void); /* before any plan; false: memory is short */
void fft_local_forget(fftw_plan plan);

/* fftw_transpose.c: why FFTW cannot exchange for this field and grid; NULL: it can. */
const char *fft_transpose_lacks(const int n[3], const int grid[2]);
/* Plans the exchange of slabs from z cut to y cut, or back. The plan and its execution are
 * collective over comm. Returns NULL where FFTW has no such plan. */
fftw_plan fft_transpose_plan(const struct fft_setup *setup, MPI_Comm comm, bool back,
                             double complex *from, double complex *to);
void fft_transpose_execute(fftw_plan plan, double complex *from, double complex *to);

#endif
