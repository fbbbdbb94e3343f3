/* The remembered calls of one communicator. */
#ifndef STRATA_API_ATTACH_BOUND_CALLS_H
#define STRATA_API_ATTACH_BOUND_CALLS_H

#include <stddef.h>

#include "core/plan/collective.h"

struct strata_bound_call;

enum { STRATA_BOUND_CALLS = 64 }; /* blocking calls, at most */

struct strata_bound_calls {
    struct strata_bound_call *of[STRATA_COLLECTIVE_COUNT]; /* by collective; the call found last
                                                              comes first */
    int count;                                             /* calls in all lists together */
    void (*destroy)(struct strata_bound_calls *calls);     /* NULL: no call was remembered yet */
};

static inline void strata_bound_calls_destroy(struct strata_bound_calls *calls)
{
    if (calls->destroy) {
        calls->destroy(calls);
    }
}

#endif
