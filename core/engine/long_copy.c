#include "core/engine/long_copy.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#include <stdint.h>

/* Both in bytes; AHEAD is how far the reads run ahead of the stores. */
enum { LINE = 64, AHEAD = 1024 };

static void copy_line(unsigned char *to, const unsigned char *from)
{
    _mm_prefetch((const char *)from + AHEAD, _MM_HINT_T0);
    for (int i = 0; i < LINE; i += (int)sizeof(__m128i)) {
        __m128i part = _mm_loadu_si128((const void *)(from + i));
        _mm_stream_si128((void *)(to + i), part);
    }
}

/* Stores whole lines of the destination past the cache, and copies the bytes before and behind them
 * by memcpy. Such stores are not ordered with others. The fence orders them, so that a release that
 * follows covers them too. */
void strata_copy_past_cache(void *to, const void *from, size_t bytes)
{
    unsigned char *into = to;
    const unsigned char *of = from;
    size_t head = (size_t)(-(uintptr_t)to % LINE);
    head = head < bytes ? head : bytes;
    size_t end = head + (bytes - head) / LINE * LINE;
    memcpy(into, of, head);
    for (size_t at = head; at < end; at += LINE) {
        copy_line(into + at, of + at);
    }
    memcpy(into + end, of + end, bytes - end);
    _mm_sfence();
}

#else

void strata_copy_past_cache(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

#endif
