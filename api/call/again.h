/* Calls that are like a remembered one: they run its plan, or go to MPI's own, at once.
 *
 * A rank that remembers a call decides as the ranks that do not, and uses the same entry. So a
 * plan's call is known by its arguments by value and the contents of its arrays. A call of MPI's
 * own is known by the key of its entry: the calls that are recognised here are never more than the
 * calls with this key. */
#ifndef STRATA_API_CALL_AGAIN_H
#define STRATA_API_CALL_AGAIN_H

#include "api/call/bound_call.h"
#include "api/call/sizes.h"
#include "api/process/process.h"
#include "internode/mpi/quiet_mpi.h"

/* The last call of this collective on the call's communicator, if this thread's last call was on
 * that communicator; otherwise NULL. */
STRATA_INLINED struct strata_bound_call *strata_call_last(const struct strata_signature *call,
                                                          unsigned changes)
{
    return strata_state_is_found(call->comm, changes)
               ? strata_found_state.state->calls->of[call->collective]
               : NULL;
}

/* That call, if it had these arguments and a plan served it; otherwise NULL. The contents of arrays
 * are not compared. */
STRATA_INLINED struct strata_bound_call *strata_call_known(const struct strata_signature *call,
                                                           unsigned changes)
{
    struct strata_bound_call *b = strata_call_last(call, changes);
    return b && b->until == changes && strata_same_arguments(&b->signature, call) ? b : NULL;
}

/* Runs the call again, in the same form or the other, with its plan if the plan still holds.
 * Returns an MPI error code. */
int strata_call_again(struct strata_bound_call *b, bool large);

/* Whether MPI's own serves this call because it serves b. */
STRATA_INLINED bool strata_native_same(const struct strata_bound_call *b,
                                       const struct strata_signature *call)
{
    MPI_Count count = b->range.taken ? call->recv.count : call->send.count;
    MPI_Datatype type = b->range.taken ? call->recv.type : call->send.type;
    return type == b->range.type &&
           (call->collective < STRATA_BCAST || /* these collectives have no root and no operator */
            (call->root == b->own.root && call->op == b->own.op)) &&
           (uint64_t)(count - b->range.least) <= b->range.more;
}

/* Whether the last call of the collective, or a forced choice, says that MPI's own serves this
 * call; then the call is counted. Calls no other function. */
STRATA_INLINED bool strata_native_take(struct strata_state *state, unsigned changes,
                                       const struct strata_signature *call)
{
    const struct strata_bound_call *b = state->calls->of[call->collective];
    struct strata_selection_entry *entry = NULL;
    if (b && b->passed == changes && strata_native_same(b, call)) {
        entry = b->call.entry;
        if (entry->dropped) {
            return false;
        }
        strata_plan_table_use(&state->group->plans, entry);
    } else if (!(state->native >> call->collective & 1)) {
        return false;
    }
    if (!entry || state->last != entry) {
        strata_call_last_is(state, call->collective, entry, state->group ? "" : STRATA_UNATTACHED);
    }
    state->served.native[call->collective]++;
    return true;
}

/* Whether MPI may refuse a call that counts only if it does not, and hide that: call.c hears of
 * it. */
STRATA_INLINED bool strata_native_hides(const struct strata_signature *call)
{
    return strata_collective_one_knows(call->collective) && strata_process_here.hides_errors &&
           strata_handler_is_own(call->comm);
}

/* Whether MPI's own is known to serve this call; then the call is counted. The arguments stay
 * where they are for MPI's own. strata_native_ended follows it. */
STRATA_INLINED bool strata_native_again(const struct strata_signature *call, unsigned changes)
{
    if (!strata_state_is_found(call->comm, changes) ||
        strata_sizes_due(strata_found_state.state, call->collective) || strata_native_hides(call) ||
        !strata_native_take(strata_found_state.state, changes, call)) {
        return false;
    }
    strata_sizes_pass(strata_found_state.state, call->collective);
    return true;
}

/* Ends a call that strata_native_again counted: a gatherv or scatterv counts only if MPI accepted
 * it. Returns the error. */
STRATA_INLINED int strata_native_ended(struct strata_state *state,
                                       enum strata_collective collective, int error)
{
    if (strata_collective_one_knows(collective) && error != MPI_SUCCESS) {
        strata_sizes_unless_refused(state, collective, error);
    }
    return error;
}

/* Whether the communicator remembers a call with the same arguments, whose plan still serves it.
 * Then `call` becomes that call, ready to run again. */
bool strata_call_remembered(struct strata_call *call);
/* Whether the communicator remembers that MPI's own serves this call; then the call is counted. */
bool strata_native_remembered(const struct strata_signature *call);
/* Remembers a call that MPI's own served, and whether that follows from its arguments. */
void strata_native_remember(const struct strata_call *call);

#endif
