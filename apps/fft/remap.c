/* What goes where, and its exchange by one collective. */
#include "apps/fft/remap.h"

#include <stdlib.h>
#include <string.h>

#include "include/strata.h"

/* The calls that are compared, with the same arguments. */
static const struct {
    int (*alltoallv)(const void *, const int *, const int *, MPI_Datatype, void *, const int *,
                     const int *, MPI_Datatype, MPI_Comm);
    int (*alltoallw)(const void *, const int *, const int *, const MPI_Datatype *, void *,
                     const int *, const int *, const MPI_Datatype *, MPI_Comm);
} calls[] = {
    [FFT_STRATA] = {strata_alltoallv, strata_alltoallw},
    [FFT_MPI] = {MPI_Alltoallv, MPI_Alltoallw},
};

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

/* Counts and displacements for alltoallv: in the box where every part is contiguous there. */
static void side_place(struct fft_remap_side *side, int ranks)
{
    size_t at = 0;
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

/* My box at this end, and what everybody's box at the other end has of it. */
static int side_create(struct fft_remap_side *side, const struct fft_box *mine,
                       const struct fft_box *others, int ranks)
{
    int code = MPI_SUCCESS;
    if (!side_allocate(side, (size_t)ranks)) {
        return MPI_ERR_NO_MEM;
    }
    side->box = *mine;
    for (int i = 0; i < ranks; i++) {
        side->parts[i] = fft_box_common(mine, &others[i]);
    }
    side_place(side, ranks);
    for (int i = 0; i < ranks && !code; i++) {
        if (side->counts[i] > 0) {
            code = part_type(mine, &side->parts[i], &side->types[i]);
        }
    }
    return code;
}

int fft_remap_create(struct fft_remap *remap, const struct fft_box *const boxes[2], MPI_Comm comm,
                     int threads)
{
    int rank, code = MPI_SUCCESS;
    memset(remap, 0, sizeof *remap);
    remap->comm = comm;
    remap->threads = threads;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &remap->ranks);
    for (int end = 0; end < 2 && !code; end++) {
        code = side_create(&remap->side[end], &boxes[end][rank], boxes[!end], remap->ranks);
    }
    return code;
}

void fft_remap_destroy(struct fft_remap *remap)
{
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

/* from -> (packed in spare) -> exchange -> (packed in from or spare) -> to, whichever is needed. */
static int run_packed(const struct fft_remap *remap, const struct fft_remap_side *send,
                      const struct fft_remap_side *recv, enum fft_library library,
                      struct fft_remap_buffers b, double seconds[FFT_PARTS])
{
    double start = MPI_Wtime();
    const double complex *out = b.from;
    double complex *in = b.to;
    if (!send->contiguous) {
        fft_remap_pack(remap, send, b.from, b.spare);
        out = b.spare;
    }
    if (!recv->contiguous) {
        in = send->contiguous ? b.spare : b.from;
    }
    double packed = MPI_Wtime();
    int code =
        calls[library].alltoallv(out, send->counts, send->displs, MPI_C_DOUBLE_COMPLEX, in,
                                 recv->counts, recv->displs, MPI_C_DOUBLE_COMPLEX, remap->comm);
    double exchanged = MPI_Wtime();
    if (!recv->contiguous) {
        fft_remap_unpack(remap, recv, in, b.to);
    }
    seconds[FFT_PACKING] += packed - start + MPI_Wtime() - exchanged;
    seconds[FFT_EXCHANGE] += exchanged - packed;
    return code;
}

int fft_remap_run(const struct fft_remap *remap, struct fft_remap_way way,
                  struct fft_remap_buffers buffers, double seconds[FFT_PARTS])
{
    const struct fft_remap_side *send = &remap->side[way.back], *recv = &remap->side[!way.back];
    if (way.transpose == FFT_PACK) {
        return run_packed(remap, send, recv, way.library, buffers, seconds);
    }
    double start = MPI_Wtime();
    int code =
        calls[way.library].alltoallw(buffers.from, send->ones, send->zeros, send->types, buffers.to,
                                     recv->ones, recv->zeros, recv->types, remap->comm);
    seconds[FFT_EXCHANGE] += MPI_Wtime() - start;
    return code;
}
