/* Moves a field from one distribution of boxes over ranks to another: rank i sends rank j what i's
 * box before and j's box after have in common. Used for the transform's transposes, and for any two
 * distributions. */
#ifndef STRATA_APPS_FFT_REMAP_H
#define STRATA_APPS_FFT_REMAP_H

#include <complex.h>
#include <mpi.h>

#include "apps/fft/transform.h"

/* One end of the move: my box, and its parts that the others have in their boxes at the other
 * end. */
struct fft_remap_side {
    struct fft_box box;
    struct fft_box *parts; /* [ranks] */
    bool contiguous;       /* each part is one run of the box's memory */
    int *counts, *displs;  /* [ranks] in elements: of the box if contiguous, else packed */
    int *ones, *zeros;     /* [ranks] counts and displacements of types; empty parts have 0 */
    MPI_Datatype *types;   /* [ranks] a part as a subarray of the box */
};

/* Moves from side 0 to side 1, and back. */
struct fft_remap {
    MPI_Comm comm;
    int ranks, threads;
    struct fft_remap_side side[2];
};

struct fft_remap_buffers {
    double complex *from, *to, *spare; /* spare: for FFT_PACK; from may be overwritten */
};

/* boxes[0], boxes[1]: [ranks] everybody's boxes before and after. Local; comm is only referred to.
 * MPI_SUCCESS, MPI_ERR_NO_MEM; fft_remap_destroy is needed either way. */
int fft_remap_create(struct fft_remap *remap, const struct fft_box *const boxes[2], MPI_Comm comm,
                     int threads);
void fft_remap_destroy(struct fft_remap *remap); /* also of a zeroed remap */

struct fft_remap_way {
    enum fft_library library; /* not FFT_FFTW */
    enum fft_transpose transpose;
    bool back; /* from side 1 to side 0 */
};

/* Collective over its communicator. Adds to seconds. */
int fft_remap_run(const struct fft_remap *remap, struct fft_remap_way way,
                  struct fft_remap_buffers buffers, double seconds[FFT_PARTS]);

/* pack.c: copies parts of a box, one behind another, by threads. */
void fft_remap_pack(const struct fft_remap *remap, const struct fft_remap_side *side,
                    const double complex *box, double complex *packed);
void fft_remap_unpack(const struct fft_remap *remap, const struct fft_remap_side *side,
                      const double complex *packed, double complex *box);

#endif
