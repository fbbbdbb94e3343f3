/* The parts of the public calls that complete requests. */
#ifndef STRATA_API_REQUEST_COMPLETE_H
#define STRATA_API_REQUEST_COMPLETE_H

#include "api/request/request.h"
#include "api/request/stall.h"
#include "intranode/wait.h"

/* The number of active requests, and of complete ones among them. */
struct strata_completion {
    int active, complete;
};

/* Looks once at all open requests, which moves them, and counts these. */
struct strata_completion strata_requests_look(int count, struct strata_request *requests[]);
/* A waiter for the pauses between two looks. */
struct strata_waiter strata_requests_waiter(int count, struct strata_request *requests[]);
/* Takes all requests, of which the active ones are complete. As MPI's: MPI_ERR_IN_STATUS where
 * statuses say which ones failed. */
int strata_requests_take_all(int count, struct strata_request *requests[], MPI_Status *statuses);

#endif
