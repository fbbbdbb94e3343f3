/* A call whose plan is known: bound, run, recorded. */
#ifndef STRATA_API_CALL_RUN_H
#define STRATA_API_CALL_RUN_H

#include "api/call/call.h"

/* A call that is bound, holds no memory of its own, and knows all lengths. Returns an MPI error
 * code, raised already. */
int strata_call_run_again(struct strata_call *c);

/* Binds and runs the plan of the call's entry. Returns an MPI error code, raised already. */
int strata_call_run(struct strata_call *c);
/* Where STRATA_EXPLAIN asks for it: does the work, and notes what it took. */
int strata_call_explained(struct strata_call *c, int (*work)(struct strata_call *c));

/* Notes that the call's entry, or MPI's own, serves it, and why. */
void strata_call_note(struct strata_call *c);

#endif
