/* The page of a job: the calls that cost most, each as a small timeline of its ranks. */
#ifndef STRATA_TOOLS_ROLLCALL_PAGE_H
#define STRATA_TOOLS_ROLLCALL_PAGE_H

#include "tools/rollcall/late.h"

/* A call that all ranks made. Of one of the longest of the run some may have kept nothing, because
 * each has longer ones: all of them stood there for less time than the others, so the last one is
 * among them. */
struct roll_whole {
    const struct roll_made *made;  /* those of the ranks that have it */
    int count, absent;             /* these ranks, and those that have kept nothing of it */
    const struct roll_made *cause; /* the one that others waited for; NULL: it is an absent one */
    double came;                   /* when it came; of an absent one, at the latest */
    double begin, end;             /* seconds, as those of a call */
    double waited, moved; /* rank seconds before it came; the longest stay of a rank behind */
};

/* What is drawn. */
struct roll_page {
    const struct roll_job *job;
    struct roll_whole *calls; /* in no order */
    int count;
    double waited, moved;                           /* of all */
    const struct strata_record_communicator *asked; /* which all of its ranks have, or not */
    bool all_have;
};

/* Draws the calls of the page, which it puts into another order. */
void roll_page_draw(const struct roll_page *page, FILE *file);
/* "last: rank 2, at solver.c:311 (solve)", and what served the call. Returns text. */
const char *roll_cause_text(const struct roll_job *job, const struct roll_whole *whole, char *text);

#endif
