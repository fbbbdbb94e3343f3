/* The page of a job: the calls that cost most, each as a small timeline of its ranks. */
#ifndef STRATA_TOOLS_ROLLCALL_PAGE_H
#define STRATA_TOOLS_ROLLCALL_PAGE_H

#include "tools/rollcall/late.h"

/* A call that all ranks made. */
struct roll_whole {
    const struct roll_made *made, *cause; /* those of all ranks; the one others waited for */
    int count;
    double begin, end;    /* seconds, as those of a call */
    double waited, moved; /* rank seconds before `cause` came; the longest stay of a rank behind */
};

/* What is drawn. */
struct roll_page {
    const struct roll_job *job;
    struct roll_whole *calls; /* in no order */
    int count;
    double waited, moved; /* of all */
};

/* Draws the calls of the page, which it puts into another order. */
void roll_page_draw(const struct roll_page *page, FILE *file);

#endif
