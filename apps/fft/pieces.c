/* Nonblocking exchanges. A stage's box is cut into pieces along an axis that the stage does not
 * transform. Finished pieces travel while the next piece is transformed. */
#include "apps/common/team.h"
#include "apps/fft/state.h"

/* Piece k of a box along an axis. */
static struct fft_box cut(const struct fft_box *box, int axis, int k)
{
    struct fft_box part = *box;
    fft_box_cut(&part, axis, box->size[axis], FFT_PIECES, k);
    part.low[axis] += box->low[axis];
    return part;
}

/* An empty piece needs no transform. */
static int plan_transform(struct fft *fft, struct fft_piece *piece, enum direction d)
{
    const int *low = piece->transform.part.low;
    if (fft_box_count(&piece->transform.part) == 0) {
        return MPI_SUCCESS;
    }
    piece->at = fft_box_at(&piece->transform.box, low[0], low[1], low[2]);
    double complex *place = fft->work[0] + piece->at;
    piece->plan = fft_local_plan(&piece->transform, d == FORWARD ? FFTW_FORWARD : FFTW_BACKWARD,
                                 place, place, &fft->setup);
    return piece->plan ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* The next piece lies behind this one in packed memory. */
static void advance(struct fft_remap_ends *ends, const struct fft_remap *remap)
{
    for (int end = 0; end < 2; end++) {
        for (int i = 0; i < remap->ranks; i++) {
            ends->packed[end] += (size_t)remap->side[end].counts[i];
        }
    }
}

int fft_pieces_plan(struct fft *fft, int gap, enum direction d, struct fft_remap_ends ends,
                    struct fft_box *parts)
{
    const struct fft_remap *all = &fft->remap[gap];
    const struct fft_box *boxes = ends.boxes[0];
    const struct fft_local_transform *t = &fft->stage[gap + (d == INVERSE)].transform;
    const int axis = t->first > 0 ? 0 : t->last + 1;
    int code = MPI_SUCCESS;
    ends.boxes[0] = parts;
    for (int k = 0; k < FFT_PIECES && !code; k++) {
        struct fft_piece *piece = &fft->piece[gap][d][k];
        for (int i = 0; i < all->ranks; i++) {
            parts[i] = cut(&boxes[i], axis, k);
        }
        piece->transform = *t;
        piece->transform.part = cut(&t->box, axis, k);
        code = fft_remap_create(&piece->remap, &ends, all->comm, all->threads);
        piece->remap.team = fft->team;
        if (!code) {
            advance(&ends, &piece->remap);
            code = plan_transform(fft, piece, d);
        }
    }
    return code;
}

static void transform(struct fft *fft, const struct fft_piece *piece, double complex *data)
{
    double start = MPI_Wtime();
    if (piece->plan) {
        fft_local_execute(&piece->transform, piece->plan, data + piece->at, data + piece->at);
    }
    fft->seconds[FFT_COMPUTE] += MPI_Wtime() - start;
}

static int begin_call(void *argument)
{
    struct fft_piece *piece = argument;
    return fft_call_begin(&piece->call, &piece->request);
}

static int wait_call(void *argument)
{
    struct fft_piece *piece = argument;
    return fft_call_wait(&piece->request);
}

static int begin(struct fft *fft, struct fft_piece *piece, const struct fft_remap_buffers *buffers)
{
    const struct fft_remap_way way = {fft->library, fft->way, false, FFT_NONBLOCKING};
    piece->call = fft_remap_before(&piece->remap, way, *buffers, fft->seconds);
    double start = MPI_Wtime();
    int code = app_make(fft->team, fft->setup.threads, begin_call, piece);
    fft->seconds[FFT_EXCHANGE] += MPI_Wtime() - start;
    return code;
}

static int finish(struct fft *fft, struct fft_piece *piece, double complex *to)
{
    double start = MPI_Wtime();
    int code = app_make(fft->team, fft->setup.threads, wait_call, piece);
    fft->seconds[FFT_EXCHANGE] += MPI_Wtime() - start;
    fft_remap_after(&piece->remap, &piece->call, to, fft->seconds);
    return code;
}

static void move(struct fft *fft, struct fft_piece *pieces, int begun)
{
    double start = MPI_Wtime();
    for (int k = 0; k < begun; k++) {
        fft_call_move(&pieces[k].request);
    }
    fft->seconds[FFT_EXCHANGE] += MPI_Wtime() - start;
}

int fft_pieces_run(struct fft *fft, int gap, enum direction d, double complex *from,
                   double complex *to)
{
    const struct fft_remap_buffers buffers = {from, to, fft->work[1], fft->work[2]};
    struct fft_piece *pieces = fft->piece[gap][d];
    int code = MPI_SUCCESS, begun = 0;
    for (int k = 0; k < FFT_PIECES && !code; k++) {
        transform(fft, &pieces[k], from);
        move(fft, pieces, begun);
        code = begin(fft, &pieces[k], &buffers);
        begun += !code;
    }
    for (int k = 0; k < begun; k++) {
        int waited = finish(fft, &pieces[k], to);
        code = code ? code : waited;
    }
    return code;
}

void fft_pieces_destroy(struct fft *fft)
{
    struct fft_piece *pieces = &fft->piece[0][0][0];
    for (size_t i = 0; i < sizeof fft->piece / sizeof *pieces; i++) {
        fft_remap_destroy(&pieces[i].remap);
        if (pieces[i].plan) {
            fft_local_forget(pieces[i].plan);
        }
    }
}
