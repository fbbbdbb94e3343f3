#include "apps/fft/box.h"

void fft_box_cut(struct fft_box *box, int axis, int n, int parts, int part)
{
    int low = (int)((long long)n * part / parts);
    int high = (int)((long long)n * (part + 1) / parts);
    box->low[axis] = low;
    box->size[axis] = high - low;
}

struct fft_box fft_box_common(const struct fft_box *a, const struct fft_box *b)
{
    struct fft_box common = {{0}, {0}};
    for (int axis = 0; axis < 3; axis++) {
        int a_high = a->low[axis] + a->size[axis], b_high = b->low[axis] + b->size[axis];
        int low = a->low[axis] > b->low[axis] ? a->low[axis] : b->low[axis];
        int high = a_high < b_high ? a_high : b_high;
        common.low[axis] = low;
        common.size[axis] = high > low ? high - low : 0;
    }
    return common;
}

/* A part is contiguous where all axes faster than its first cut axis are whole, and all slower axes
 * have one element. */
bool fft_box_contiguous(const struct fft_box *box, const struct fft_box *part)
{
    int axis = 0;
    while (axis < 2 && part->size[axis] == 1) {
        axis++;
    }
    for (axis++; axis < 3; axis++) {
        if (part->size[axis] != box->size[axis]) {
            return fft_box_count(part) == 0;
        }
    }
    return true;
}
