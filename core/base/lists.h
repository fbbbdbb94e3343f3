/* The lists in settings that say which calls plans may serve: lists of sizes, and lists of
 * names. */
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
        uint64_t least, most; /* in bytes; the range includes both */
    } range[STRATA_MOST_RANGES];
};

/* Reads ranges of bytes with K, M, G, such as "64-4K,1M-". "-4K" begins at 0, "1M-" has no end, and
 * "8" is one size. Returns STRATA_ERR_SYNTAX, and keeps no range, when the text is wrong. */
int strata_ranges_parse(const char *text, struct strata_ranges *ranges,
                        struct strata_diagnostic *message);
/* Whether the list holds a size from least to most. */
bool strata_ranges_meet(const struct strata_ranges *ranges, uint64_t least, uint64_t most);

/* Whether the list, such as "one,fft*", holds the name; a star at the end of an entry stands for
 * any text. A list whose entries begin with !, such as "!io,!log*", holds all names but these. An
 * empty list holds all names. */
bool strata_names_hold(const char *list, const char *name);

#endif
