/* Copies of any length. */
#ifndef STRATA_CORE_ENGINE_LONG_COPY_H
#define STRATA_CORE_ENGINE_LONG_COPY_H

#include <stddef.h>
#include <string.h>

/* A rank's copy of so many bytes leaves no cache with anything of use: its local peers copy as many
 * at the same time, and each of them reads them and writes them. */
#define STRATA_LONG_COPY ((size_t)8 << 20)

/* As memcpy, past the cache where the processor has such stores: what is copied is not read into
 * the cache before it is written over. Others see it after this thread's next release, as ever. */
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
