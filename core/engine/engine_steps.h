/* The functions that run a plan's steps. */
#ifndef STRATA_CORE_ENGINE_ENGINE_STEPS_H
#define STRATA_CORE_ENGINE_ENGINE_STEPS_H

#include "core/engine/engine_common.h"

/* Runs a step: STRATA_OK, STRATA_PENDING or an error. */
typedef int strata_run_step(struct strata_execution *x, const struct strata_step *step);

/* One function for each kind of step, strata_run_WORD. */
#define STRATA_RUN_DECLARE(id, word, ...) strata_run_step strata_run_##word;
STRATA_RUN_STEP_TABLE(STRATA_RUN_DECLARE)
#undef STRATA_RUN_DECLARE

/* Runs an AWAIT step that awaits the members `of`. */
int strata_await_members(struct strata_execution *x, const struct strata_step *step,
                         struct strata_awaited of);

#endif
