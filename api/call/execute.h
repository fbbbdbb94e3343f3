/* The executor: runs what is bound, in memory of the group's, on behalf of a call. */
#ifndef STRATA_API_CALL_EXECUTE_H
#define STRATA_API_CALL_EXECUTE_H

#include "api/call/call.h"
#include "core/base/seldom.h"

/* Adds what one did to a sum. */
void strata_call_count(struct strata_traffic_count *sum, const struct strata_traffic_count *one);

/* More than the group has. */
STRATA_SELDOM int strata_call_grow_scratch(struct strata_call *c, struct strata_execution *x,
                                           size_t bytes);
/* What else is to be done where the plan was walked, or the call has failed. */
__attribute__((noinline)) int strata_call_end_walk(struct strata_call *c,
                                                   struct strata_execution *x, int error);

/* Gives x so much scratch; and runs it. Return MPI error codes, raised already; where this rank
 * could not go on it has declined. */
static inline int strata_call_scratch(struct strata_call *c, struct strata_execution *x,
                                      size_t bytes)
{
    struct strata_group *g = c->state->group;
    x->scratch = g->scratch;
    return bytes <= g->scratch_bytes ? MPI_SUCCESS : strata_call_grow_scratch(c, x, bytes);
}

static inline int strata_call_execute(struct strata_call *c, struct strata_execution *x,
                                      size_t scratch)
{
    int error = strata_call_scratch(c, x, scratch);
    if (error != MPI_SUCCESS) {
        return error;
    }
    error = strata_wait_call(&c->state->group->waiter, x);
    if (error != STRATA_OK || !x->tape) {
        return strata_call_end_walk(c, x, error);
    }
    c->state->count.copied += x->count.copied;
    return MPI_SUCCESS;
}

/* Instead of running x, by a rank that cannot: the members of its node are told, and its later
 * calls return MPI_ERR_OTHER, for the others go on without it. Raises code and returns it. */
int strata_call_decline(struct strata_call *c, struct strata_execution *x, int code,
                        const char *text);

#endif
