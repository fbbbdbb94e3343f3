/* Bounded by construction: threshold, chunk and passes from the capacity, so that the worst case
 * fits. Pure functions of figures that all ranks know to be equal. */
#ifndef STRATA_HIER_LIMITS_H
#define STRATA_HIER_LIMITS_H

#include "core/algorithm.h"

/* Divides `budget` bytes of a node among the slots, landing and scratch of a communicator with this
 * topology, so that one pass of blocks up to `threshold` bytes fits if anything does; asks for no
 * more than that needs. STRATA_ERR_CAPACITY when not even blocks of STRATA_LEAST_CHUNK bytes fit.
 */
#define STRATA_LEAST_CHUNK 8
int strata_capacity_divide(const struct strata_topology *topology, size_t budget, size_t threshold,
                           int passes, bool check, struct strata_capacity *capacity);

/* The limits of a plan with this exchange; its largest chunk c with all of slot, landing and
 * scratch fitting, at most the threshold. threshold = min(capacity->threshold, passes * c). Returns
 * STRATA_ERR_CAPACITY when c < STRATA_LEAST_CHUNK. */
int strata_limits_find(const struct strata_topology *topology,
                       const struct strata_exchange *exchange, int stage_messages,
                       int64_t stage_items, const struct strata_capacity *capacity,
                       struct strata_limits *limits);

#endif
