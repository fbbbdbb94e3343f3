/* Lists in settings that say what plans may serve: sizes, and names. */
#ifndef STRATA_CORE_BASE_LISTS_H
#define STRATA_CORE_BASE_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

#define STRATA_MOST_RANGES 16

struct strata_ranges {
    int count; /* 0: all sizes */
    struct {
        uint64_t least, most; /* bytes; both are in it */
    } range[STRATA_MOST_RANGES];
};

/* "64-4K,1M-": ranges of bytes with K, M, G. "-4K" is from 0, "1M-" without end, "8" one size.
 * Returns STRATA_ERR_SYNTAX, with no range kept. */
int strata_ranges_parse(const char *text, struct strata_ranges *ranges,
                        struct strata_diagnostic *message);
/* Whether a size from least to most is in the list. */
bool strata_ranges_meet(const struct strata_ranges *ranges, uint64_t least, uint64_t most);

/* "one,fft*": whether the name is in the list, where a star at the end stands for anything; of
 * "!io,!log*" whether it is not. An empty list holds all names. */
bool strata_names_hold(const char *list, const char *name);

#endif
