#include "api/attach/call_statistics.h"

#include <limits.h>

void strata_call_statistics_forget(struct strata_call_statistics *statistics)
{
    struct strata_plan_key key = {.collective = STRATA_ALLTOALLV};
    const int needed = statistics->needed > 0 ? statistics->needed : STRATA_SPARSE_CALLS;
    const int most = needed - STRATA_SPARSE_AGAIN;
    strata_plan_key_sizes(&key, STRATA_FIRST_BLOCK, 0);
    *statistics = (struct strata_call_statistics){
        .bucket = key.bucket,
        .most = key.most,
        .sparse = statistics->sparse < most ? statistics->sparse : most,
        .widest = statistics->widest,
        .needed = needed,
        .age = STRATA_SIZES_OLD,
        .period = STRATA_SIZES_OLD,
        .due = INT_MAX};
}
