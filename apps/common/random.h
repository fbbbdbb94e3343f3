/* The random sequence of the NAS Parallel Benchmarks: x[k+1] = a x[k] mod 2^46. Its values in [0,
 * 1) are 2^-46 x. Products modulo 2^64 keep their lowest 46 bits. Multiplication by a^k jumps k
 * places ahead, so every rank and thread can begin anywhere. */
#ifndef STRATA_APPS_COMMON_RANDOM_H
#define STRATA_APPS_COMMON_RANDOM_H

#include <stdint.h>

#define APP_RANDOM_BITS       46
#define APP_RANDOM_MASK       (((uint64_t)1 << APP_RANDOM_BITS) - 1)
#define APP_RANDOM_MULTIPLIER ((uint64_t)1220703125) /* 5^13 */
#define APP_RANDOM_SEED       ((uint64_t)314159265)

static inline uint64_t app_random_power(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) {
            result = result * base & APP_RANDOM_MASK;
        }
        base = base * base & APP_RANDOM_MASK;
    }
    return result;
}

/* x[k]; the seed is x[0], and x[1] gives the first value. */
static inline uint64_t app_random_at(uint64_t k)
{
    return app_random_power(APP_RANDOM_MULTIPLIER, k) * APP_RANDOM_SEED & APP_RANDOM_MASK;
}

#endif
