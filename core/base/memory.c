#include "core/base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* The number of allocations until the first that fails; negative: none fails. The counter guards no
 * other memory, so all accesses are relaxed. */
static _Atomic long failing_in = -1;

void strata_memory_fail_after(long after)
{
    atomic_store_explicit(&failing_in, after, memory_order_relaxed);
}

/* Counts an allocation. A counter that has come down to 1 or 0 stays there, so that all later
 * allocations fail too. */
static bool made_to_fail(void)
{
    long left = atomic_load_explicit(&failing_in, memory_order_relaxed);
    while (left > 1 &&
           !atomic_compare_exchange_weak_explicit(&failing_in, &left, left - 1,
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
    return left == 0 || left == 1;
}

/* Enough for the plan of a call on a few thousand ranks. Any thread may keep or spend the reserve.
 * Its bytes are never read, only freed, so the order of accesses does not matter. */
enum { RESERVE = 256 << 10 };
static _Atomic(void *) reserve;
static _Thread_local bool spending;

bool strata_reserve_keep(void)
{
    void *none = NULL, *kept = NULL;
    spending = false;
    if (atomic_load_explicit(&reserve, memory_order_relaxed)) {
        return true;
    }
    kept = strata_allocate(RESERVE, 1);
    if (kept && !atomic_compare_exchange_strong_explicit(
                    &reserve, &none, kept, memory_order_relaxed, memory_order_relaxed)) {
        free(kept); /* another thread was first */
    }
    return kept != NULL;
}

void strata_reserve_spend(void)
{
    spending = true;
    free(atomic_exchange_explicit(&reserve, NULL, memory_order_relaxed));
}

/* Overflow is found here and not left to calloc, because sanitizers stop a program for it. */
static bool refused(size_t count, size_t size)
{
    return (!spending && made_to_fail()) || (size != 0 && count > SIZE_MAX / size);
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
