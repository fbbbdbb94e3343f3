/* Bounded by construction: threshold, slice and passes from the capacity, so that the worst case
 * fits. Pure functions of figures that all ranks know to be equal. */
#ifndef STRATA_HIER_CAPACITY_H
#define STRATA_HIER_CAPACITY_H

#include "core/plan/limits.h" /* strata_limits_find, for internode/ uses it too */

/* Divides `budget` bytes of a node among the slots, landing and scratch of a communicator with this
 * topology, so that one pass of blocks up to `threshold` bytes fits if anything does; asks for no
 * more than that needs. There is a small ring, with fewer places where it took more than a quarter
 * of the budget, unless it took that with STRATA_LEAST_PLACES, too.
 * STRATA_ERR_CAPACITY when not even blocks of STRATA_LEAST_SLICE bytes fit.
 */
int strata_capacity_divide(const struct strata_topology *topology, size_t budget, size_t threshold,
                           int passes, bool check, struct strata_capacity *capacity);
/* Where ranks share cores: a middle ring besides, if that takes an eighth of the budget at most,
 * which nothing else needs. */
void strata_capacity_add_middle(const struct strata_topology *topology, size_t budget,
                                struct strata_capacity *capacity);

#endif
