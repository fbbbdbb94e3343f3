/* Charges computation in simulated time. */
#include <simgrid/host.h>
#include <smpi/smpi.h>
#include <stdlib.h>

#include "apps/common/work.h"

/* A property of the host in seconds; 0 where the platform file has none. */
static double property(const char *name)
{
    const char *text = sg_host_get_property_value(sg_host_self(), name);
    return text ? strtod(text, NULL) : 0;
}

void app_work_shared(double visits, int threads)
{
    const double seconds = visits * property("visit") + (threads > 1 ? property("team") : 0);
    if (seconds > 0) {
        smpi_execute(seconds);
    }
}
