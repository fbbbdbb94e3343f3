/* STRATA_SHADOW: MPI's own collective repeats a call that a plan has served, with the same data. If
 * the results differ, the program stops. All ranks repeat the same calls. */
#ifndef STRATA_API_CALL_SHADOW_H
#define STRATA_API_CALL_SHADOW_H

#include "api/call/call.h"

/* Counts the call, and says whether it is repeated. */
bool strata_shadow_due(struct strata_call *call);
/* Makes the call both ways. The program gets the result of MPI's own. Returns an MPI error code. */
int strata_shadow_run(struct strata_call *call);

#endif
