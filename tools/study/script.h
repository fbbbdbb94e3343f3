/* gnuplot scripts. */
#ifndef STRATA_TOOLS_STUDY_SCRIPT_H
#define STRATA_TOOLS_STUDY_SCRIPT_H

#include "tools/study/grid.h"

/* A whole script that draws NAME-PICTURE.svg and .png from the grid's values, which it holds. */
void study_script_write(FILE *file, const struct study *study, const struct study_picture *picture,
                        const struct study_grid *grid);

#endif
