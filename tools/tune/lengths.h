/* The lengths of the blocks that `strata tune calls` times, and what ranks agree on about them. */
#ifndef STRATA_TOOLS_TUNE_LENGTHS_H
#define STRATA_TOOLS_TUNE_LENGTHS_H

#include <stdint.h>

#include "hier/tuned.h"
#include "sim/patterns/patterns.h"

/* Lengths of so many units each; the shape's longest is that of equal blocks, or of the vector. */
struct tool_lengths {
    enum strata_collective collective;
    enum strata_pattern pattern;
    struct strata_pattern_shape shape;
    int unit; /* in elements */
};

enum { TOOL_SEED = 1, TOOL_MOST_BYTES = 64 << 20 }; /* of the patterns; all blocks of a rank */

/* Bytes of an element: sums have doubles. */
int64_t tool_element_bytes(enum strata_collective collective);
/* Of alltoallv and alltoallw the block from one rank to another; else that of the rank `to`. */
int tool_length(const struct tool_lengths *lengths, int from, int to);

/* What a rank knows of the lengths, in elements. Ranks agree on the most of each. */
enum {
    TOOL_LENGTH_SUM,
    TOOL_LENGTH_MOST,
    TOOL_LENGTH_DEGREE,
    TOOL_LENGTH_RECEIVED, /* of all blocks */
    TOOL_LENGTH_FIGURES
};
void tool_lengths_of_rank(const struct tool_lengths *lengths, int rank, int64_t *figure);
/* Sets the key by which calls of such lengths are looked up: collective, bytes and blocks. Equal
 * blocks keep their bytes. */
void tool_lengths_describe(const struct tool_lengths *lengths, const int64_t *figure,
                           struct strata_tuned_row *row);

#endif
