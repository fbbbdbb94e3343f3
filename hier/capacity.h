/* Memory that is bounded by construction: threshold, slice and passes follow from the capacity, so
 * that the worst case fits. Pure functions of numbers that all ranks know to be equal. The parts of
 * the budget are in hier/tuning.h. */
#ifndef STRATA_HIER_CAPACITY_H
#define STRATA_HIER_CAPACITY_H

#include "core/plan/limits.h" /* strata_limits_find, for internode/ uses it too */

/* Divides `budget` bytes of a node among the slots, landing and scratch of a communicator with this
 * topology, so that one pass of blocks up to `threshold` bytes fits if any fits; takes no more than
 * that needs. The small ring is less deep where it would take more than its part of the budget.
 * Where it takes more with STRATA_LEAST_DEPTH, too, there is none.
 * STRATA_ERR_CAPACITY: not even blocks of STRATA_LEAST_SLICE bytes fit. */
int strata_capacity_divide(const struct strata_topology *topology, size_t budget, size_t threshold,
                           int passes, bool check, struct strata_capacity *capacity);
/* Where ranks share cores: adds a middle ring, if that takes at most its part of the budget, and
 * nothing else needs that. */
void strata_capacity_add_middle(const struct strata_topology *topology, size_t budget,
                                struct strata_capacity *capacity);

#endif
