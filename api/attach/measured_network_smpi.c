/* Real clocks say nothing about simulated time, so the description of the cluster stays. */
#include "api/attach/measured_host.h"
#include "core/base/error.h"

int strata_network_measure(struct strata_group *group, struct strata_message_times *times)
{
    (void)group;
    *times = (struct strata_message_times){.message = 0};
    return STRATA_OK;
}
