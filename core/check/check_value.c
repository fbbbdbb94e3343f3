/* Draws at random: fingerprints of blocks, and which blocks are direct.
 *
 * Two different expressions have the same fingerprint with a probability of at most their length
 * over 2^61, because as polynomials in the numbers drawn they differ. */
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

/* A number from 1 to PRIME-1. */
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

/* The factors of the left and of the right operand, where the grouping of operands matters. */
static const struct check_value to_left = {UINT64_C(0x0b8f6c1e5a3d9417),
                                           UINT64_C(0x13c6d2e97f5b8a05)};
static const struct check_value to_right = {UINT64_C(0x0d1a7e3b94c6f285),
                                            UINT64_C(0x1f42a9c80e7d3b61)};

static struct check_value weighted(struct check_value left, struct check_value right)
{
    return (struct check_value){add(multiply(to_left.a, left.a), multiply(to_right.a, right.a)),
                                add(multiply(to_left.c, left.c), multiply(to_right.c, right.c))};
}

struct check_value strata_check_combine(const struct strata_plan *plan, struct check_value left,
                                        struct check_value right)
{
    if (plan->left_fold) {
        return weighted(left, right);
    }
    if (!plan->keeps_order) {
        return (struct check_value){add(left.a, right.a), add(left.c, right.c)};
    }
    return (struct check_value){multiply(left.a, right.a), add(multiply(left.a, right.c), left.c)};
}

bool strata_check_block_direct(const struct checker *k, int call, int source, int destination)
{
    uint64_t pair = ((uint64_t)call * (uint64_t)k->ranks + (uint64_t)source) * (uint64_t)k->ranks +
                    (uint64_t)destination;
    return (int)(check_mix(pair + ((uint64_t)k->options->seed << 40)) & 7) <
           k->calls[call].direct_in_8;
}
