/* Requests of recorded calls, from the call that makes them to the one that completes them. */
#ifndef STRATA_PRELOAD_RECORD_REQUESTS_H
#define STRATA_PRELOAD_RECORD_REQUESTS_H

#include "preload/record/recorder.h"

/* Follows a nonblocking call, whose entry this is: it lasts until its request is completed. */
void recorder_begun(struct strata_record_entry *e, struct strata_record_communicator *c,
                    const MPI_Request *request, int error);
/* Follows a call that describes a persistent request: ends it, and keeps the request's starts
 * apart. */
void recorder_described(struct strata_record_entry *e, struct strata_record_communicator *c,
                        const MPI_Request *request, int error);

/* Enters a row for a request's starts; NULL: none is free. */
struct strata_record_communicator *
recorder_request_row(const struct strata_record_communicator *comm, uint64_t order);

#endif
