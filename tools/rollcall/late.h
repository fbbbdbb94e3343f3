/* For whom the ranks of a job waited. */
#ifndef STRATA_TOOLS_ROLLCALL_LATE_H
#define STRATA_TOOLS_ROLLCALL_LATE_H

#include "tools/rollcall/rollcall.h"

/* The calls from one site of a rank in which it came last, and which one algorithm served. */
struct roll_cause {
    const struct roll_call *call; /* one of them */
    int rank, calls;              /* the rank is an index in the job */
    double waited;                /* the seconds that others waited for it */
};

struct roll_delays {
    const struct roll_job *job;
    struct roll_cause *causes; /* those for which others waited longest come first */
    int count, calls;
    double waited, rest; /* rank seconds before and after the last one came */
    double begin, end;   /* of these calls */
};

/* Prints a sentence that follows from it, if one does. */
void roll_advise(const struct roll_delays *d, const char *prefix);

/* The one for whom the other ranks of a call waited, of those that made it; NULL: it is not known,
 * or not all ranks have made the call and left it. */
const struct roll_made *roll_awaited_one(const struct roll_job *job, const struct roll_made *made,
                                         int count);
/* Whether only the root has what ranks wait for. */
bool roll_waits_for_root(const struct roll_call *call);
/* A rank's time in a call: it waited from `begin` to `until` for another one to come. */
struct roll_stay {
    double begin, until, end;
};
/* `cause`: when that one came. Returns false where the call cost nothing: it was begun, and not
 * waited for. */
bool roll_stay_of(const struct roll_call *call, double cause, struct roll_stay *stay);

#endif
