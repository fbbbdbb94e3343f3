/* The page of a folder of results. */
#ifndef STRATA_TOOLS_STUDY_REPORT_REPORT_H
#define STRATA_TOOLS_STUDY_REPORT_REPORT_H

#include "tools/study/report/expand.h"
#include "tools/study/run/store.h"

/* The results of a study, and the judgements. */
struct study_report {
    const struct study *study;
    const char *folder;
    const struct study_store *store;
    struct study_pictures pictures;
    struct study_answer answer;
    struct study_finding *findings; /* one for each claim, in the claims' order */
    int claims, agreeing, judged;
    int busy;   /* rows that were left out of the judging */
    bool drawn; /* the pictures are drawn */
};

/* Draws the pictures, judges the claims and writes DIR/report.html from the results in one folder.
 * Returns an exit code. */
int study_report_write(const char *folder);
/* judge.c: judges the claims by the points. */
void study_report_judge(struct study_report *report);
/* "agrees", "disagrees", "not judged" or "not measured". */
const char *study_verdict(const struct study_finding *finding);
void study_report_fini(struct study_report *report);

#endif
