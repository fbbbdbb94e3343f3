/* Real clocks say nothing about simulated time, so the built-in description stays. */
#include "api/attach/measured_host.h"

#include "core/base/error.h"

int strata_host_measure(struct strata_group *group, bool known,
                        struct strata_host_parameters *parameters)
{
    (void)group;
    (void)known;
    *parameters = (struct strata_host_parameters){.messages = {.message = 0}};
    return STRATA_OK;
}
