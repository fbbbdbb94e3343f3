/* Running the points of a study. */
#ifndef STRATA_TOOLS_STUDY_RUN_RUN_H
#define STRATA_TOOLS_STUDY_RUN_RUN_H

#include <time.h>

#include "tools/study/run/child.h"
#include "tools/study/run/store.h"

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

#endif
