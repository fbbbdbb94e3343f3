/* Finds which parts go to which rank, and exchanges them by one collective. */
#include "apps/fft/remap.h"

#include <stdlib.h>
#include <string.h>

#include "apps/common/team.h"

static bool side_allocate(struct fft_remap_side *side, size_t ranks)
{
    side->parts = calloc(ranks, sizeof *side->parts);
    side->types = malloc(ranks * sizeof(MPI_Datatype));
    side->counts = calloc(4 * ranks, sizeof *side->counts);
    if (!side->parts || !side->types || !side->counts) {
        return false;
    }
    side->displs = side->counts + ranks;
    side->ones = side->displs + ranks;
    side->zeros = side->ones + ranks;
    for (size_t i = 0; i < ranks; i++) {
        side->types[i] = MPI_C_DOUBLE_COMPLEX;
    }
    return true;
}

static int part_type(const struct fft_box *box, const struct fft_box *part, MPI_Datatype *type)
{
    int start[3];
    for (int axis = 0; axis < 3; axis++) {
        start[axis] = part->low[axis] - box->low[axis];
    }
    int code = MPI_Type_create_subarray(3, box->size, part->size, start, MPI_ORDER_C,
                                        MPI_C_DOUBLE_COMPLEX, type);
    return code ? code : MPI_Type_commit(type);
}

/* Sets counts and displacements for alltoallv: places in the box where every part is contiguous
 * there, else in packed memory. */
static void side_place(struct fft_remap_side *side, int ranks, size_t at)
{
    side->contiguous = true;
    for (int i = 0; i < ranks; i++) {
        side->contiguous &= fft_box_contiguous(&side->box, &side->parts[i]);
    }
    for (int i = 0; i < ranks; i++) {
        const struct fft_box *part = &side->parts[i];
        size_t count = fft_box_count(part);
        side->counts[i] = (int)count;
        side->ones[i] = count > 0;
        if (side->contiguous && count > 0) {
            at = fft_box_at(&side->box, part->low[0], part->low[1], part->low[2]);
        }
        side->displs[i] = (int)at;
        at += count;
    }
}

/* Sets up one end: my box, and the parts of it that lie in the others' boxes at the other end. */
static int side_create(struct fft_remap_side *side, const struct fft_remap_ends *ends, int end)
{
    const int ranks = ends->ranks;
    int code = MPI_SUCCESS;
    if (!side_allocate(side, (size_t)ranks)) {
        return MPI_ERR_NO_MEM;
    }
    side->box = ends->whole[end];
    for (int i = 0; i < ranks; i++) {
        side->parts[i] = fft_box_common(&ends->boxes[end][ends->rank], &ends->boxes[!end][i]);
    }
    side_place(side, ranks, ends->packed[end]);
    for (int i = 0; i < ranks && !code; i++) {
        if (side->counts[i] > 0) {
            code = part_type(&side->box, &side->parts[i], &side->types[i]);
        }
    }
    return code;
}

int fft_remap_create(struct fft_remap *remap, const struct fft_remap_ends *ends, MPI_Comm comm,
                     int threads)
{
    int code = MPI_SUCCESS;
    memset(remap, 0, sizeof *remap);
    remap->comm = comm;
    remap->ranks = ends->ranks;
    remap->threads = threads;
    for (int end = 0; end < 2 && !code; end++) {
        code = side_create(&remap->side[end], ends, end);
    }
    return code;
}

static void forget_calls(struct fft_remap *remap)
{
    for (int library = 0; library < FFT_LIBRARIES; library++) {
        for (int transpose = 0; transpose < FFT_TRANSPOSES; transpose++) {
            fft_again_free(&remap->again[library][transpose][0]);
            fft_again_free(&remap->again[library][transpose][1]);
        }
    }
}

void fft_remap_destroy(struct fft_remap *remap)
{
    forget_calls(remap);
    for (int end = 0; end < 2; end++) {
        struct fft_remap_side *side = &remap->side[end];
        for (int i = 0; side->types && i < remap->ranks; i++) {
            if (side->types[i] != MPI_C_DOUBLE_COMPLEX) {
                MPI_Type_free(&side->types[i]);
            }
        }
        free(side->parts);
        free(side->types);
        free(side->counts);
    }
    memset(remap, 0, sizeof *remap);
}

/* The path: from -> (packed in spare) -> exchange -> (packed in another buffer) -> to. Contiguous
 * ends need no packing. */
struct fft_call fft_remap_before(const struct fft_remap *remap, struct fft_remap_way way,
                                 struct fft_remap_buffers b, double seconds[FFT_PARTS])
{
    const struct fft_remap_side *send = &remap->side[way.back], *recv = &remap->side[!way.back];
    struct fft_call call = {way.library, way.transpose, b.from, b.to, send, recv, remap->comm};
    double start = MPI_Wtime();
    if (way.transpose == FFT_PACK && !recv->contiguous) {
        call.recv = b.arriving ? b.arriving : send->contiguous ? b.spare : b.from;
    }
    if (way.transpose == FFT_PACK && !send->contiguous) {
        fft_remap_pack(remap, send, b.from, b.spare);
        call.send = b.spare;
    }
    seconds[FFT_PACKING] += MPI_Wtime() - start;
    return call;
}

void fft_remap_after(const struct fft_remap *remap, const struct fft_call *call, double complex *to,
                     double seconds[FFT_PARTS])
{
    double start = MPI_Wtime();
    if (call->recv != to) {
        fft_remap_unpack(remap, call->to, call->recv, to);
    }
    seconds[FFT_PACKING] += MPI_Wtime() - start;
}

struct exchange {
    const struct fft_call *call;
    struct fft_again *again; /* NULL: the call blocks */
};

static int make(void *argument)
{
    const struct exchange *e = argument;
    return e->again ? fft_call_again(e->call, e->again) : fft_call(e->call);
}

int fft_remap_run(struct fft_remap *remap, struct fft_remap_way way,
                  struct fft_remap_buffers buffers, double seconds[FFT_PARTS])
{
    struct fft_call call = fft_remap_before(remap, way, buffers, seconds);
    struct exchange exchange = {&call, NULL};
    if (way.calls == FFT_PERSISTENT) {
        exchange.again = &remap->again[way.library][way.transpose][way.back];
    }
    double start = MPI_Wtime();
    int code = app_make(remap->team, remap->threads, make, &exchange);
    seconds[FFT_EXCHANGE] += MPI_Wtime() - start;
    fft_remap_after(remap, &call, buffers.to, seconds);
    return code;
}
