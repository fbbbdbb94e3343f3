/* Blocks that are too long for a plan in which ranks are told lengths. */
#ifndef STRATA_API_CALL_LONG_BLOCKS_H
#define STRATA_API_CALL_LONG_BLOCKS_H

#include "api/call/call.h"

/* gatherv and scatterv, where the plan has a threshold: moves the blocks above it from rank to
 * rank, by the plan that does so for an alltoallv, or has them exposed where the plan exposes to
 * local peers, and leaves them out of the call's layouts. Both ends of a block know how long it is.
 * Returns an MPI error code, raised already. */
int strata_long_blocks_move(struct strata_call *c);
/* Whether this rank has such a block, by what it has itself; the call is bound. */
bool strata_long_blocks_here(const struct strata_call *c);
/* Whether the call's plan has a threshold. */
static inline bool strata_long_blocks_apart(const struct strata_call *c)
{
    return strata_lengths_told(c->x->plan);
}

#endif
