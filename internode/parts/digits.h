/* The exchange by digits that Bruck's algorithms share: blocks are numbered by the distance that
 * they travel, and in the round of digit position x and value z every block whose x-th digit, base
 * r, is z moves z * r^x ranks on, all in one message. */
#ifndef STRATA_INTERNODE_PARTS_DIGITS_H
#define STRATA_INTERNODE_PARTS_DIGITS_H

#include <stdint.h>

#include "core/plan/algorithm.h"

/* The rank `distance` further on, or back where it is negative. */
static inline int strata_rank_at(const struct strata_problem *problem, int64_t distance)
{
    int64_t ranks = problem->flat->ranks;
    return (int)((problem->rank + distance % ranks + ranks) % ranks);
}

/* How many of 0 .. count-1 have `value` as their digit of weight `weight` (a power of radix). */
int64_t strata_digit_count(int64_t count, int64_t radix, int64_t weight, int64_t value);

/* What a rank sends for one digit. A group is a run of distances that differ in lower digits only,
 * so its blocks lie side by side. */
struct strata_digit_stage {
    double messages, blocks, groups;
    double lone;                       /* messages of one block */
    double split_blocks, split_groups; /* in messages of several groups */
    double whole;                      /* blocks of the largest message that is one group */
};

struct strata_digit_stage strata_digit_stage(int ranks, int radix, int64_t weight);

/* Rounds, messages and volume of the whole exchange. Copies are the algorithm's own. */
struct strata_formula strata_digit_formula(int ranks, int radix);

#endif
