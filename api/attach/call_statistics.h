/* Sizes that a communicator's earlier calls agreed on. */
#ifndef STRATA_API_ATTACH_CALL_STATISTICS_H
#define STRATA_API_ATTACH_CALL_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/plan/collective.h"

/* What an earlier alltoallv, alltoallw, gatherv or scatterv agreed on, or what stands in for it. */
struct strata_call_statistics {
    /* of the key of the next call */
    int bucket, most;
    uint64_t busiest, largest; /* bytes of the busiest rank, and of the largest block */
    int age;                   /* calls since the ranks agreed on it */
    bool ask;                  /* gatherv, scatterv: the ranks agree anew after `period` calls */
    int period;                /* calls from one agreement to the next */
    bool telling;              /* an agreement is under way */
};
/* Whose: api/call/sizes.h. */
enum { STRATA_CALL_STATISTICS = STRATA_ALLTOALLW + 3 };

/* Bytes of a mean block while no figure is agreed. */
enum { STRATA_FIRST_BLOCK = 256 };
/* Calls after which an agreed figure is too old: plans without log rounds bring no new one, so the
 * default is tried again. */
enum { STRATA_SIZES_OLD = 64 };

/* Nothing is known of any. */
void strata_call_statistics_forget(struct strata_call_statistics *statistics);

#endif
