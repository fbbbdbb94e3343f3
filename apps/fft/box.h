/* Boxes: parts of a 3-D field. Axis 0 is the slowest, axis 2 the fastest. */
#ifndef STRATA_APPS_FFT_BOX_H
#define STRATA_APPS_FFT_BOX_H

#include <stdbool.h>
#include <stddef.h>

struct fft_box {
    int low[3], size[3];
};

/* Sets one axis to part number `part` of `parts` parts of 0 .. n-1, of lengths as equal as
 * possible. */
void fft_box_cut(struct fft_box *box, int axis, int n, int parts, int part);
struct fft_box fft_box_common(const struct fft_box *a, const struct fft_box *b);

static inline size_t fft_box_count(const struct fft_box *box)
{
    return (size_t)box->size[0] * (size_t)box->size[1] * (size_t)box->size[2];
}

/* The place of a field's point in the box's memory. */
static inline size_t fft_box_at(const struct fft_box *box, int z, int y, int x)
{
    size_t row = (size_t)(z - box->low[0]) * (size_t)box->size[1] + (size_t)(y - box->low[1]);
    return row * (size_t)box->size[2] + (size_t)(x - box->low[2]);
}

/* Whether a part of a box is one run of the box's memory. */
bool fft_box_contiguous(const struct fft_box *box, const struct fft_box *part);

#endif
