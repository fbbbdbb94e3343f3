/* STRATA_SHADOW: a call that a plan served is made once more by MPI's own collective, from the same
 * data; where the results differ the program stops. Decided alike on all ranks. */
#ifndef STRATA_API_CALL_SHADOW_H
#define STRATA_API_CALL_SHADOW_H

#include "api/call/call.h"

/* Whether this one has. Counts it. */
bool strata_shadow_due(struct strata_call *call);
/* Both. What MPI's own delivered is what the program gets. Returns an MPI error code. */
int strata_shadow_run(struct strata_call *call);

#endif
