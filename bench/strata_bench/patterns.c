/* The patterns: a function and a row for each. */
#include "bench/strata_bench/patterns.h"

#include <math.h>
#include <stddef.h>

#include "bench/strata_bench/mix.h"

/* A random number in [0, 1) that depends on the pair. */
static double drawn(const struct pattern_shape *s, int from, int to)
{
    uint64_t pair = (uint64_t)from * (uint64_t)s->ranks + (uint64_t)to;
    return (double)(mix(mix(s->seed) + pair) >> 11) * 0x1p-53;
}

static int equal(const struct pattern_shape *s, int from, int to)
{
    (void)from, (void)to;
    return s->bytes;
}

static int uniform(const struct pattern_shape *s, int from, int to)
{
    return s->bytes > 0 ? 1 + (int)(drawn(s, from, to) * s->bytes) : 0;
}

/* Draws from a density in proportion to 1/x^2 between 1 and bytes, by the inverse of its
 * distribution function. */
static int power_law(const struct pattern_shape *s, int from, int to)
{
    if (s->bytes == 0) {
        return 0;
    }
    return (int)(1 / (1 - drawn(s, from, to) * (1 - 1. / s->bytes)));
}

static int hot_receiver(const struct pattern_shape *s, int from, int to)
{
    (void)from;
    return to == s->ranks / 2 ? s->bytes : s->bytes / 16;
}

/* One per cent of few ranks is nothing, so each rank sends at least one block. */
static int sparse(const struct pattern_shape *s, int from, int to)
{
    int certain = (int)(drawn(s, from, s->ranks) * s->ranks);
    return to == certain || drawn(s, from, to) < 0.01 ? s->bytes : 0;
}

static int share(int n, int parts, int part)
{
    return (int)((long long)n * (part + 1) / parts - (long long)n * part / parts);
}

/* A square matrix, of doubles, or of single bytes where a block has no room for a double. The ranks
 * own rows before and after, so a block is the rows of one rank by the columns of the other. The
 * matrix' order is half the ranks short of a multiple of the ranks, so blocks have four shapes. */
static int transpose(const struct pattern_shape *s, int from, int to)
{
    int element = s->bytes < 8 ? 1 : 8;
    int most = (int)sqrt((double)s->bytes / element);
    int order = most * s->ranks - s->ranks / 2;
    return s->bytes > 0 ? share(order, s->ranks, from) * share(order, s->ranks, to) * element : 0;
}

const struct pattern patterns[] = {
    {"equal", "all blocks have the bytes given", equal},
    {"uniform", "1 to that many bytes, all as likely", uniform},
    {"power_law", "1 to that many, in proportion to 1/x^2: many short blocks, few long", power_law},
    {"hot_receiver", "that many to the rank in the middle, a sixteenth to all others",
     hot_receiver},
    {"sparse", "1 % of the blocks have that many, drawn, and one more of each rank; others none",
     sparse},
    {"transpose", "a matrix that does not divide evenly, its rows turned into columns", transpose},
    {NULL, NULL, NULL},
};
