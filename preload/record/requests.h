/* Requests of recorded calls, from the call that makes them to the one that completes them. */
#ifndef STRATA_PRELOAD_RECORD_REQUESTS_H
#define STRATA_PRELOAD_RECORD_REQUESTS_H

#include "preload/record/recorder.h"

/* The requests of a file's functions, MPI's or Strata's own, and their handle as a number; 0: there
 * is none. */
#ifdef RECORDER_OWN_NAMES
#define RECORDER_REQUEST         struct strata_request *
#define RECORDER_WHOSE           STRATA_RECORD_OWN
#define RECORDER_HANDLE(request) ((request) ? (uintptr_t) * (request) : 0)
#else
#define RECORDER_REQUEST MPI_Request
#define RECORDER_WHOSE   0
#define RECORDER_HANDLE(request)                                                                   \
    ((request) && *(request) != MPI_REQUEST_NULL ? (uintptr_t) * (request) : 0)
#endif

/* Follows a nonblocking call, whose entry this is: it lasts until its request is completed. */
void recorder_begun(struct recorder_call call, struct strata_record_communicator *c,
                    uintptr_t request);
/* Follows a call that describes a persistent request: ends it, and keeps the request's starts
 * apart. */
void recorder_described(struct recorder_call call, struct strata_record_communicator *c,
                        uintptr_t request);

/* Keeps a persistent request for a message, by what its starts write. */
void recorder_described_message(const struct strata_record_entry *start, uintptr_t request);

/* Enters a row for a request's starts; NULL: none is free. */
struct strata_record_communicator *
recorder_request_row(const struct strata_record_communicator *comm, uint64_t order);

#endif
