/* Simulated nodes have all the memory that is asked for, and windows are memory of this one
 * process: the system adds pages when they are touched. Asking the real host would make results
 * depend on it. */
#include <stdint.h>

#include "core/base/error.h"
#include "intranode/backing.h"

int strata_backing_commit(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
    return STRATA_OK;
}

bool strata_backing_provable(void)
{
    return false;
}

size_t strata_backing_free(void)
{
    return SIZE_MAX;
}

size_t strata_backing_size(void)
{
    return 0;
}
