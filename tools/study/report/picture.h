/* Pictures by gnuplot. */
#ifndef STRATA_TOOLS_STUDY_REPORT_PICTURE_H
#define STRATA_TOOLS_STUDY_REPORT_PICTURE_H

#include "tools/study/study.h"

/* Writes NAME-PICTURE.gp into the folder and lets gnuplot draw from it. False: nothing to draw
 * or gnuplot failed. */
bool study_picture_draw(const struct study *study, const struct study_picture *picture,
                        const struct study_table *table, const char *folder);
/* Is gnuplot there? */
bool study_picture_can(void);
char *study_picture_path(const struct study *study, const struct study_picture *picture,
                         const char *folder, const char *ending);

#endif
