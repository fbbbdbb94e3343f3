/* Only this file allocates. So tests can make the k-th allocation fail, and walk every error
 * path. */
#ifndef STRATA_CORE_BASE_MEMORY_H
#define STRATA_CORE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory for count objects of size bytes; NULL when there is none or the product overflows.
 * A request of zero bytes returns a pointer that can be freed. */
void *strata_allocate(size_t count, size_t size);

/* As realloc for an array of count objects; the old block stays valid when NULL is returned. Bytes
 * beyond the old block are not zeroed. strata_memory_fail_after counts a call as an allocation. */
void *strata_reallocate(void *block, size_t count, size_t size);

/* Accepts NULL. */
void strata_release(void *block);

/* Sets some memory of the process aside, unless some is set aside already. It serves work that may
 * not fail on one rank alone. False: there is no memory. */
bool strata_reserve_keep(void);
/* Frees the memory that was set aside. Until the next strata_reserve_keep of this thread, the
 * thread's allocations can use it, and strata_memory_fail_after makes none of them fail. */
void strata_reserve_spend(void);

/* Makes the after-th allocation from now fail (0 and 1: the next), and each one after it; negative:
 * none fails. It holds for all threads. */
void strata_memory_fail_after(long after);

#endif
