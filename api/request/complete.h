/* What the public calls that complete requests are made of. */
#ifndef STRATA_API_REQUEST_COMPLETE_H
#define STRATA_API_REQUEST_COMPLETE_H

#include "api/request/request.h"
#include "api/request/stall.h"
#include "intranode/wait.h"

/* How many of them are active; how many of those are complete. */
struct strata_completion {
    int active, complete;
};

/* After a look at all that is under way. */
struct strata_completion strata_requests_look(int count, struct strata_request *requests[]);
/* How to wait between two looks. */
struct strata_waiter strata_requests_waiter(int count, struct strata_request *requests[]);
/* All active ones are complete. As MPI's: MPI_ERR_IN_STATUS where statuses say which failed. */
int strata_requests_take_all(int count, struct strata_request *requests[], MPI_Status *statuses);

#endif
