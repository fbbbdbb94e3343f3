/* The node-aware algorithms and MPI's own, NULL after the last. */
#ifndef STRATA_HIER_ALGORITHMS_H
#define STRATA_HIER_ALGORITHMS_H

#include "core/algorithm.h"

extern const struct strata_algorithm *const strata_hier_algorithms[];

/* What the files of this folder define, for the table in algorithms.c. */
extern const struct strata_algorithm strata_leaders;
extern const struct strata_algorithm strata_native;

#endif
