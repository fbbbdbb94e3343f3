/* What to do where the node's memory is too small. */
#ifndef STRATA_API_EXPLAIN_SHM_LIMIT_H
#define STRATA_API_EXPLAIN_SHM_LIMIT_H

#include <stddef.h>

#include "api/process/process.h"

/* With figures of what is there and what is wanted, such as 64M. */
void strata_shm_limit_say(const struct strata_shm_limit *limit, int64_t budget, char *text,
                          size_t size);

#endif
