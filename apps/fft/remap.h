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

/* calls.c: a collective of either library; of these at most one is there. */
struct fft_request {
    struct strata_request *ours;
    MPI_Request mpis;
};

/* What a collective is called with. */
struct fft_call {
    enum fft_library library; /* not FFT_FFTW */
    enum fft_transpose transpose;
    const double complex *send;
    double complex *recv;
    const struct fft_remap_side *from, *to;
    MPI_Comm comm;
};
int fft_call(const struct fft_call *call);
int fft_call_begin(const struct fft_call *call, struct fft_request *request);
void fft_call_move(struct fft_request *request); /* it, and all of ours, go on */
int fft_call_wait(struct fft_request *request);

/* A persistent call and what it was described with. MPI-3 has none: MPI's own begins anew. */
struct fft_again {
    struct fft_request request;
    const void *send, *recv;
};
int fft_call_again(const struct fft_call *call, struct fft_again *again);
void fft_again_free(struct fft_again *again); /* collective */

/* Moves from side 0 to side 1, and back. */
struct fft_remap {
    MPI_Comm comm;
    int ranks, threads;
    struct fft_remap_side side[2];
    struct fft_again again[FFT_LIBRARIES][FFT_TRANSPOSES][2];
};

/* from may be overwritten. For FFT_PACK: spare; arriving, if it is not NULL, lets from alone. */
struct fft_remap_buffers {
    double complex *from, *to, *spare, *arriving;
};

/* What moves, and where it lies. */
struct fft_remap_ends {
    const struct fft_box *boxes[2]; /* [ranks] everybody's, before and after */
    struct fft_box whole[2];        /* my boxes' memory, of which boxes may be parts */
    size_t packed[2];               /* where the packed ones begin */
};

/* Local; comm is only referred to. MPI_SUCCESS, MPI_ERR_NO_MEM; fft_remap_destroy is needed either
 * way. */
int fft_remap_create(struct fft_remap *remap, const struct fft_remap_ends *ends, MPI_Comm comm,
                     int threads);
/* Collective where calls were persistent; also of a zeroed remap. */
void fft_remap_destroy(struct fft_remap *remap);

struct fft_remap_way {
    enum fft_library library; /* not FFT_FFTW */
    enum fft_transpose transpose;
    bool back; /* from side 1 to side 0 */
    enum fft_calls calls;
};

/* Collective over its communicator. Adds to seconds. */
int fft_remap_run(struct fft_remap *remap, struct fft_remap_way way,
                  struct fft_remap_buffers buffers, double seconds[FFT_PARTS]);
/* Its parts: packs what is to be packed and says what to call; unpacks what came. */
struct fft_call fft_remap_before(const struct fft_remap *remap, struct fft_remap_way way,
                                 struct fft_remap_buffers buffers, double seconds[FFT_PARTS]);
void fft_remap_after(const struct fft_remap *remap, const struct fft_call *call, double complex *to,
                     double seconds[FFT_PARTS]);

/* pack.c: copies parts of a box, one behind another, by threads. */
void fft_remap_pack(const struct fft_remap *remap, const struct fft_remap_side *side,
                    const double complex *box, double complex *packed);
void fft_remap_unpack(const struct fft_remap *remap, const struct fft_remap_side *side,
                      const double complex *packed, double complex *box);

#endif
