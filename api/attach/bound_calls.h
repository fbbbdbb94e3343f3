/* The calls that are remembered of one communicator. */
#ifndef STRATA_API_ATTACH_BOUND_CALLS_H
#define STRATA_API_ATTACH_BOUND_CALLS_H

#include <stddef.h>

#include "core/plan/collective.h"

struct strata_bound_call;

enum { STRATA_BOUND_CALLS = 64 }; /* at most, of calls that block */

struct strata_bound_calls {
    struct strata_bound_call *of[STRATA_COLLECTIVE_COUNT]; /* the last hit first */
    int count;                                             /* of all of them */
    void (*destroy)(struct strata_bound_calls *calls);     /* NULL: there was none yet */
};

/* Destroys all calls. */
static inline void strata_bound_calls_destroy(struct strata_bound_calls *calls)
{
    if (calls->destroy) {
        calls->destroy(calls);
    }
}

#endif
