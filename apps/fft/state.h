/* The parts of a transform. */
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

/* A part of a stage that travels while others are transformed. */
struct fft_piece {
    struct fft_local_transform transform;
    fftw_plan plan; /* NULL: an empty piece */
    size_t at;      /* where it begins in the stage's box */
    struct fft_remap remap;
    struct fft_call call;
    struct fft_request request;
};
enum { FFT_PIECES = 4 };

struct fft {
    struct fft_setup setup;
    MPI_Comm comm;            /* the caller's */
    struct strata_team *team; /* NULL: there is none */
    int place[2];             /* my row and column in the grid */
    MPI_Comm row, column;     /* MPI_COMM_NULL: one rank */
    size_t capacity;          /* the elements of each buffer */
    double complex *work[3];  /* work[2] is for nonblocking calls */
    int stages;
    struct stage stage[FFT_CUTS];
    struct fft_remap remap[FFT_CUTS - 1];                         /* between stage i and i + 1 */
    struct fft_piece piece[FFT_CUTS - 1][DIRECTIONS][FFT_PIECES]; /* for nonblocking calls */
    fftw_plan transpose[DIRECTIONS];                              /* NULL before FFT_FFTW is used */
    enum fft_library library;
    enum fft_transpose way;
    double seconds[FFT_PARTS];
};

/* pieces.c. Plans one direction: `ends` are the ends of the whole exchange, `parts` is scratch for
 * [ranks]. */
int fft_pieces_plan(struct fft *fft, int gap, enum direction d, struct fft_remap_ends ends,
                    struct fft_box *parts);
/* Runs the stage before the gap, and the exchange. Collective. */
int fft_pieces_run(struct fft *fft, int gap, enum direction d, double complex *from,
                   double complex *to);
void fft_pieces_destroy(struct fft *fft);

#endif
