/* Orders and hashes of usual values. */
#include <string.h>

#include "internode/split/values.h"

#include "internode/split/split.h"

int strata_order_bytes(const void *a, size_t a_size, const void *b, size_t b_size, void *context)
{
    size_t both = a_size < b_size ? a_size : b_size;
    int order = both > 0 ? memcmp(a, b, both) : 0;
    (void)context;
    return order ? order : (a_size > b_size) - (a_size < b_size);
}

#define ORDER_INTEGERS(name, type)                                                                 \
    int name(const void *a, size_t a_size, const void *b, size_t b_size, void *context)            \
    {                                                                                              \
        type x, y;                                                                                 \
        (void)context;                                                                             \
        (void)a_size;                                                                              \
        (void)b_size;                                                                              \
        memcpy(&x, a, sizeof x);                                                                   \
        memcpy(&y, b, sizeof y);                                                                   \
        return (x > y) - (x < y);                                                                  \
    }

ORDER_INTEGERS(strata_order_int32, int32_t)
ORDER_INTEGERS(strata_order_int64, int64_t)

uint64_t strata_hash_any(const void *bytes, size_t size, unsigned round, void *context)
{
    const unsigned char *byte = bytes;
    uint32_t hash = round * 0x9e3779b9u; /* rotating one byte would change nothing */
    (void)context;
    for (size_t i = 0, at = size ? round % size : 0; i < size;
         i++, at = at + 1 < size ? at + 1 : 0) {
        hash += byte[at];
        hash += hash << 10;
        hash ^= hash >> 6;
    }
    hash += hash << 3;
    hash ^= hash >> 11;
    hash += hash << 15;
    return hash;
}
