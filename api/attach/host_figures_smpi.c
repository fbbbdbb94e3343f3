/* Real clocks say nothing about simulated time: the description stands. */
#include "api/attach/measured_host.h"

#include "core/base/error.h"

int strata_host_measure(struct strata_group *group, bool known, struct strata_host_figures *figures)
{
    (void)group;
    (void)known;
    *figures = (struct strata_host_figures){.message = 0};
    return STRATA_OK;
}
