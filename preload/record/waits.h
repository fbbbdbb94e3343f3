/* The table of requests, for the functions that start, complete and free them. */
#ifndef STRATA_PRELOAD_RECORD_WAITS_H
#define STRATA_PRELOAD_RECORD_WAITS_H

#include "preload/record/recorder.h"

/* What a slot has in place of the number of an entry. */
#define RECORDER_FREE     0
#define RECORDER_TAKEN    UINT64_MAX       /* being filled */
#define RECORDER_INACTIVE (UINT64_MAX - 1) /* a persistent request that is not started */

/* The functions that start, complete and free requests. */
#define RECORDER_WAITS(THE)                                                                        \
    THE(Wait)                                                                                      \
    THE(Waitall)                                                                                   \
    THE(Waitany)                                                                                   \
    THE(Waitsome)                                                                                  \
    THE(Test)                                                                                      \
    THE(Testall)                                                                                   \
    THE(Testany)                                                                                   \
    THE(Testsome)                                                                                  \
    THE(Start)                                                                                     \
    THE(Startall)                                                                                  \
    THE(Request_free)

struct recorder_slot {
    _Atomic uint64_t number; /* of the entry that its request completes */
    MPI_Request request;
    bool persistent;
    /* of a persistent request's starts */
    struct strata_record_communicator *row; /* NULL: there was no room for one */
    uint64_t what, count;
    int root;
};

/* How many slots are in use. */
extern _Atomic int recorder_requests;

/* The slot of a request, with what it has; NULL: it is of no recorded call. */
struct recorder_slot *recorder_slot_of(MPI_Request request, uint64_t *number);
/* Frees a slot that still has this number. */
void recorder_release(struct recorder_slot *slot, uint64_t number);
/* Ends the entry, if it is still there. */
void recorder_finish(uint64_t number);
/* STRATA_RECORD_WHAT of a described call's starts. */
uint64_t recorder_what_of_starts(uint64_t what, const struct strata_record_communicator *row);

#endif
