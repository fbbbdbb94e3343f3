/* The memory that a call needs at its worst: a rank's private scratch, and a node's memory. */
#ifndef STRATA_CORE_ENGINE_ENGINE_SIZES_H
#define STRATA_CORE_ENGINE_ENGINE_SIZES_H

#include "core/engine/engine.h"
#include "core/plan/plan_sizes.h"

/* Of what local peers expose, so many bytes at a time go through a buffer where they cannot go
 * straight to their place. Small enough for the cache next to the core. */
#define STRATA_FETCH_BYTES 131072
/* That buffer, and then the pieces that a local peer's block lies in. */
#define STRATA_FETCH_SCRATCH                                                                       \
    (STRATA_FETCH_BYTES + STRATA_MOST_EXPOSED * sizeof(struct strata_range))

/* Three times as much lies in the cache next to the core: what is copied, what is combined into
 * that, and where. */
#define STRATA_NEAR_BYTES 8192

/* Private memory that each call of the plan needs. Walks the plan, so its result is kept in
 * strata_execution.fixed_scratch. */
size_t strata_engine_fixed_scratch(const struct strata_plan *plan, bool check);
/* Bytes of `scratch` that a call needs: those, and what follows from its memory, its layouts and
 * in_place. It is asked for before each call, which needs what is counted here. */
size_t strata_engine_scratch(struct strata_execution *x);
/* Bytes of each member's slot, and of the landing, that a staged plan needs; for a plan over blocks
 * these follow from the lengths of `work`. */
void strata_engine_node_need(const struct strata_plan *plan, const struct strata_layout *work,
                             bool check, size_t *slot, size_t *landing);

#endif
