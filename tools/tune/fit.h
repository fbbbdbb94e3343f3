/* The pattern that is nearest to a program's blocks, of which a record tells four figures. */
#ifndef STRATA_TOOLS_TUNE_FIT_H
#define STRATA_TOOLS_TUNE_FIT_H

#include "tools/tune/lengths.h"

/* In bytes, the most of all ranks. */
struct tool_blocks {
    double mean, longest;
    double received; /* in the mean, from each rank */
    int degree;
};

/* The same in powers of two, but for the kind of blocks. Of `ratio` and `received` 0 is as long as
 * the mean block, 3 eight times as long. */
struct tool_shape {
    int64_t bytes; /* of the mean block, rounded down, as in a table */
    enum strata_tuned_blocks blocks;
    int ratio;    /* of the longest block */
    int received; /* of the mean block that a rank receives; 0 where that does not count */
    int degree;   /* of sparse blocks; else 0 */
};
struct tool_shape tool_shape_of(enum strata_collective collective, const struct tool_blocks *blocks,
                                int ranks);
bool tool_shape_same(const struct tool_shape *a, const struct tool_shape *b);
/* "blocks of 64 B in the mean and 2 KiB at most". Returns text. */
const char *tool_shape_text(const struct tool_shape *shape, char *text, size_t size);

/* What may be timed: each pattern with lengths up to a power of two, of one element. */
enum { TOOL_FIT_LENGTHS = 21, TOOL_FITS = STRATA_PATTERNS * TOOL_FIT_LENGTHS };
struct tool_lengths tool_fit_lengths(enum strata_collective collective, int ranks, int fit);
/* Of these the nearest one, in units with which its mean block is as long as the shape's. figure:
 * what ranks agree on of each. Returns false where none of TOOL_MOST_BYTES has such blocks. */
bool tool_fit(enum strata_collective collective, const struct tool_shape *shape, int ranks,
              int64_t figure[][TOOL_LENGTH_FIGURES], struct tool_lengths *nearest);

#endif
