/* The run of a study's points. */
#ifndef STRATA_TOOLS_STUDY_RUN_RUN_H
#define STRATA_TOOLS_STUDY_RUN_RUN_H

#include <time.h>

#include "tools/study/run/child.h"
#include "tools/study/run/store.h"

enum { STUDY_MOST_JOBS = 64 };

/* A point that runs. */
struct study_job {
    struct study_child child;
    const struct study_point *point; /* NULL: the job is free */
    char *json;                      /* the file that the program writes; NULL: none */
    double began;
};

struct study_run {
    const struct study_request *request;
    const struct study_points *points;
    struct study_store *store;
    struct study_job jobs[STUDY_MOST_JOBS];
    /* The number of running jobs, and the first point that the run has not looked at. */
    int running, next;
    int done, failed, left; /* numbers of points */
    int tries;              /* runs of the present timed point that other programs disturbed */
    double began, weight_done, weight_left;
    int signal; /* the signal that ended the run; 0: none */
    bool terminal, timed;
};

/* Runs the points that the store lacks. Returns an exit code of tools/command/command.h. */
int study_run_points(const struct study_request *request, const struct study_points *points,
                     struct study_store *store);

#endif
