/* Bounded by construction: threshold, chunk and passes of a plan, so that its worst case fits.
 * Pure functions of figures that all ranks know to be equal. */
#ifndef STRATA_CORE_LIMITS_H
#define STRATA_CORE_LIMITS_H

#include "core/algorithm.h"

#define STRATA_LEAST_CHUNK 8

/* The limits of a plan with this exchange: its largest chunk c with slot, landing and scratch all
 * fitting, at most the threshold; threshold = min(capacity->threshold, passes * c). The stage is
 * the largest group of messages sent between two waits, with its items.
 * STRATA_ERR_CAPACITY when c would be below STRATA_LEAST_CHUNK. */
int strata_limits_find(const struct strata_topology *topology,
                       const struct strata_exchange *exchange, int stage_messages,
                       int64_t stage_items, const struct strata_capacity *capacity,
                       struct strata_limits *limits);

#endif
