/* A persistent call that threads begin part by part. Its request stands for one persistent call
 * for each part. Each of these has a communicator of its own, so they begin in any order, and in
 * another order on each rank. */
#ifndef STRATA_API_REQUEST_PARTS_H
#define STRATA_API_REQUEST_PARTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "api/request/request.h"

#define STRATA_MOST_PARTS 64

/* The call of a part. */
struct strata_part {
    MPI_Comm comm;               /* private */
    struct strata_request *call; /* persistent; NULL while it is being made */
    atomic_bool ready;           /* a thread has said so since the start */
    bool begun, over;            /* guarded by the lock of parts */
};

struct strata_parts {
    struct strata_parts *next, **link; /* in the list of those under way; link NULL: in no list */
    struct strata_request *request;    /* of which these are the parts */
    int (*begin)(struct strata_request *call);    /* strata_request_start */
    void (*destroy)(struct strata_request *call); /* strata_request_destroy */
    int level;                                    /* that MPI_Init_thread granted */
    pthread_t main;                               /* the thread that described the call */
    int count;                                    /* this rank's parts */
    int calls;                                    /* the most parts of a rank */
    struct strata_part part[]; /* [calls] those without a part here are always ready */
};

/* Without memory NULL. */
struct strata_parts *strata_parts_create(int count, int calls);
/* Frees the calls and their communicators; accepts NULL. */
void strata_parts_destroy(struct strata_parts *parts);

/* Whether any request with parts is under way. */
bool strata_parts_any(void);
/* Begins a start: no part is ready. */
void strata_parts_start(struct strata_parts *parts);
/* Begins the calls whose parts are ready, and completes requests whose calls are all over. Without
 * the lock of requests, by a thread that may call MPI. */
void strata_parts_move(void);
/* Raises the error of a request that is over, unless it was raised already. Returns its code. */
int strata_parts_raise(const struct strata_parts *parts);
/* The first part that nobody has called ready; -1: all are. */
int strata_parts_missing(const struct strata_parts *parts);

#endif
