/* The walk of a plan, one function for each step kind, as far as it can go. */
#ifndef STRATA_CORE_ENGINE_ENGINE_WALK_H
#define STRATA_CORE_ENGINE_ENGINE_WALK_H

#include "core/engine/engine.h"

/* As strata_engine_start and strata_engine_advance, of calls without a tape. */
int strata_walk_start(struct strata_execution *x);
int strata_walk_advance(struct strata_execution *x);

/* Where a call's tape stops, at that step of the plan: it is pending, has failed, or is left, and
 * then the plan is walked from there on. Returns as advance does. */
#define STRATA_TAPE_LEFT (-2)
int strata_walk_from_tape(struct strata_execution *x, int at, int result);

#endif
