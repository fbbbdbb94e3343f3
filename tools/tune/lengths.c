#include "tools/tune/lengths.h"

#include <stdbool.h>

int64_t tool_element_bytes(enum strata_collective collective)
{
    return strata_collective_reduces(collective) ? (int64_t)sizeof(double) : 1;
}

/* Whether each pair of ranks has a length of its own. */
static bool of_pairs(const struct tool_lengths *l)
{
    return strata_collective_transposes(l->collective);
}

int tool_length(const struct tool_lengths *l, int from, int to)
{
    return l->unit * (int)strata_pattern_length(l->pattern, &l->shape, of_pairs(l) ? from : to, to);
}

static void add(int64_t *figure, int length)
{
    figure[TOOL_LENGTH_SUM] += length;
    figure[TOOL_LENGTH_MOST] =
        length > figure[TOOL_LENGTH_MOST] ? length : figure[TOOL_LENGTH_MOST];
}

void tool_lengths_of_rank(const struct tool_lengths *l, int rank, int64_t *figure)
{
    int64_t out = 0, in = 0;
    for (int i = 0; i < TOOL_LENGTH_FIGURES; i++) {
        figure[i] = 0;
    }
    for (int i = 0; i < l->shape.ranks; i++) {
        add(figure, tool_length(l, rank, i));
        out += i != rank && tool_length(l, rank, i) > 0;
        in += i != rank && tool_length(l, i, rank) > 0;
        figure[TOOL_LENGTH_RECEIVED] += tool_length(l, i, rank);
    }
    figure[TOOL_LENGTH_DEGREE] = out > in ? out : in;
}

void tool_lengths_describe(const struct tool_lengths *l, const int64_t *figure,
                           struct strata_tuned_row *row)
{
    const int64_t each = tool_element_bytes(l->collective);
    row->collective = l->collective;
    row->bytes = (double)(l->shape.longest * l->unit * each);
    row->blocks = STRATA_EVEN;
    if (l->pattern != STRATA_PATTERN_FIXED) {
        const double all = (double)(figure[TOOL_LENGTH_SUM] * each);
        strata_tuned_describe(all / l->shape.ranks, (size_t)(figure[TOOL_LENGTH_MOST] * each),
                              (int)figure[TOOL_LENGTH_DEGREE], l->shape.ranks, row);
    }
}
