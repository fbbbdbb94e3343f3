/* One job of a run. */
#ifndef STRATA_TOOLS_STUDY_RUN_JOB_H
#define STRATA_TOOLS_STUDY_RUN_JOB_H

#include "tools/study/run/run.h"

/* Start: false where the command cannot be started. Finish: takes what an ended child printed
 * into the store; false with a complaint where that is nothing useful. */
bool study_job_start(struct study_job *job, const struct study_request *request,
                     const struct study_point *point);
bool study_job_finish(struct study_job *job, struct study_run *run, int status);
void study_job_release(struct study_job *job);

#endif
