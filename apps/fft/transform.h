/* A 3-D complex Fourier transform over MPI ranks and OpenMP threads. FFTW transforms the axes that
 * are whole on a rank. Alltoalls in the rows and columns of a grid of ranks make the other axes
 * whole. Other programs may use the transform: libstrata_fft.a has all of it and nothing of the
 * application.
 *
 * A field has n[0] x n[1] x n[2] elements (z, y, x), x fastest. The ranks form a grid P x Q: rank r
 * has row r / Q and column r % Q. A rank's box of the field comes from an even division:
 *
 *   in space      z into P, y into Q, x whole
 *   between       z into P, x into Q, y whole     the Q ranks of each row exchange
 *   in spectrum   y into P, x into Q, z whole     the P ranks of each column exchange
 *
 * So Q = 1 gives slabs, which need one exchange. Blocks may differ in size. Every box lies in
 * memory in natural order, z slowest and x fastest, without gaps.
 *
 * Transforms are unnormalised: inverse(forward(u)) = n[0] n[1] n[2] u, with exp(-i...) forward. All
 * ranks of the communicator must make collective calls alike. A returned int is MPI_SUCCESS or an
 * MPI error code. */
#ifndef STRATA_APPS_FFT_TRANSFORM_H
#define STRATA_APPS_FFT_TRANSFORM_H

#include <complex.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "apps/fft/box.h"

/* The library that exchanges, and the way of parts that are not contiguous. */
enum fft_library { FFT_STRATA, FFT_MPI, FFT_FFTW, FFT_LIBRARIES };
enum fft_transpose {
    FFT_PACK,     /* threads pack and unpack such parts around alltoallv */
    FFT_DATATYPE, /* alltoallw of subarray datatypes, without packing */
    FFT_TRANSPOSES
};

/* The calls that exchange. Nonblocking calls exchange planes while others are transformed. */
enum fft_calls { FFT_BLOCKING, FFT_NONBLOCKING, FFT_PERSISTENT, FFT_CALLS };

/* The parts of this rank's time, in seconds. */
enum fft_part { FFT_COMPUTE, FFT_PACKING, FFT_EXCHANGE, FFT_PARTS };

struct fft_setup {
    int n[3];
    int grid[2]; /* P, Q: fft_grid_fits */
    int threads; /* threads of this rank, at least 1 */
    /* comm is a thread's handle (strata_members_create), and what is said of ranks holds of
     * members: P 1 alone, exchanged by Strata */
    bool members;
    bool team; /* the threads of this rank share its exchanges, as a team */
    enum fft_calls calls;
    bool mapped;    /* buffers lie in memory of strata_alloc, which a host's ranks share */
    unsigned flags; /* for FFTW's planner: FFTW_ESTIMATE, FFTW_MEASURE ... */
};

struct fft;

/* Whether every rank of the grid has elements in each of the three cuts. Local. */
bool fft_grid_fits(const int n[3], const int grid[2]);
/* Chooses slabs where they fit, else the grid whose largest box is smallest. Returns false where
 * none fits. Local. */
bool fft_grid_choose(const int n[3], int ranks, int grid[2]);
/* The elements of a rank's buffers, the same on all ranks. Local. */
double fft_elements(const int n[3], const int grid[2]);

/* Collective. comm stays the caller's and must outlive *fft; its size must be P Q. MPI must offer
 * at least MPI_THREAD_FUNNELED, and members MPI_THREAD_MULTIPLE.
 * Errors: MPI_ERR_DIMS (the grid), MPI_ERR_COUNT (more elements on a rank than an int can count),
 * MPI_ERR_NO_MEM. On an error *fft is NULL. */
int fft_create(struct fft **fft, const struct fft_setup *setup, MPI_Comm comm);
void fft_destroy(struct fft *fft); /* collective; NULL is ignored */

/* A buffer for fft_forward; NULL: memory is short. fft_free must free it before *fft is destroyed.
 * Local, except for mapped buffers: collective then, in the same order on all ranks. */
double complex *fft_alloc(const struct fft *fft);
void fft_free(const struct fft *fft, double complex *data); /* NULL is ignored */

/* My box of the field before and after fft_forward. Local. */
const struct fft_box *fft_space(const struct fft *fft);
const struct fft_box *fft_spectrum(const struct fft *fft);

/* Why fft_use refuses the library; NULL: it does not. Local. */
const char *fft_lacks(const struct fft *fft, enum fft_library library);
/* Sets the library that exchanges from now on, and its way; before the first call they are Strata
 * and FFT_PACK. FFTW's transposition has a way of its own. May be called between any transforms.
 * Collective.
 * Errors: MPI_ERR_ARG (fft_lacks), MPI_ERR_NO_MEM; nothing changes then. */
int fft_use(struct fft *fft, enum fft_library library, enum fft_transpose transpose);

/* Transforms in place, in a buffer of fft_alloc. With persistent calls all ranks keep their
 * buffers, or change them together. Collective. Errors: the exchange's. */
int fft_forward(struct fft *fft, double complex *data);
int fft_inverse(struct fft *fft, double complex *data);

/* The seconds since the last call. Local. */
void fft_seconds(struct fft *fft, double seconds[FFT_PARTS]);
/* Fills the work arrays with NaN, so that elements which a transform fails to write are found.
 * Local. */
void fft_forget(struct fft *fft);
/* The communicators of my row and my column; MPI_COMM_NULL where it has one rank. Local. */
MPI_Comm fft_row(const struct fft *fft);
MPI_Comm fft_column(const struct fft *fft);

#endif
