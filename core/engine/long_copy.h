/* Copies of any length. */
#ifndef STRATA_CORE_ENGINE_LONG_COPY_H
#define STRATA_CORE_ENGINE_LONG_COPY_H

#include <stddef.h>
#include <string.h>

/* A copy of so many bytes leaves nothing useful in any cache: the rank's local peers copy as much
 * at the same time, and each of them reads and writes those bytes. */
#define STRATA_LONG_COPY ((size_t)8 << 20)

/* As memcpy, but past the cache where the processor has stores for it: the destination is not read
 * into the cache before it is written. Other threads see the bytes after this thread's next
 * release, as usual. */
void strata_copy_past_cache(void *to, const void *from, size_t bytes);

static inline void strata_copy_bytes(void *to, const void *from, size_t bytes)
{
    if (bytes >= STRATA_LONG_COPY) {
        strata_copy_past_cache(to, from, bytes);
    } else {
        memcpy(to, from, bytes);
    }
}

#endif
