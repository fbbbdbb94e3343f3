/* Walks a plan, with one function for each step kind, as far as it can go. */
#ifndef STRATA_CORE_ENGINE_ENGINE_WALK_H
#define STRATA_CORE_ENGINE_ENGINE_WALK_H

#include "core/engine/engine.h"

/* As strata_engine_start and strata_engine_advance, for calls without a tape. */
int strata_walk_start(struct strata_execution *x);
int strata_walk_advance(struct strata_execution *x);

/* Takes over where a call's tape stops, at step `at` of the plan, with the tape's result: pending,
 * an error, or STRATA_TAPE_LEFT, after which the plan is walked from there on. Returns as advance
 * does. */
#define STRATA_TAPE_LEFT (-2)
int strata_walk_from_tape(struct strata_execution *x, int at, int result);

#endif
