/* The axes of pictures, in gnuplot scripts. */
#ifndef STRATA_TOOLS_STUDY_RUN_AXES_H
#define STRATA_TOOLS_STUDY_RUN_AXES_H

#include <stdio.h>

#include "tools/study/report/grid.h"

/* Room for ticks, in pixels of a picture of 760 x 420. */
enum { STUDY_MAP_WIDTH = 540, STUDY_MAP_HEIGHT = 330 };

/* The least and the greatest finite value of a grid, with its spreads. */
struct study_range {
    double low, high;
};
struct study_range study_range_find(const struct study_grid *grid);

/* Each writes a title and ticks. Ticks that would lie on each other have no text. The x axis is
 * `width` pixels long. */
void study_axes_x(FILE *file, const struct study_picture *picture, const struct study_grid *grid,
                  int width);
void study_axes_y(FILE *file, const struct study_picture *picture, const struct study_grid *grid);
/* A name for each place 0, 1, ...: below a map or pairs of marks, or, for `axis` 'y', beside it. */
void study_axes_names(FILE *file, char axis, const char *title, char *const *names, int count,
                      int room);

#endif
