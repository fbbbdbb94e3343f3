/* Running the points of a study. */
#ifndef STRATA_TOOLS_STUDY_RUN_RUN_H
#define STRATA_TOOLS_STUDY_RUN_RUN_H

#include <time.h>

#include "tools/study/run/child.h"
#include "tools/study/run/points.h"

enum { STUDY_MOST_JOBS = 64 };

/* A point on its way. */
struct study_job {
    struct study_child child;
    const struct study_point *point; /* NULL: free */
    char *json;                      /* the file that the program writes; NULL: none */
    double began;
};

struct study_run {
    const struct study_request *request;
    const struct study_points *points;
    struct study_store *store;
    struct study_job jobs[STUDY_MOST_JOBS];
    int running, next;      /* jobs; the first point that was not looked at */
    int done, failed, left; /* points */
    double began, weight_done, weight_left;
    int signal; /* that ended it; 0: none */
    bool terminal, timed;
};

/* Runs what the store does not have. Returns an exit code of tools/command/command.h. */
int study_run_points(const struct study_request *request, const struct study_points *points,
                     struct study_store *store);

double study_now(void);

/* job.c. Start: false where the command cannot be started. Finish: takes what an ended child printed into the store; false
 * with a complaint where that is nothing useful. */
bool study_job_start(struct study_job *job, const struct study_request *request,
                     const struct study_point *point);
bool study_job_finish(struct study_job *job, struct study_run *run, int status);
void study_job_release(struct study_job *job);

/* progress.c: a line on a terminal that is written over, or a line for each point. */
void study_progress_show(const struct study_run *run);
void study_progress_point(const struct study_run *run, const struct study_point *point,
                          double seconds);
void study_progress_clear(const struct study_run *run);

#endif
