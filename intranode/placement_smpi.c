/* Simulated hosts: each rank has a core of its own, whatever the real host is. */
#include <limits.h>
#include <stdio.h>

#include "intranode/placement.h"

int strata_placement_find(MPI_Comm host, struct strata_hardware **hardware,
                          struct strata_placement *placement)
{
    (void)hardware;
    struct strata_placement found = {
        .yields = true, .place = {STRATA_SEVERAL, STRATA_SEVERAL, STRATA_SEVERAL, STRATA_SEVERAL}};
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0;
    int error = PMPI_Comm_size(host, &found.processes);
    error = error ? error : PMPI_Get_processor_name(name, &length);
    if (!error) {
        found.cpus = INT_MAX;
        snprintf(found.host, sizeof found.host, "%.*s", (int)sizeof found.host - 1, name);
        *placement = found;
    }
    return error;
}
