/* Pictures drawn by gnuplot. */
#ifndef STRATA_TOOLS_STUDY_REPORT_PICTURE_H
#define STRATA_TOOLS_STUDY_REPORT_PICTURE_H

#include "tools/study/study.h"

/* Writes NAME-PICTURE.gp into the folder and runs gnuplot on it. Returns false where there is
 * nothing to draw or gnuplot fails. */
bool study_picture_draw(const struct study *study, const struct study_picture *picture,
                        const struct study_table *table, const char *folder);
/* Whether gnuplot is installed. */
bool study_picture_can(void);
char *study_picture_path(const struct study *study, const struct study_picture *picture,
                         const char *folder, const char *ending);

#endif
