/* The table of requests, for the functions that start, complete and free them. */
#ifndef STRATA_PRELOAD_RECORD_WAITS_H
#define STRATA_PRELOAD_RECORD_WAITS_H

#include "preload/record/recorder.h"

/* What a slot has in place of the number of an entry. */
#define RECORDER_FREE     0
#define RECORDER_TAKEN    UINT64_MAX       /* being filled */
#define RECORDER_INACTIVE (UINT64_MAX - 1) /* a persistent request that is not started */

/* The functions that start, complete and free requests, and have MPI's names with Strata, too. */
#define RECORDER_COMPLETES(THE)                                                                    \
    THE(Wait, wait)                                                                                \
    THE(Waitall, waitall)                                                                          \
    THE(Waitany, waitany)                                                                          \
    THE(Test, test)                                                                                \
    THE(Testall, testall)                                                                          \
    THE(Testany, testany)                                                                          \
    THE(Testsome, testsome)                                                                        \
    THE(Start, start)                                                                              \
    THE(Startall, startall)                                                                        \
    THE(Request_free, request_free)

/* All of MPI's. */
#define RECORDER_WAITS(THE)                                                                        \
    RECORDER_COMPLETES(THE)                                                                        \
    THE(Waitsome, waitsome)

struct recorder_slot {
    _Atomic uint64_t number; /* of the entry that its request completes */
    uintptr_t request;       /* MPI's handle, or Strata's */
    bool persistent;
    /* of a persistent request's starts */
    struct strata_record_communicator *row; /* NULL: there was no room for one */
    uint64_t what, count;
    uint64_t tag; /* of a message */
    int root;
};

/* How many slots are in use. */
extern _Atomic int recorder_requests;

/* The slot of a request, with what it has; NULL: it is of no recorded call. */
struct recorder_slot *recorder_slot_of(uintptr_t request, uint64_t *number);
/* Frees a slot that still has this number. */
void recorder_release(struct recorder_slot *slot, uint64_t number);
/* Ends the entry, if it is still there. */
void recorder_finish(uint64_t number);
/* STRATA_RECORD_WHAT of a described call's starts. */
uint64_t recorder_what_of_starts(uint64_t what, const struct strata_record_communicator *row);

/* A wait or test, with the recorded calls among its requests. */
struct recorder_wait {
    struct recorder_held {
        struct recorder_slot *slot; /* NULL: of no recorded call */
        uint64_t number;
        bool persistent;
    } few[16], *held;          /* NULL: no request is of one */
    struct recorder_call wait; /* its entry is NULL for a test */
    int others;                /* requests of no recorded call */
    bool own;                  /* the requests are Strata's */
};

/* Begins a wait or test of `count` requests, MPI's or Strata's own. site: NULL for tests. any: one
 * of them is enough. */
void recorder_wait_begin(struct recorder_wait *w, bool own, int count, const void *requests,
                         const void *site, bool any);
/* What MPI or Strata has completed: all, or those of `indices`. After an error only requests that
 * are gone are complete. */
void recorder_wait_all(const struct recorder_wait *w, int count, const void *requests, int error);
void recorder_wait_some(const struct recorder_wait *w, int count, const void *requests,
                        const int *done, const int *indices, int error);
void recorder_wait_end(struct recorder_wait *w);

/* Writes that calls of persistent requests have begun. */
void recorder_start(bool own, int count, const void *requests, const void *site);
/* The request goes. */
void recorder_forget_request(bool own, const void *request);

#endif
