/* The memory that a call needs at worst: a rank's private scratch, and a node's memory. */
#ifndef STRATA_CORE_ENGINE_ENGINE_SIZES_H
#define STRATA_CORE_ENGINE_ENGINE_SIZES_H

#include "core/engine/engine.h"
#include "core/plan/plan_sizes.h"

/* Bytes of a local peer's block that go through a buffer at a time where they cannot go straight to
 * their destination. The buffer is small enough for the cache next to the core. */
#define STRATA_FETCH_BYTES 131072
/* The buffer, and behind it the list of pieces of a local peer's block. */
#define STRATA_FETCH_SCRATCH                                                                       \
    (STRATA_FETCH_BYTES + STRATA_MOST_EXPOSED * sizeof(struct strata_range))

/* Three times these bytes fit in the cache next to the core: the bytes to copy, the bytes to
 * combine with them, and the result. */
#define STRATA_NEAR_BYTES 8192

/* Bytes of private memory that each call of the plan needs. The function walks the plan, so callers
 * keep its result in strata_execution.fixed_scratch. */
size_t strata_engine_fixed_scratch(const struct strata_plan *plan, bool check);
/* Bytes of `scratch` that a call needs: fixed_scratch, and the bytes that follow from its memory,
 * its layouts and in_place. Every call must ask for them before it starts, because the call uses
 * what the function counts. */
size_t strata_engine_scratch(struct strata_execution *x);
/* Bytes of each member's slot, and of the landing, that a staged plan needs. For a plan over blocks
 * they follow from the lengths of `work`. */
void strata_engine_node_need(const struct strata_plan *plan, const struct strata_layout *work,
                             bool check, size_t *slot, size_t *landing);

#endif
