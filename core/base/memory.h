/* The one place that allocates. Tests make the k-th allocation fail to walk every error path. */
#ifndef STRATA_CORE_BASE_MEMORY_H
#define STRATA_CORE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory for count objects of size bytes; NULL when there is none or the product overflows.
 * A request of zero bytes returns a pointer that can be freed. */
void *strata_allocate(size_t count, size_t size);

/* As realloc for an array of count objects; the old block stays valid when NULL is returned. Bytes
 * beyond the old block are not zeroed. Counts as an allocation for the function below. */
void *strata_reallocate(void *block, size_t count, size_t size);

/* Accepts NULL. */
void strata_release(void *block);

/* Sets some memory of the process aside, unless there is some: for what may not fail on one rank
 * alone. False: there is none. */
bool strata_reserve_keep(void);
/* Gives it free: until the next strata_reserve_keep of this thread its allocations have it, and the
 * function below makes none of them fail. */
void strata_reserve_spend(void);

/* Makes the after-th allocation from now fail (0 and 1: the next), and each one after it; negative:
 * none fails. Holds for all threads. */
void strata_memory_fail_after(long after);

#endif
