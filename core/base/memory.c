#include "core/base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Allocations until the first that fails; negative: none does. Guards no other memory, so all
 * accesses are relaxed. */
static _Atomic long failing_in = -1;

void strata_memory_fail_after(long after)
{
    atomic_store_explicit(&failing_in, after, memory_order_relaxed);
}

/* Counts an allocation. A counter that has come down to 1 or 0 stays: all later ones fail too. */
static bool made_to_fail(void)
{
    long left = atomic_load_explicit(&failing_in, memory_order_relaxed);
    while (left > 1 &&
           !atomic_compare_exchange_weak_explicit(&failing_in, &left, left - 1,
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
    return left == 0 || left == 1;
}

/* Overflow is found here and not left to calloc: sanitizers stop a program for it. */
static bool refused(size_t count, size_t size)
{
    return made_to_fail() || (size != 0 && count > SIZE_MAX / size);
}

void *strata_allocate(size_t count, size_t size)
{
    if (refused(count, size)) {
        return NULL;
    }
    return count == 0 || size == 0 ? calloc(1, 1) : calloc(count, size);
}

void *strata_reallocate(void *block, size_t count, size_t size)
{
    if (refused(count, size)) {
        return NULL;
    }
    /* realloc of zero bytes may free the block. */
    return realloc(block, count == 0 || size == 0 ? 1 : count * size);
}

void strata_release(void *block)
{
    free(block);
}
