/* Functions that compare and hash, which programs may take for their colours and keys. */
#include "include/strata.h"
#include "internode/split/values.h"

int strata_compare_bytes(const void *a, size_t a_bytes, const void *b, size_t b_bytes,
                         void *context)
{
    return strata_order_bytes(a, a_bytes, b, b_bytes, context);
}

int strata_compare_int32(const void *a, size_t a_bytes, const void *b, size_t b_bytes,
                         void *context)
{
    return strata_order_int32(a, a_bytes, b, b_bytes, context);
}

int strata_compare_int64(const void *a, size_t a_bytes, const void *b, size_t b_bytes,
                         void *context)
{
    return strata_order_int64(a, a_bytes, b, b_bytes, context);
}

uint64_t strata_hash_bytes(const void *value, size_t bytes, unsigned round, void *context)
{
    return strata_hash_any(value, bytes, round, context);
}
