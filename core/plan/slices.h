/* Blocks that are too long for an algorithm to move at once: it moves them in slices, one in each
 * pass. */
#ifndef STRATA_CORE_PLAN_SLICES_H
#define STRATA_CORE_PLAN_SLICES_H

#include "core/plan/algorithm.h"

struct strata_slices {
    struct strata_problem problem; /* of one pass */
    struct strata_limits limits;   /* of the plan: how long a slice is, and how many passes */
    double passes;                 /* the passes that move something */
};

/* Whether the algorithm, which cannot serve the problem at once, may in slices of equal length. */
bool strata_slices_find(const struct strata_algorithm *algorithm,
                        const struct strata_problem *problem, struct strata_slices *s);

/* Bytes of the longest block of a ranked collective, as far as all ranks know; 0: nothing is
 * known. */
size_t strata_longest_block(const struct strata_problem *problem);

#endif
