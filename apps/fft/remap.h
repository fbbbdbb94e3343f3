/* Moves a field from one distribution of boxes over ranks to another, for the transform's
 * transposes or for any two distributions. Rank i sends rank j the part that i's box before and j's
 * box after have in common. */
#ifndef STRATA_APPS_FFT_REMAP_H
#define STRATA_APPS_FFT_REMAP_H

#include <complex.h>
#include <mpi.h>

#include "apps/fft/transform.h"

/* One end of the move: my box, and the parts of it that lie in the others' boxes at the other
 * end. */
struct fft_remap_side {
    struct fft_box box;
    struct fft_box *parts; /* [ranks] */
    bool contiguous;       /* each part is one run of the box's memory */
    /* [ranks] in elements: places in the box if contiguous, else in packed memory. */
    int *counts, *displs;
    /* [ranks] counts and displacements of types; the count of an empty part is 0. */
    int *ones, *zeros;
    MPI_Datatype *types; /* [ranks] each part as a subarray of the box */
};

/* calls.c: a collective of either library that has begun; at most one of the two is set. */
struct fft_request {
    struct strata_request *ours;
    MPI_Request mpis;
};

/* The arguments of a collective. */
struct fft_call {
    enum fft_library library; /* FFT_STRATA or FFT_MPI */
    enum fft_transpose transpose;
    const double complex *send;
    double complex *recv;
    const struct fft_remap_side *from, *to;
    MPI_Comm comm;
};
int fft_call(const struct fft_call *call);
int fft_call_begin(const struct fft_call *call, struct fft_request *request);
void fft_call_move(struct fft_request *request); /* progresses this call and all of Strata's */
int fft_call_wait(struct fft_request *request);

/* A persistent call, with the buffers of its description. MPI-3 has no persistent collectives:
 * MPI's call begins anew. */
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
    struct strata_team *team; /* of these threads, who share the exchange; NULL: they do not */
    struct fft_remap_side side[2];
    struct fft_again again[FFT_LIBRARIES][FFT_TRANSPOSES][2];
};

/* The buffers of a move, which may overwrite `from`. FFT_PACK packs into `spare`. With `arriving`
 * not NULL, packed data arrive there, and `from` stays as it is. */
struct fft_remap_buffers {
    double complex *from, *to, *spare, *arriving;
};

/* The boxes of a move, and their places in memory. */
struct fft_remap_ends {
    const struct fft_box *boxes[2]; /* [ranks] the boxes of all ranks, before and after */
    struct fft_box whole[2];        /* the memory of my boxes, of which the boxes may be parts */
    size_t packed[2];               /* where the packed parts begin */
    int rank, ranks;                /* of the move's communicator */
};

/* Sets up a move. Local; comm stays the caller's. Returns MPI_SUCCESS or MPI_ERR_NO_MEM; both need
 * fft_remap_destroy. */
int fft_remap_create(struct fft_remap *remap, const struct fft_remap_ends *ends, MPI_Comm comm,
                     int threads);
/* Collective where calls were persistent. A zeroed remap is allowed. */
void fft_remap_destroy(struct fft_remap *remap);

struct fft_remap_way {
    enum fft_library library; /* FFT_STRATA or FFT_MPI */
    enum fft_transpose transpose;
    bool back; /* from side 1 to side 0 */
    enum fft_calls calls;
};

/* Runs a move and adds its times to `seconds`. Collective over the move's communicator. */
int fft_remap_run(struct fft_remap *remap, struct fft_remap_way way,
                  struct fft_remap_buffers buffers, double seconds[FFT_PARTS]);
/* The parts of a move: fft_remap_before packs and returns the call; fft_remap_after unpacks. */
struct fft_call fft_remap_before(const struct fft_remap *remap, struct fft_remap_way way,
                                 struct fft_remap_buffers buffers, double seconds[FFT_PARTS]);
void fft_remap_after(const struct fft_remap *remap, const struct fft_call *call, double complex *to,
                     double seconds[FFT_PARTS]);

/* pack.c: threads copy the parts of a box, one behind another. */
void fft_remap_pack(const struct fft_remap *remap, const struct fft_remap_side *side,
                    const double complex *box, double complex *packed);
void fft_remap_unpack(const struct fft_remap *remap, const struct fft_remap_side *side,
                      const double complex *packed, double complex *box);

#endif
