#include "api/attach/call_statistics.h"

#include <limits.h>

void strata_call_statistics_forget(struct strata_call_statistics *statistics)
{
    struct strata_plan_key key = {.collective = STRATA_ALLTOALLV};
    strata_plan_key_sizes(&key, STRATA_FIRST_BLOCK, 0);
    *statistics = (struct strata_call_statistics){.bucket = key.bucket,
                                                  .most = key.most,
                                                  .sparse = statistics->sparse,
                                                  .widest = statistics->widest,
                                                  .age = STRATA_SIZES_OLD,
                                                  .period = STRATA_SIZES_OLD,
                                                  .due = INT_MAX};
}
