/* The between-node algorithms: one row each, NULL after the last. */
#ifndef STRATA_INTERNODE_ALGORITHMS_H
#define STRATA_INTERNODE_ALGORITHMS_H

#include "core/algorithm.h"

extern const struct strata_algorithm *const strata_internode_algorithms[];

/* What the files of this folder define, for the table in algorithms.c. */
extern const struct strata_algorithm strata_sloav;
extern const struct strata_algorithm strata_pairwise;

#endif
