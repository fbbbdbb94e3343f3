#include "api/attach/figures.h"

#include "api/attach/plan_table.h"

void strata_figures_forget(struct strata_figures *figures)
{
    struct strata_plan_key key = {.collective = STRATA_ALLTOALLV};

    strata_plan_key_sizes(&key, STRATA_FIRST_BLOCK, 0);
    *figures = (struct strata_figures){.bucket = key.bucket,
                                       .most = key.most,
                                       .age = STRATA_SIZES_OLD,
                                       .period = STRATA_SIZES_OLD};
}
