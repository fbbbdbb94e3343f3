/* The progress of a run: on a terminal a line that is overwritten, otherwise a line for each
 * point. */
#ifndef STRATA_TOOLS_STUDY_RUN_PROGRESS_H
#define STRATA_TOOLS_STUDY_RUN_PROGRESS_H

#include "tools/study/run/run.h"

void study_progress_show(const struct study_run *run);
void study_progress_point(const struct study_run *run, const struct study_point *point,
                          double seconds);
void study_progress_clear(const struct study_run *run);

#endif
