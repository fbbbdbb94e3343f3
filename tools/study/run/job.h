/* A job of a run: one point and its process. */
#ifndef STRATA_TOOLS_STUDY_RUN_JOB_H
#define STRATA_TOOLS_STUDY_RUN_JOB_H

#include "tools/study/run/run.h"

/* What became of a point. */
enum study_end { STUDY_DONE, STUDY_FAILED, STUDY_AGAIN };

/* study_job_start returns false where the command cannot be started. study_job_finish puts the
 * output of an ended child into the store. It complains where the output is not useful
 * (STUDY_FAILED). STUDY_AGAIN: other programs disturbed the point, so it must run once more. */
bool study_job_start(struct study_job *job, const struct study_request *request,
                     const struct study_point *point);
enum study_end study_job_finish(struct study_job *job, struct study_run *run, int status);
void study_job_release(struct study_job *job);

#endif
