/* Threads that help another thread of their process in its calls. The calling thread offers work in
 * pieces, the helpers and the caller take pieces until none is left, and the caller goes on when
 * all are done. So no piece waits for a thread that is late or has lost its core.
 *
 * An OpenMP team that Strata opens (intranode/team.h) and threads that enter a team
 * of their own (api/thread_team.c) help in this one way. */
#ifndef STRATA_INTRANODE_HELPERS_H
#define STRATA_INTRANODE_HELPERS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "core/base/each_thread.h"
#include "core/engine/engine.h"
#include "core/engine/node_memory.h"
#include "intranode/wait.h"

enum {
    STRATA_MOST_PIECES = 1024,
    STRATA_LEAST_SHARED = 4096 /* bytes; sharing fewer never pays, and is not measured */
};

struct strata_helpers {
    /* The number of the offer, its pieces, and how many of them are taken. It changes with each
     * offer, so a thread never takes a piece of one that is over. */
    _Atomic uint64_t offer;
    unsigned char apart[STRATA_CACHE_LINE];
    atomic_int done; /* pieces that are done */
    unsigned char apart_too[STRATA_CACHE_LINE];
    atomic_int here;         /* helpers that wait for pieces or do one */
    int coming;              /* helpers that are here or on their way; 0: unknown */
    strata_chunk_body *body; /* the work */
    void *argument;
    size_t least_bytes;             /* less work is not worth their while; SIZE_MAX: none is */
    enum strata_wait_way way;       /* how they wait for pieces */
    struct strata_thread_bell bell; /* on which they sleep until there are pieces, or no more */
};

/* The helpers of this thread; NULL: it has none. */
extern STRATA_EACH_THREAD struct strata_helpers *strata_helpers_here;

void strata_helpers_init(struct strata_helpers *helpers, size_t least_bytes);
/* For a helper: takes a piece and does it. False: there is none. */
bool strata_helpers_take(struct strata_helpers *helpers);
/* For the caller: has the work done. Returns the number of pieces that helpers did. */
int strata_helpers_do(struct strata_helpers *helpers, strata_chunk_body *body, void *argument,
                      int pieces);

/* The helpers of the calling thread as the engine sees them. least_bytes: at least 1. */
void strata_helpers_workers(struct strata_workers *workers, size_t least_bytes);

/* What sharing costs and brings, measured by copies. */
struct strata_helpers_gain {
    size_t least_bytes;   /* from this length on shared copies are faster; SIZE_MAX: none is */
    double alone, shared; /* times of a byte in a long copy, s */
};

enum { STRATA_MOST_TIMES = 7 };
/* The median time of work(argument), s, of so many times, STRATA_MOST_TIMES at most. Before each it
 * sleeps for `pause` ns. */
double strata_median_time(void (*work)(void *argument), void *argument, int times, long pause);

/* Measures copies of so many threads with the caller, in a millisecond. It waits a little for those
 * that are on their way. */
struct strata_helpers_gain strata_helpers_measure(struct strata_helpers *helpers, int threads);

#endif
