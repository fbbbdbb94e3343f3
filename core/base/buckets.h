/* Buckets of sizes by powers of two. Memory or a plan that is made for the most bytes of a bucket
 * serves every size in the bucket. A size that is a power of two is the most of its bucket. */
#ifndef STRATA_CORE_BASE_BUCKETS_H
#define STRATA_CORE_BASE_BUCKETS_H

#include <stddef.h>
#include <stdint.h>

/* The buckets hold the sizes 0, 1, 2, 3..4, 5..8, ... */
static inline int strata_bucket_of_bytes(size_t bytes)
{
    int bucket = bytes > 1 ? 65 - __builtin_clzll((uint64_t)bytes - 1) : (int)bytes;
    return bucket < 63 ? bucket : 63;
}

/* The bucket of a mean block, which is rounded down. The mean of blocks of all lengths up to a
 * power of two is a little more than half of it; rounded up, they would be estimated as if all were
 * as long as the longest. */
static inline int strata_bucket_of_mean(double bytes)
{
    return bytes < (double)(UINT64_C(1) << 61) ? strata_bucket_of_bytes((size_t)bytes + 1) - 1 : 62;
}

static inline size_t strata_bucket_most(int bucket)
{
    return bucket > 0 ? (size_t)1 << (bucket - 1) : 0;
}

static inline size_t strata_bucket_least(int bucket)
{
    return bucket > 0 ? strata_bucket_most(bucket - 1) + 1 : 0;
}

/* How many times as long as the sizes of the other bucket those of this one are; 0 where one of the
 * two holds none. */
static inline double strata_bucket_ratio(int bucket, int other)
{
    const size_t below = strata_bucket_most(other);
    return below > 0 ? (double)strata_bucket_most(bucket) / (double)below : 0;
}

#endif
