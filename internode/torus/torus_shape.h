/* The torus on which an algorithm arranges the ranks. */
#ifndef STRATA_INTERNODE_TORUS_TORUS_SHAPE_H
#define STRATA_INTERNODE_TORUS_TORUS_SHAPE_H

#include "core/plan/algorithm.h"

/* The shape that the user gave, if it is one for `members` members, else the balanced one with
 * `dims` axes. */
struct strata_torus strata_torus_shape(const struct strata_problem *problem, int members, int dims);

/* NULL if the user gave no shape, or one with `dims` axes; else the reason in words. */
const char *strata_torus_refusal(const struct strata_problem *problem, int dims);

#endif
