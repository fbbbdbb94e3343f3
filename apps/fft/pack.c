/* Threads pack and unpack rows of x, which are contiguous on both sides. */
#include <string.h>

#include "apps/common/work.h"
#include "apps/fft/remap.h"

/* A read and a write of each element, by the first thread, which has the most rows of each part. */
static void charge(const struct fft_remap *remap, const struct fft_remap_side *side)
{
    double elements = 0;
    for (int rank = 0; rank < remap->ranks; rank++) {
        const int *size = side->parts[rank].size;
        elements += app_largest_share((int64_t)size[0] * size[1], remap->threads) * size[2];
    }
    app_work_shared(2 * elements, remap->threads);
}

/* Where a row of a part begins: in the box, and in the packed memory. */
static size_t row_in_box(const struct fft_remap_side *side, const struct fft_box *part, int row)
{
    int z = row / part->size[1], y = row % part->size[1];
    return fft_box_at(&side->box, part->low[0] + z, part->low[1] + y, part->low[2]);
}

static size_t row_packed(const struct fft_remap_side *side, int rank, int row)
{
    return (size_t)side->displs[rank] + (size_t)row * (size_t)side->parts[rank].size[2];
}

void fft_remap_pack(const struct fft_remap *remap, const struct fft_remap_side *side,
                    const double complex *box, double complex *packed)
{
#pragma omp parallel num_threads(remap->threads)
    for (int rank = 0; rank < remap->ranks; rank++) {
        const struct fft_box *part = &side->parts[rank];
#pragma omp for schedule(static) nowait
        for (int row = 0; row < part->size[0] * part->size[1]; row++) {
            memcpy(packed + row_packed(side, rank, row), box + row_in_box(side, part, row),
                   (size_t)part->size[2] * sizeof *box);
        }
    }
    charge(remap, side);
}

void fft_remap_unpack(const struct fft_remap *remap, const struct fft_remap_side *side,
                      const double complex *packed, double complex *box)
{
#pragma omp parallel num_threads(remap->threads)
    for (int rank = 0; rank < remap->ranks; rank++) {
        const struct fft_box *part = &side->parts[rank];
#pragma omp for schedule(static) nowait
        for (int row = 0; row < part->size[0] * part->size[1]; row++) {
            memcpy(box + row_in_box(side, part, row), packed + row_packed(side, rank, row),
                   (size_t)part->size[2] * sizeof *box);
        }
    }
    charge(remap, side);
}
