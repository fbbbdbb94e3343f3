/* The torus that an algorithm takes the ranks to lie on. */
#ifndef STRATA_INTERNODE_TORUS_TORUS_SHAPE_H
#define STRATA_INTERNODE_TORUS_TORUS_SHAPE_H

#include "core/plan/algorithm.h"

/* The shape that was given for so many members, else the balanced one with so many axes. */
struct strata_torus strata_torus_shape(const struct strata_problem *problem, int members, int dims);

/* NULL when the shape that was given, if any, has so many axes; else the reason in words. */
const char *strata_torus_refusal(const struct strata_problem *problem, int dims);

#endif
