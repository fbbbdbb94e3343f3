/* The executor: runs a bound call in memory of its group. */
#ifndef STRATA_API_CALL_EXECUTE_H
#define STRATA_API_CALL_EXECUTE_H

#include "api/call/call.h"
#include "core/base/seldom.h"

/* Adds the traffic of one run to a sum. */
void strata_call_count(struct strata_traffic_count *sum, const struct strata_traffic_count *one);

/* Enlarges the group's scratch. */
STRATA_SELDOM int strata_call_grow_scratch(struct strata_call *c, struct strata_execution *x,
                                           size_t bytes);
/* Finishes a call whose plan was walked, or that has failed. */
__attribute__((noinline)) int strata_call_end_walk(struct strata_call *c,
                                                   struct strata_execution *x, int error);

/* Gives x so much scratch. Returns an MPI error code, raised already; then this rank could not go
 * on, and has declined. */
static inline int strata_call_scratch(struct strata_call *c, struct strata_execution *x,
                                      size_t bytes)
{
    struct strata_group *g = c->state->group;
    x->scratch = g->scratch;
    return bytes <= g->scratch_bytes ? MPI_SUCCESS : strata_call_grow_scratch(c, x, bytes);
}

/* Runs x with so much scratch. Returns as strata_call_scratch. */
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

/* Declines a call that this rank cannot run: it tells the members of its node, and its later calls
 * return MPI_ERR_OTHER, for the others go on without it. Raises code and returns it. */
int strata_call_decline(struct strata_call *c, struct strata_execution *x, int code,
                        const char *text);

#endif
