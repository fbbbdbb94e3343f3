/* STRATA_STALL: what a plan that stands still waits for. */
#ifndef STRATA_API_ATTACH_STALLED_CALL_H
#define STRATA_API_ATTACH_STALLED_CALL_H

#include "core/engine/engine.h"

enum { STRATA_STALL_TEXT = 160 }; /* bytes of each text */

#define STRATA_STALL_ASKED                                                                         \
    "; has that rank begun the call, and does it make progress (strata_progress, "                 \
    "STRATA_PROGRESS)?\n"

/* A rank of the communicator, as plans of it number them. */
void strata_stall_peer(const struct strata_execution *x, char *text);
/* Where its plan stands; on a tape nobody keeps count. */
void strata_stall_round(const struct strata_execution *x, char *text);
/* At each attempt of a call that blocks: says so, once, where it has waited for long. */
void strata_stall_call(const struct strata_execution *x, unsigned attempt);

#endif
