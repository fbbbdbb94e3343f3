/* What a transform is made of. */
#ifndef STRATA_APPS_FFT_STATE_H
#define STRATA_APPS_FFT_STATE_H

#include "apps/fft/cuts.h"
#include "apps/fft/local.h"
#include "apps/fft/remap.h"

enum direction { FORWARD, INVERSE, DIRECTIONS };

/* A local transform of the axes that are whole in one cut of the field. */
struct stage {
    struct fft_local_transform transform;
    fftw_plan plan[DIRECTIONS];
};

struct fft {
    struct fft_setup setup;
    int place[2];         /* my row and column in the grid */
    MPI_Comm row, column; /* MPI_COMM_NULL: one rank */
    size_t capacity;      /* elements of each buffer */
    double complex *work[2];
    int stages;
    struct stage stage[FFT_CUTS];
    struct fft_remap remap[FFT_CUTS - 1]; /* between stage i and i + 1 */
    fftw_plan transpose[DIRECTIONS];      /* NULL before FFT_FFTW is used */
    enum fft_library library;
    enum fft_transpose way;
    double seconds[FFT_PARTS];
};

#endif
