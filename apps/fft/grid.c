/* The grid of ranks, and the three ways in which it cuts the field. */
#include <stdint.h>
#include <stdlib.h>

#include "apps/fft/cuts.h"

bool fft_grid_fits(const int n[3], const int grid[2])
{
    return grid[0] >= 1 && grid[1] >= 1 && grid[0] <= n[0] && grid[0] <= n[1] && grid[1] <= n[1] &&
           grid[1] <= n[2];
}

/* The elements of the largest box of any rank. */
static double largest(const int n[3], enum fft_cut cut, const int grid[2])
{
    double elements = 1;
    for (int axis = 0; axis < 3; axis++) {
        int parts = axis == fft_cuts[cut].rows      ? grid[0]
                    : axis == fft_cuts[cut].columns ? grid[1]
                                                    : 1;
        int longest = (n[axis] + parts - 1) / parts;
        elements *= longest;
    }
    return elements;
}

double fft_elements(const int n[3], const int grid[2])
{
    double most = 0;
    for (enum fft_cut cut = FFT_CUT_SPACE; cut < FFT_CUTS; cut++) {
        double elements = largest(n, cut, grid);
        most = elements > most ? elements : most;
    }
    return most;
}

bool fft_grid_choose(const int n[3], int ranks, int grid[2])
{
    double least = 0;
    int chosen = 0;
    for (int columns = 1; columns <= ranks; columns++) {
        const int candidate[2] = {ranks / columns, columns};
        if (ranks % columns || !fft_grid_fits(n, candidate)) {
            continue;
        }
        double elements = fft_elements(n, candidate);
        if (!chosen || elements < least ||
            (elements == least && abs(candidate[0] - columns) < abs(ranks / chosen - chosen))) {
            chosen = columns;
            least = elements;
        }
        if (columns == 1) {
            break; /* slabs need one exchange instead of two */
        }
    }
    grid[0] = chosen ? ranks / chosen : 0;
    grid[1] = chosen;
    return chosen > 0;
}

struct fft_box fft_rank_box(const int n[3], enum fft_cut cut, const int grid[2], const int place[2])
{
    struct fft_box box;
    for (int axis = 0; axis < 3; axis++) {
        fft_box_cut(&box, axis, n[axis], 1, 0);
    }
    fft_box_cut(&box, fft_cuts[cut].rows, n[fft_cuts[cut].rows], grid[0], place[0]);
    fft_box_cut(&box, fft_cuts[cut].columns, n[fft_cuts[cut].columns], grid[1], place[1]);
    return box;
}

const struct fft_cut_axes fft_cuts[FFT_CUTS] = {
    [FFT_CUT_SPACE] = {.rows = 0, .columns = 1},
    [FFT_CUT_BETWEEN] = {.rows = 0, .columns = 2},
    [FFT_CUT_SPECTRUM] = {.rows = 1, .columns = 2},
};
