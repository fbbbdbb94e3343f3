/* STRATA_STALL: says what a plan that stands still waits for. */
#ifndef STRATA_API_ATTACH_STALLED_CALL_H
#define STRATA_API_ATTACH_STALLED_CALL_H

#include "core/engine/engine.h"

enum { STRATA_STALL_TEXT = 160 }; /* bytes of each text */

#define STRATA_STALL_ASKED                                                                         \
    "; has that rank begun the call, and does it make progress (strata_progress, "                 \
    "STRATA_PROGRESS)?\n"

/* Writes which rank of the communicator the plan waits for. */
void strata_stall_peer(const struct strata_execution *x, char *text);
/* Writes the round in which the plan stands. A tape does not count its rounds. */
void strata_stall_round(const struct strata_execution *x, char *text);
/* Called at each attempt of a blocking call: says once that the call has waited for long. */
void strata_stall_call(const struct strata_execution *x, unsigned attempt);

#endif
