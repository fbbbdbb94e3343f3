/* STRATA_STALL: what a wait that stands still waits for. */
#ifndef STRATA_API_REQUEST_STALL_H
#define STRATA_API_REQUEST_STALL_H

#include "api/process/timeout.h"
#include "api/request/request.h"

/* After a look that found so many complete: where nothing has changed for so long it says, once in
 * a wait, what the first of the requests that are not complete waits for; where there is none, that
 * MPI's are waited for. */
void strata_stall_look(struct strata_stall *stall, int complete, int count,
                       struct strata_request *requests[]);

#endif
