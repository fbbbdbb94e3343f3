/* What tells a host from all others. */
#ifndef STRATA_API_ATTACH_HOST_NAME_H
#define STRATA_API_ATTACH_HOST_NAME_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "intranode/scheduler.h"

/* The name, a zero, the boot id, the memory that its processes can have: a host that was renamed,
 * two of one name, and containers with memory of their own differ in one of them. */
struct strata_host_name {
    char text[MPI_MAX_PROCESSOR_NAME + STRATA_BOOT_ID + sizeof(uint64_t)];
    size_t size;
    bool booted; /* the boot id could be read */
};

/* This host's, with its boot id where that is wanted and can be read. */
void strata_host_name_find(struct strata_host_name *name, bool with_boot_id);

#endif
