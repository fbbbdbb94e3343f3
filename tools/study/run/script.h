/* gnuplot scripts. */
#ifndef STRATA_TOOLS_STUDY_RUN_SCRIPT_H
#define STRATA_TOOLS_STUDY_RUN_SCRIPT_H

#include <stdio.h>

#include "tools/study/report/grid.h"

/* A whole script that draws NAME-PICTURE.svg and .png from the grid's values, which it holds. */
void study_script_write(FILE *file, const struct study *study, const struct study_picture *picture,
                        const struct study_grid *grid);

/* Its parts: what all pictures begin and end with; cells with a name on each axis; text in
 * quotes; the colour "#0072B2" of a place in the study's names. */
void study_script_head(FILE *file, const struct study *study, const struct study_picture *picture);
void study_script_foot(FILE *file, const struct study *study, const struct study_picture *picture);
void study_script_places(FILE *file, const struct study_picture *picture,
                         const struct study_grid *grid);
void study_script_quote(FILE *file, const char *text);
const char *study_script_colour(int index);

#endif
