/* FFTW's transposition between ranks, as one more way to exchange slabs. It moves tuples of n[2]
 * elements in a matrix of n[0] x n[1] tuples, whose rows are planes of z. One side is transposed
 * locally, so that both sides are in natural order. */
#include <stddef.h>

#include "apps/fft/local.h"

#include <fftw3-mpi.h>

const char *fft_transpose_lacks(const int n[3], const int grid[2])
{
    if (grid[1] != 1) {
        return "FFTW transposes slabs only";
    }
    if (n[0] % grid[0] || n[1] % grid[0]) {
        return "FFTW divides uneven slabs in its own way";
    }
    return NULL;
}

/* The plan's rows are the axis that is cut before the exchange. */
fftw_plan fft_transpose_plan(const struct fft_setup *setup, MPI_Comm comm, bool back,
                             double complex *from, double complex *to)
{
    const ptrdiff_t matrix[2] = {setup->n[back], setup->n[!back]}, tuple = 2 * setup->n[2];
    unsigned flags = setup->flags | FFTW_DESTROY_INPUT;
    flags |= back ? FFTW_MPI_TRANSPOSED_IN : FFTW_MPI_TRANSPOSED_OUT;
    fftw_mpi_init();
    fftw_plan_with_nthreads(setup->threads);
    return fftw_mpi_plan_many_transpose(matrix[0], matrix[1], tuple, FFTW_MPI_DEFAULT_BLOCK,
                                        FFTW_MPI_DEFAULT_BLOCK, (double *)from, (double *)to, comm,
                                        flags);
}

void fft_transpose_execute(fftw_plan plan, double complex *from, double complex *to)
{
    fftw_mpi_execute_r2r(plan, (double *)from, (double *)to);
}
