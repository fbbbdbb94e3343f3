/* Moves blocks that are too long for a plan in which ranks are told lengths. */
#ifndef STRATA_API_CALL_LONG_BLOCKS_H
#define STRATA_API_CALL_LONG_BLOCKS_H

#include "api/call/call.h"

/* gatherv and scatterv, if the plan has a threshold: takes the blocks above the threshold out of
 * the call's layouts. They go from rank to rank with the plan of an alltoallv, or are exposed to
 * local peers where the plan exposes blocks. Both ends of a block know its length. Returns an MPI
 * error code, raised already. */
int strata_long_blocks_move(struct strata_call *c);
/* Whether this rank's own arguments have such a block; the call is bound. */
bool strata_long_blocks_here(const struct strata_call *c);
/* Whether long blocks go apart from the call's plan. */
static inline bool strata_long_blocks_apart(const struct strata_call *c)
{
    return strata_lengths_told(c->x->plan);
}

#endif
