/* What distinguishes a host from all others. */
#ifndef STRATA_API_ATTACH_HOST_NAME_H
#define STRATA_API_ATTACH_HOST_NAME_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "intranode/scheduler.h"

/* The name, a zero, the boot id, and a number of the shared memory that the host's processes can
 * have. One of them differs for a host that was renamed, for two hosts of one name, and for
 * containers with memory of their own. */
struct strata_host_name {
    char text[MPI_MAX_PROCESSOR_NAME + STRATA_BOOT_ID + sizeof(uint64_t)];
    size_t size;
    bool booted; /* the boot id could be read */
};

/* Finds this host's name, with its boot id where that is wanted and can be read. */
void strata_host_name_find(struct strata_host_name *name, bool with_boot_id);

#endif
