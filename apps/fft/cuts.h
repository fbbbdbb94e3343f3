/* The three ways in which the grid of ranks cuts the field, in the order of the forward
 * transform. */
#ifndef STRATA_APPS_FFT_CUTS_H
#define STRATA_APPS_FFT_CUTS_H

#include "apps/fft/transform.h"

enum fft_cut { FFT_CUT_SPACE, FFT_CUT_BETWEEN, FFT_CUT_SPECTRUM, FFT_CUTS };

/* The axis cut into P parts for the grid's rows, and the axis cut into Q parts for its columns. */
struct fft_cut_axes {
    int rows, columns;
};
extern const struct fft_cut_axes fft_cuts[FFT_CUTS];

/* The box of the rank in row place[0] and column place[1]. */
struct fft_box fft_rank_box(const int n[3], enum fft_cut cut, const int grid[2],
                            const int place[2]);

#endif
