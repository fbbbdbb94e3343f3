/* The memory that a call needs at its worst: a rank's private scratch, and a node's memory. */
#ifndef STRATA_CORE_ENGINE_ENGINE_SIZES_H
#define STRATA_CORE_ENGINE_ENGINE_SIZES_H

#include "core/engine/engine.h"
#include "core/plan/plan_sizes.h"

/* Of what mates lend, so many bytes at a time go through a buffer where they cannot go straight to
 * their place. Small enough for the cache next to the core. */
#define STRATA_FETCH_BYTES 131072
/* That buffer, and then the pieces that a mate's block lies in. */
#define STRATA_FETCH_SCRATCH (STRATA_FETCH_BYTES + STRATA_MOST_LENT * sizeof(struct strata_range))

/* Three times as much lies in the cache next to the core: what is copied, what is combined into
 * that, and where. */
#define STRATA_NEAR_BYTES 8192

/* Plans over blocks: private memory that a call needs, for the work store, lists of open messages
 * and what is packed. Asked before the call begins, which needs what is counted for it. */
size_t strata_engine_block_scratch(struct strata_execution *x);
/* What one with blocks in the node's memory needs of it for blocks as long as those of `work`: of
 * each member's slot, and of the landing. */
void strata_engine_node_need(const struct strata_plan *plan, const struct strata_layout *work,
                             size_t *slot, size_t *landing);

/* Plans over items: private memory that any call needs; walks the plan, so keep the figure. */
size_t strata_engine_fixed_scratch(const struct strata_plan *plan, bool check);
/* What a call needs on top for its direct blocks: those that leave are saved before where it is in
 * place, and where a mate could not read them as they lie; what mates lend may go by way of a
 * buffer. From plan, memory, layouts and in_place. */
size_t strata_engine_direct_scratch(const struct strata_execution *x);
/* Both together: what scratch must hold. */
size_t strata_engine_scratch(const struct strata_execution *x);

#endif
