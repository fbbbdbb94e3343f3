/* Points as the runner sees them. */
#ifndef STRATA_TOOLS_STUDY_RUN_POINTS_H
#define STRATA_TOOLS_STUDY_RUN_POINTS_H

#include "tools/study/study.h"

/* Those that take least come first, otherwise in the order of the study: most of a study is
 * there early. */
void study_points_order(struct study_points *points);
void study_points_fini(struct study_points *points);

/* The words as one would type them. */
char *study_words_join(char *const *words);

#endif
