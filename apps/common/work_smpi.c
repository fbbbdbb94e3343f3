/* Charges computation in simulated time. */
#include <simgrid/host.h>
#include <smpi/smpi.h>
#include <stdlib.h>

#include "apps/common/work.h"

void app_work(double visits)
{
    const char *seconds = sg_host_get_property_value(sg_host_self(), "visit");
    if (seconds) {
        smpi_execute(visits * strtod(seconds, NULL));
    }
}
