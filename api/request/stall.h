/* STRATA_STALL: says what a wait that stands still waits for. */
#ifndef STRATA_API_REQUEST_STALL_H
#define STRATA_API_REQUEST_STALL_H

#include "api/process/timeout.h"
#include "api/request/request.h"

/* Called after a look that found so many complete. If nothing has changed for long, reports once in
 * a wait what the first open one of the requests waits for, or, without an open one, that MPI's
 * requests are waited for. */
void strata_stall_look(struct strata_stall *stall, int complete, int count,
                       struct strata_request *requests[]);

#endif
