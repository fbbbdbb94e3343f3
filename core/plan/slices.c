#include "core/plan/slices.h"

#include <math.h>

/* LEAST_SLICE: a shorter slice is not worth a pass. LONGEST_OPERAND: the most bytes of a
 * reduction's operand, which no slice may cut. */
enum { LEAST_SLICE = 128, LONGEST_OPERAND = 64, MOST_SLICES = 65536 };

static size_t round_up(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

/* In a reduce_scatter(_block), most_bytes counts all blocks together. */
size_t strata_longest_block(const struct strata_problem *problem)
{
    size_t ranks = (size_t)problem->topology->ranks;
    return problem->collective == STRATA_REDUCE_SCATTER_BLOCK
               ? round_up(problem->most_bytes, ranks) / ranks
           : problem->collective == STRATA_REDUCE_SCATTER ? problem->capacity.longest
                                                          : problem->most_bytes;
}

/* Bytes of the block that decides how many passes move data. Blocks longer than the mean count too,
 * because each of their slices is a pass. The longest block is known only up to a power of two. */
static double typical_block(const struct strata_problem *problem)
{
    return fmax(problem->block_bytes, (double)strata_longest_block(problem) / 2);
}

bool strata_slices_find(const struct strata_algorithm *algorithm,
                        const struct strata_problem *problem, struct strata_slices *s)
{
    if (!algorithm->slice || !algorithm->applicable(problem)) {
        return false;
    }
    size_t room = algorithm->slice(problem);
    size_t longest = strata_longest_block(problem), ranks = (size_t)problem->topology->ranks;
    size_t spare = strata_collective_reduces(problem->collective) ? LONGEST_OPERAND - 1 : 0;
    if (room < LEAST_SLICE || longest <= room - spare) {
        return false;
    }
    size_t passes = (longest - 1) / (room - spare) + 1;
    size_t bytes = round_up((longest - 1) / passes + 1 + spare, LONGEST_OPERAND);
    bytes = bytes < room ? bytes : room;
    s->limits = (struct strata_limits){.slice = bytes, .passes = (int)passes};
    s->passes = fmax(ceil(typical_block(problem) / (double)(bytes - spare)), 1);
    s->problem = *problem;
    s->problem.block_bytes = problem->block_bytes / s->passes;
    s->problem.most_bytes = bytes * (strata_collective_scatters(problem->collective) ? ranks : 1);
    return passes <= MOST_SLICES && bytes - spare <= (size_t)-1 / ranks;
}
