/* gnuplot scripts. */
#ifndef STRATA_TOOLS_STUDY_RUN_SCRIPT_H
#define STRATA_TOOLS_STUDY_RUN_SCRIPT_H

#include <stdio.h>

#include "tools/study/report/grid.h"

/* Writes a script that holds the grid's values and draws NAME-PICTURE.svg and .png. */
void study_script_write(FILE *file, const struct study *study, const struct study_picture *picture,
                        const struct study_grid *grid);

/* Parts of scripts: the beginning and the end of all pictures; cells with a name on each axis; text
 * in quotes; the colour "#0072B2" of an index in the study's names. */
void study_script_head(FILE *file, const struct study *study, const struct study_picture *picture);
void study_script_foot(FILE *file, const struct study *study, const struct study_picture *picture);
void study_script_places(FILE *file, const struct study_picture *picture,
                         const struct study_grid *grid);
void study_script_quote(FILE *file, const char *text);
const char *study_script_colour(int index);

#endif
