/* Advice where the node's memory is too small. */
#ifndef STRATA_API_EXPLAIN_SHM_LIMIT_H
#define STRATA_API_EXPLAIN_SHM_LIMIT_H

#include <stddef.h>

#include "api/process/process.h"

/* Writes what to do, with the bytes that are there and the bytes that are wanted, such as 64M. */
void strata_shm_limit_say(const struct strata_shm_limit *limit, int64_t budget, char *text,
                          size_t size);

#endif
