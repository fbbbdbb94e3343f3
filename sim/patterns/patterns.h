/* The lengths of blocks, in collectives whose blocks may have different ones. */
#ifndef STRATA_SIM_PATTERNS_PATTERNS_H
#define STRATA_SIM_PATTERNS_PATTERNS_H

/* STRATA_PATTERNS: none. */
enum strata_pattern {
    STRATA_PATTERN_FIXED,
    STRATA_PATTERN_UNIFORM,
    STRATA_PATTERN_SPARSE,
    STRATA_PATTERN_HOT_RECEIVER,
    STRATA_PATTERN_POWER_LAW,
    STRATA_PATTERNS
};

/* All names, in words. */
#define STRATA_PATTERN_NAMES "fixed, uniform, sparse, hot_receiver or power_law"

/* One exchange; `longest` is the length of the longest block that it may have. */
struct strata_pattern_shape {
    long longest;
    int ranks;
    unsigned long seed;
};

/* The pattern of that name; STRATA_PATTERNS: there is none. */
enum strata_pattern strata_pattern_find(const char *name);
const char *strata_pattern_name(enum strata_pattern pattern);
/* Splitmix64, which mixes any input well. */
unsigned long strata_pattern_mix(unsigned long word);
/* The length of the block from one rank to another, or, in collectives with one block of a rank,
 * from that rank to itself. It depends on the arguments alone, so all ranks compute the same one
 * without messages. */
long strata_pattern_length(enum strata_pattern pattern, const struct strata_pattern_shape *shape,
                           int from, int to);

#endif
