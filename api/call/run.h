/* Runs a call whose plan is known, and records it. */
#ifndef STRATA_API_CALL_RUN_H
#define STRATA_API_CALL_RUN_H

#include "api/call/call.h"

/* Runs a call again that is bound, holds no memory of its own, and knows all lengths. Returns an
 * MPI error code, raised already. */
int strata_call_run_again(struct strata_call *c);

/* Binds and runs the plan of the call's entry. Returns an MPI error code, raised already. */
int strata_call_run(struct strata_call *c);
/* Does the work, and notes it for STRATA_EXPLAIN. */
int strata_call_explained(struct strata_call *c, int (*work)(struct strata_call *c));

/* Notes that the call's entry, or MPI's own, serves the call, and why. */
void strata_call_note(struct strata_call *c);

#endif
