/* Fingerprints. That two different expressions have the same one happens with a probability of their
 * length over 2^61: as polynomials in what was drawn they differ. */
#include "core/check/check_blocks.h"

#define PRIME ((UINT64_C(1) << 61) - 1)

static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;
    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return add((uint64_t)product & PRIME, (uint64_t)(product >> 61));
}

/* One of 1 .. PRIME-1. */
static uint64_t draw(uint64_t bits)
{
    return (bits >> 4) + 1;
}

struct check_value strata_check_leaf(const struct checker *k, int call, int rank, int block)
{
    uint64_t salt = (uint64_t)k->options->seed << 20 ^ (uint64_t)call;
    uint64_t x = check_mix(check_mix(salt) ^ ((uint64_t)rank << 32 | (uint64_t)block));
    return (struct check_value){draw(x), draw(check_mix(x ^ 0x9e3779b97f4a7c15u))};
}

struct check_value strata_check_combine(bool ordered, struct check_value left,
                                        struct check_value right)
{
    if (!ordered) {
        return (struct check_value){add(left.a, right.a), add(left.c, right.c)};
    }
    return (struct check_value){multiply(left.a, right.a), add(multiply(left.a, right.c), left.c)};
}
