/* A 3-D complex Fourier transform over MPI ranks and OpenMP threads: FFTW transforms what lies
 * whole on a rank, and alltoalls in the rows and columns of a grid of ranks make other axes whole.
 * Other programs may use it: link libstrata_fft.a, which is all of this and nothing of the
 * application.
 *
 * A field has n[0] x n[1] x n[2] elements (z, y, x), x fastest. The ranks stand in a grid P x Q:
 * rank r in row r / Q and column r % Q. A rank's box of the field is cut by even division
 *
 *   in space      z into P, y into Q, x whole
 *   between       z into P, x into Q, y whole     the Q ranks of each row exchange
 *   in spectrum   y into P, x into Q, z whole     the P ranks of each column exchange
 *
 * so Q = 1 means slabs, which are exchanged once. Blocks need not be of one size. Every box is held
 * in natural order, z slowest and x fastest, without gaps.
 *
 * Transforms are unnormalised: inverse(forward(u)) = n[0] n[1] n[2] u, with exp(-i...) forward.
 * Functions that are collective over the communicator must be called by all its ranks alike. Where
 * an int is returned it is MPI_SUCCESS or an MPI error code. */
#ifndef STRATA_APPS_FFT_TRANSFORM_H
#define STRATA_APPS_FFT_TRANSFORM_H

#include <complex.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "apps/fft/box.h"

/* Who exchanges, and how what is not contiguous gets to the others. */
enum fft_library { FFT_STRATA, FFT_MPI, FFT_FFTW, FFT_LIBRARIES };
enum fft_transpose {
    FFT_PACK,     /* threads pack and unpack around alltoallv, where blocks are not contiguous */
    FFT_DATATYPE, /* alltoallw of subarray datatypes; nothing is packed here */
    FFT_TRANSPOSES
};

/* By which calls. Those that do not block exchange planes while others are transformed. */
enum fft_calls { FFT_BLOCKING, FFT_NONBLOCKING, FFT_PERSISTENT, FFT_CALLS };

/* Seconds that this rank spent. */
enum fft_part { FFT_COMPUTE, FFT_PACKING, FFT_EXCHANGE, FFT_PARTS };

struct fft_setup {
    int n[3];
    int grid[2]; /* P, Q: fft_grid_fits */
    int threads; /* of this rank, at least 1 */
    enum fft_calls calls;
    bool mapped;    /* buffers in memory that the ranks of a host have in common: strata_alloc */
    unsigned flags; /* of FFTW's planner: FFTW_ESTIMATE, FFTW_MEASURE ... */
};

struct fft;

/* Whether every rank of such a grid gets something in each of the three cuts. Local. */
bool fft_grid_fits(const int n[3], const int grid[2]);
/* Slabs if they fit, else the grid whose largest box is smallest; false: none fits. Local. */
bool fft_grid_choose(const int n[3], int ranks, int grid[2]);
/* Elements that a rank's buffers must hold, the same on all ranks. Local. */
double fft_elements(const int n[3], const int grid[2]);

/* Collective. comm stays the caller's and must outlive *fft; P Q must be its size.
 * MPI's threads must be initialised with at least MPI_THREAD_FUNNELED.
 * Errors: MPI_ERR_DIMS (the grid), MPI_ERR_COUNT (more elements on a rank than an int can count),
 * MPI_ERR_NO_MEM; *fft is NULL then. */
int fft_create(struct fft **fft, const struct fft_setup *setup, MPI_Comm comm);
void fft_destroy(struct fft *fft); /* collective; NULL is ignored */

/* A buffer for fft_forward, to be freed with fft_free before *fft is destroyed; NULL: no memory.
 * Local, but where buffers are mapped: collective, and on all ranks in the same order. */
double complex *fft_alloc(const struct fft *fft);
void fft_free(const struct fft *fft, double complex *data); /* NULL is ignored */

/* My box of the field before and after fft_forward. Local. */
const struct fft_box *fft_space(const struct fft *fft);
const struct fft_box *fft_spectrum(const struct fft *fft);

/* NULL if fft_use takes it, else the reason why not. Local. */
const char *fft_lacks(const struct fft *fft, enum fft_library library);
/* Who exchanges from now on, and how; Strata and FFT_PACK before the first call. FFTW's
 * transposition has its own way. May be called between any transforms. Collective.
 * Errors: MPI_ERR_ARG (fft_lacks), MPI_ERR_NO_MEM; nothing is changed then. */
int fft_use(struct fft *fft, enum fft_library library, enum fft_transpose transpose);

/* In place, in a buffer of fft_alloc; with persistent calls all ranks keep to a buffer, or go to
 * another one at once. Collective. Errors: those of the exchange. */
int fft_forward(struct fft *fft, double complex *data);
int fft_inverse(struct fft *fft, double complex *data);

/* The seconds since the last call. Local. */
void fft_seconds(struct fft *fft, double seconds[FFT_PARTS]);
/* Fills the work arrays with what is no number, so that a transform which fails to write something
 * is found out. Local. */
void fft_forget(struct fft *fft);
/* The communicators of my row and my column; MPI_COMM_NULL where nothing is exchanged. Local. */
MPI_Comm fft_row(const struct fft *fft);
MPI_Comm fft_column(const struct fft *fft);

#endif
