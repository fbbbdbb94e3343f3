/* Runs a transform, and answers questions about it. */
#include <math.h>

#include "apps/fft/state.h"
#include "include/strata.h"

double complex *fft_alloc(const struct fft *fft)
{
    double complex *data = NULL;
    if (!fft->setup.mapped) {
        return fftw_alloc_complex(fft->capacity);
    }
    MPI_Aint bytes = (MPI_Aint)(fft->capacity * sizeof *data);
    return strata_alloc(bytes, fft->comm, &data) == MPI_SUCCESS ? data : NULL;
}

void fft_free(const struct fft *fft, double complex *data)
{
    if (data && fft->setup.mapped) {
        strata_free(data);
    } else if (data) {
        fftw_free(data);
    }
}

const struct fft_box *fft_space(const struct fft *fft)
{
    return &fft->stage[0].transform.box;
}

const struct fft_box *fft_spectrum(const struct fft *fft)
{
    return &fft->stage[fft->stages - 1].transform.box;
}

MPI_Comm fft_row(const struct fft *fft)
{
    return fft->row;
}

MPI_Comm fft_column(const struct fft *fft)
{
    return fft->column;
}

const char *fft_lacks(const struct fft *fft, enum fft_library library)
{
    if (library != FFT_STRATA && fft->setup.members) {
        return "only Strata's collectives know threads";
    }
    if (library == FFT_FFTW && fft->setup.calls != FFT_BLOCKING) {
        return "FFTW's transposition has calls that block only";
    }
    return library == FFT_FFTW ? fft_transpose_lacks(fft->setup.n, fft->setup.grid) : NULL;
}

/* FFTW's plans are made at the first call that needs them, because measuring them takes time. */
int fft_use(struct fft *fft, enum fft_library library, enum fft_transpose transpose)
{
    if (fft_lacks(fft, library)) {
        return MPI_ERR_ARG;
    }
    bool exchanges = library == FFT_FFTW && fft->column != MPI_COMM_NULL;
    for (enum direction d = FORWARD; exchanges && d < DIRECTIONS; d++) {
        if (!fft->transpose[d]) {
            fft->transpose[d] = fft_transpose_plan(&fft->setup, fft->column, d == INVERSE,
                                                   fft->work[0], fft->work[1]);
        }
        if (!fft->transpose[d]) {
            return MPI_ERR_NO_MEM; /* all ranks fail together: FFTW agrees on plans */
        }
    }
    fft->library = library;
    fft->way = transpose;
    return MPI_SUCCESS;
}

static void transform_local(struct fft *fft, int stage, enum direction d, double complex *from,
                            double complex *to)
{
    double start = MPI_Wtime();
    fft_local_execute(&fft->stage[stage].transform, fft->stage[stage].plan[d], from, to);
    fft->seconds[FFT_COMPUTE] += MPI_Wtime() - start;
}

/* The exchange between stage `gap` and the next one, or back. */
static int exchange(struct fft *fft, int gap, enum direction d, double complex *from,
                    double complex *to)
{
    const struct fft_remap_buffers buffers = {from, to, fft->work[1], NULL};
    const struct fft_remap_way way = {fft->library, fft->way, d == INVERSE, fft->setup.calls};
    if (fft->library != FFT_FFTW) {
        return fft_remap_run(&fft->remap[gap], way, buffers, fft->seconds);
    }
    double start = MPI_Wtime();
    fft_transpose_execute(fft->transpose[d], from, to);
    fft->seconds[FFT_EXCHANGE] += MPI_Wtime() - start;
    return MPI_SUCCESS;
}

/* Runs a stage that is not the last, and the exchange behind it. */
static int run_stage(struct fft *fft, int stage, enum direction d, double complex *from,
                     double complex *to)
{
    const int gap = d == FORWARD ? stage : stage - 1;
    if (fft->setup.calls == FFT_NONBLOCKING) {
        return fft_pieces_run(fft, gap, d, from, to);
    }
    transform_local(fft, stage, d, from, from);
    return exchange(fft, gap, d, from, to);
}

/* Each exchange moves the field between `data` and the work array. With two stages the last
 * transform brings it back to `data`. */
static int run(struct fft *fft, enum direction d, double complex *data)
{
    double complex *here = data, *there = fft->work[0];
    for (int i = 0; i < fft->stages; i++) {
        int stage = d == FORWARD ? i : fft->stages - 1 - i;
        if (i == fft->stages - 1) {
            transform_local(fft, stage, d, here, data);
            break;
        }
        int code = run_stage(fft, stage, d, here, there);
        if (code) {
            return code;
        }
        double complex *left = here;
        here = there;
        there = left;
    }
    return MPI_SUCCESS;
}

int fft_forward(struct fft *fft, double complex *data)
{
    return run(fft, FORWARD, data);
}

int fft_inverse(struct fft *fft, double complex *data)
{
    return run(fft, INVERSE, data);
}

void fft_seconds(struct fft *fft, double seconds[FFT_PARTS])
{
    for (int part = 0; part < FFT_PARTS; part++) {
        seconds[part] = fft->seconds[part];
        fft->seconds[part] = 0;
    }
}

void fft_forget(struct fft *fft)
{
#pragma omp parallel for num_threads(fft->setup.threads) schedule(static)
    for (size_t i = 0; i < fft->capacity; i++) {
        fft->work[0][i] = fft->work[1][i] = NAN;
        if (fft->work[2]) {
            fft->work[2][i] = NAN;
        }
    }
}
