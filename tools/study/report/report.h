/* The page that a study writes, and what it needs. */
#ifndef STRATA_TOOLS_STUDY_REPORT_REPORT_H
#define STRATA_TOOLS_STUDY_REPORT_REPORT_H

#include "tools/study/report/expand.h"
#include "tools/study/run/store.h"

/* A study's results, judged. */
struct study_report {
    const struct study *study;
    const char *folder;
    const struct study_store *store;
    struct study_pictures pictures;
    struct study_finding *findings; /* as the claims */
    int claims, agreeing, judged;
    bool drawn; /* there are pictures */
};

/* Draws, judges and writes DIR/report.html for the results of one folder. Returns an exit code. */
int study_report_write(const char *folder);
/* judge.c: holds the points against the claims. */
void study_report_judge(struct study_report *report);
void study_report_fini(struct study_report *report);

#endif
