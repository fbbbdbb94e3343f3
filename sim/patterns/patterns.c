#include "sim/patterns/patterns.h"

#include <string.h>

unsigned long strata_pattern_mix(unsigned long word)
{
    word += 0x9e3779b97f4a7c15UL;
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9UL;
    word = (word ^ word >> 27) * 0x94d049bb133111ebUL;
    return word ^ word >> 31;
}

/* One block; `drawn` is a random number of its own. */
struct block {
    const struct strata_pattern_shape *of;
    int from, to;
    unsigned long drawn;
};

static long fixed(const struct block *b)
{
    return b->of->longest;
}

static long uniform(const struct block *b)
{
    return 1 + (long)(b->drawn % (unsigned long)b->of->longest);
}

/* Each rank sends to one rank, and to 1 % of all others. */
static long sparse(const struct block *b)
{
    const unsigned long certain =
        strata_pattern_mix(strata_pattern_mix(b->of->seed) + (unsigned long)b->from);
    return certain % (unsigned long)b->of->ranks == (unsigned long)b->to || b->drawn % 100 == 0
               ? b->of->longest
               : 0;
}

static long hot_receiver(const struct block *b)
{
    return b->to == b->of->ranks / 2 ? b->of->longest : b->of->longest / 16;
}

/* Of a density in proportion to 1/x^2 between 1 and the longest, by the inverse of its
 * distribution. */
static long power_law(const struct block *b)
{
    const double part = (double)(b->drawn >> 11) * 0x1p-53;
    return (long)(1 / (1 - part * (1 - 1. / (double)b->of->longest)));
}

static const struct {
    const char *name;
    long (*length)(const struct block *block);
} patterns[STRATA_PATTERNS] = {[STRATA_PATTERN_FIXED] = {"fixed", fixed},
                               [STRATA_PATTERN_UNIFORM] = {"uniform", uniform},
                               [STRATA_PATTERN_SPARSE] = {"sparse", sparse},
                               [STRATA_PATTERN_HOT_RECEIVER] = {"hot_receiver", hot_receiver},
                               [STRATA_PATTERN_POWER_LAW] = {"power_law", power_law}};

enum strata_pattern strata_pattern_find(const char *name)
{
    int i = 0;
    while (i < STRATA_PATTERNS && strcmp(patterns[i].name, name) != 0) {
        i++;
    }
    return (enum strata_pattern)i;
}

const char *strata_pattern_name(enum strata_pattern pattern)
{
    return patterns[pattern].name;
}

long strata_pattern_length(enum strata_pattern pattern, const struct strata_pattern_shape *shape,
                           int from, int to)
{
    const unsigned long pair = (unsigned long)from << 32 | (unsigned long)to;
    const unsigned long drawn = strata_pattern_mix(strata_pattern_mix(shape->seed) ^ pair);
    const struct block block = {shape, from, to, drawn};
    return shape->longest > 0 ? patterns[pattern].length(&block) : 0;
}
