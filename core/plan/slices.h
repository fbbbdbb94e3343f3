/* Slices of blocks that are too long for an algorithm to move at once: each pass moves one slice of
 * every block. */
#ifndef STRATA_CORE_PLAN_SLICES_H
#define STRATA_CORE_PLAN_SLICES_H

#include "core/plan/algorithm.h"

struct strata_slices {
    struct strata_problem problem; /* the problem of one pass */
    struct strata_limits limits;   /* the plan's limits: bytes of a slice, and number of passes */
    double passes;                 /* the passes that move something */
};

/* Whether the algorithm cannot serve the problem at once, but can serve it in slices of equal
 * length. */
bool strata_slices_find(const struct strata_algorithm *algorithm,
                        const struct strata_problem *problem, struct strata_slices *s);

/* Bytes of the longest block of a ranked collective, as far as all ranks know it; 0: they know
 * nothing. */
size_t strata_longest_block(const struct strata_problem *problem);

#endif
