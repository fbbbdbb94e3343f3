/* Calls like one that is remembered: they run its plan, or are handed over to MPI's own, at once.
 *
 * A rank that remembers a call decides as those that do not, and uses the same entry. So what is
 * known of a call is what its arguments by value and its arrays decide; of one that is handed over
 * it is its entry's key, and never more calls than those. */
#ifndef STRATA_API_CALL_AGAIN_H
#define STRATA_API_CALL_AGAIN_H

#include "api/call/bound_call.h"
#include "api/call/sizes.h"
#include "api/process/process.h"

/* The call of this collective that its communicator had last, if this thread's last call was on
 * that communicator, too; else NULL. */
STRATA_INLINED struct strata_bound_call *strata_call_last(const struct strata_signature *call,
                                                          unsigned changes)
{
    return strata_state_is_found(call->comm, changes)
               ? strata_found_state.state->calls->of[call->collective]
               : NULL;
}

/* That call, if it had these arguments and a plan served it; else NULL. What arrays hold is not
 * looked at. */
STRATA_INLINED struct strata_bound_call *strata_call_known(const struct strata_signature *call,
                                                           unsigned changes)
{
    struct strata_bound_call *b = strata_call_last(call, changes);
    return b && b->until == changes && strata_same_arguments(&b->signature, call) ? b : NULL;
}

/* It once more, in the same form or the other, by its plan where that still holds. Returns an MPI
 * error code. */
int strata_call_again(struct strata_bound_call *b, bool large);

/* Whether a call is one of those that are handed over with b. */
STRATA_INLINED bool strata_native_same(const struct strata_bound_call *b,
                                       const struct strata_signature *call)
{
    MPI_Count count = b->range.taken ? call->recv.count : call->send.count;
    MPI_Datatype type = b->range.taken ? call->recv.type : call->send.type;
    return type == b->range.type &&
           (call->collective < STRATA_BCAST || /* those have neither */
            (call->root == b->own.root && call->op == b->own.op)) &&
           (uint64_t)(count - b->range.least) <= b->range.more;
}

/* Whether the collective's last call, or what is forced, says that this call is MPI's own; then it
 * is counted. Calls nothing. */
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
        strata_call_last_is(state, call->collective, entry, "");
    }
    state->served.native[call->collective]++;
    return true;
}

/* Whether the call is known to be MPI's own, and was counted. The arguments stay where they are for
 * MPI's own; of gatherv and scatterv it counts whether MPI took them. */
STRATA_INLINED bool strata_native_again(const struct strata_signature *call, unsigned changes)
{
    return !strata_sizes_asked(call->collective) && strata_state_is_found(call->comm, changes) &&
           strata_native_take(strata_found_state.state, changes, call);
}

/* Whether the communicator remembers a call with the same arguments, whose plan still serves it;
 * then the call is complete, to be run again. */
bool strata_call_remembered(struct strata_call *call);
/* Whether it remembers one that is handed over with this call, and has counted it. */
bool strata_native_remembered(const struct strata_signature *call);
/* Remembers a call that was handed over, and whether that follows from its arguments. */
void strata_native_remember(const struct strata_call *call);

#endif
