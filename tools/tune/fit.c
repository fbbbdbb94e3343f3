/* Figures are powers of two, rounded from what may lie on either side of one. So two that are one
 * power apart are alike. Where several patterns are as near, the first one in their order counts,
 * equal blocks before all, and of one pattern the one whose longest block is shortest. */
#include "tools/tune/fit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/buckets.h"
#include "tools/command/words.h"

/* Another mean block is worse than anything else, and a line does not serve one that is longer or
 * shorter by more powers. */
enum { OTHER_BYTES = 64, BYTES_APART = 2 };

struct tool_shape tool_shape_of(enum strata_collective collective, const struct tool_blocks *blocks,
                                int ranks)
{
    const bool transposes = strata_collective_transposes(collective);
    const int mean = strata_bucket_of_mean(blocks->mean);
    const int received = strata_bucket_of_mean(blocks->received) - mean;
    const int ratio = strata_bucket_of_bytes((size_t)blocks->longest) - mean;
    struct strata_tuned_row row = {.collective = collective};
    strata_tuned_describe(blocks->mean, (size_t)blocks->longest, blocks->degree, ranks, &row);
    return (struct tool_shape){
        .bytes = (int64_t)row.bytes,
        .blocks = row.blocks,
        .ratio = ratio > 0 ? ratio : 0,
        .received = transposes && received > 0 ? received : 0,
        .degree = row.blocks == STRATA_SPARSE ? strata_bucket_of_bytes((size_t)blocks->degree) : 0};
}

bool tool_shape_same(const struct tool_shape *a, const struct tool_shape *b)
{
    return a->bytes == b->bytes && a->blocks == b->blocks && a->ratio == b->ratio &&
           a->received == b->received && a->degree == b->degree;
}

static int apart(int a, int b)
{
    const int powers = abs(a - b);
    return powers > 1 ? powers - 1 : 0;
}

const char *tool_shape_text(const struct tool_shape *shape, char *text, size_t size)
{
    const double bytes = (double)shape->bytes;
    char mean[32], longest[32], others[64] = "", received[64] = "";
    tool_bytes(bytes, mean, sizeof mean);
    tool_bytes(bytes * (double)(1ULL << shape->ratio), longest, sizeof longest);
    if (shape->blocks == STRATA_SPARSE) {
        const int most = (int)strata_bucket_most(shape->degree);
        snprintf(others, sizeof others, ", for %d other%s at most", most, tool_plural(most));
    }
    if (apart(shape->received, 0) > 0) {
        snprintf(received, sizeof received, ", of which a rank receives %llu times as much",
                 1ULL << shape->received);
    }
    snprintf(text, size, "blocks of %s in the mean and %s at most%s%s", mean, longest, others,
             received);
    return text;
}

struct tool_lengths tool_fit_lengths(enum strata_collective collective, int ranks, int fit)
{
    const int power =
        TOOL_FIT_LENGTHS - 1 - fit % TOOL_FIT_LENGTHS; /* long ones have short units */
    return (struct tool_lengths){.collective = collective,
                                 .pattern = (enum strata_pattern)(fit / TOOL_FIT_LENGTHS),
                                 .shape = {1L << power, ranks, TOOL_SEED},
                                 .unit = 1};
}

/* The shape of lengths, in units of so many elements. */
static struct tool_shape shape_in(const struct tool_lengths *l, const int64_t *figure, int64_t unit)
{
    const double each = (double)(unit * tool_element_bytes(l->collective));
    const int ranks = l->shape.ranks;
    const struct tool_blocks blocks = {.mean = (double)figure[TOOL_LENGTH_SUM] / ranks * each,
                                       .longest = (double)figure[TOOL_LENGTH_MOST] * each,
                                       .received =
                                           (double)figure[TOOL_LENGTH_RECEIVED] / ranks * each,
                                       .degree = (int)figure[TOOL_LENGTH_DEGREE]};
    return tool_shape_of(l->collective, &blocks, ranks);
}

/* INT_MAX: the one does not stand for the other. */
static int distance(const struct tool_shape *a, const struct tool_shape *b)
{
    const int bytes =
        abs(strata_bucket_of_bytes((size_t)a->bytes) - strata_bucket_of_bytes((size_t)b->bytes));
    return a->blocks == b->blocks && bytes <= BYTES_APART
               ? OTHER_BYTES * bytes + apart(a->ratio, b->ratio) + apart(a->received, b->received) +
                     apart(a->degree, b->degree)
               : INT_MAX;
}

/* Elements of a unit with which the mean block is as long as the shape's. */
static int64_t unit_of(const struct tool_lengths *l, const int64_t *figure,
                       const struct tool_shape *shape)
{
    const int64_t bytes = shape_in(l, figure, 1).bytes;
    return bytes > 0 && bytes < shape->bytes ? shape->bytes / bytes : 1;
}

/* Whether lengths in such units may be timed. Where ranks agree on no degree, sparse blocks are
 * uneven ones, and others are nearer to those of programs. */
static bool may_be(const struct tool_lengths *l, int64_t unit, const struct tool_shape *shape)
{
    return unit <= TOOL_MOST_BYTES / tool_element_bytes(l->collective) / l->shape.ranks /
                       l->shape.longest &&
           (l->pattern != STRATA_PATTERN_SPARSE || shape->blocks == STRATA_SPARSE);
}

bool tool_fit(enum strata_collective collective, const struct tool_shape *shape, int ranks,
              int64_t figure[][TOOL_LENGTH_FIGURES], struct tool_lengths *nearest)
{
    int least = INT_MAX;
    if (shape->bytes > TOOL_MOST_BYTES) { /* a file that is damaged may say so */
        return false;
    }
    for (int fit = 0; fit < TOOL_FITS; fit++) {
        struct tool_lengths l = tool_fit_lengths(collective, ranks, fit);
        const int64_t unit = unit_of(&l, figure[fit], shape);
        const struct tool_shape here = shape_in(&l, figure[fit], unit);
        const int off = may_be(&l, unit, shape) ? distance(&here, shape) : INT_MAX;
        const bool shorter = off == least && off < INT_MAX && l.pattern == nearest->pattern &&
                             l.shape.longest * unit < nearest->shape.longest * nearest->unit;
        if (off < least || shorter) {
            least = off;
            l.unit = (int)unit;
            *nearest = l;
        }
    }
    return least < INT_MAX;
}
