/* The shape of a torus or mesh that ranks lie on, for the algorithms with 2N ports. */
#ifndef STRATA_CORE_TOPOLOGY_TORUS_H
#define STRATA_CORE_TOPOLOGY_TORUS_H

#include <stdbool.h>

#include "core/base/error.h"

#define STRATA_TORUS_DIMS 4 /* as many as a box has */

/* A rank's number is its coordinates in row-major order: the last axis varies fastest. */
struct strata_torus {
    int ndims;
    int size[STRATA_TORUS_DIMS]; /* >= 1; their product is the number of ranks */
    bool mesh;                   /* the ends of an axis are not joined */
};

/* Reads "8x8x8" or "4x3:mesh" for `ranks` ranks. STRATA_ERR_SYNTAX: message says what is wrong. */
int strata_torus_parse(const char *text, int ranks, struct strata_torus *torus,
                       struct strata_diagnostic *message);
/* The torus of `ndims` axes for `ranks` ranks whose axes are as nearly equal as divisors allow, the
 * longest first. */
struct strata_torus strata_torus_balanced(int ranks, int ndims);

#endif
