/* The last call of this thread that a plan served, with what was found out about it: the next one
 * with the same arguments runs it at once.
 *
 * What was right stays so, for neither counts nor buffers nor datatypes are others. What arrays
 * hold may be: strata_call_again looks at it. */
#ifndef STRATA_API_CALL_AGAIN_H
#define STRATA_API_CALL_AGAIN_H

#include "api/call/call.h"
#include "api/process/process.h"

struct strata_last_call {
    struct strata_signature asked; /* of no collective: there is none */
    struct strata_call call;
    unsigned changes; /* until then */
};

extern STRATA_EACH_THREAD struct strata_last_call strata_last_call;

/* Whether the last call had these arguments. What arrays hold is not looked at. */
STRATA_INLINED bool strata_call_is_last(const struct strata_signature *asked)
{
    return strata_same_arguments(&strata_last_call.asked, asked);
}

/* The last call once more, in the same form or the other, by its plan where that still holds.
 * Returns an MPI error code. */
int strata_call_again(bool large);

/* Whether the call's communicator last ran this collective with the same arguments by a plan, which
 * holds; then the call is complete, to be run again. */
bool strata_call_like_last(struct strata_call *call);

/* Remembers a call that is about to run its plan, if it may be. */
void strata_remember_plan(const struct strata_call *call);

#endif
