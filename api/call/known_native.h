/* Calls that are known to be MPI's own: the last one of each collective of a communicator, and all
 * that come to the same entry. They are handed over with no look at their buffers, which is then
 * MPI's own to take.
 *
 * A rank that does not know decides as those that do, and uses the same entry. So what is known of
 * an entry is its key, which is equal on all ranks, and never more calls than those. */
#ifndef STRATA_API_CALL_KNOWN_NATIVE_H
#define STRATA_API_CALL_KNOWN_NATIVE_H

#include "api/attach/process.h"
#include "api/call/call.h"

/* NULL: not known to be; else the state that knows. */
STRATA_INLINED struct strata_state *strata_native_known(const struct strata_signature *asked)
{
    unsigned changes = strata_changes_now(&strata_process_here);
    struct strata_state *state = strata_state_found(asked->comm, changes);
    const struct strata_native *known = state ? &state->native[asked->collective] : NULL;

    if (!known || known->always) {
        return state;
    }
    if (known->changes != changes) {
        return NULL;
    }
    MPI_Count count = known->taken ? asked->recv.count : asked->send.count;
    MPI_Datatype type = known->taken ? asked->recv.type : asked->send.type;
    bool same = type == known->type && asked->root == known->root && asked->op == known->op;

    return same && count >= known->least && count <= known->most ? state : NULL;
}

/* Counts a known one as any other; false: no more known, or not to be handed over at once. The
 * communicator's last call again is counted at once. */
bool strata_native_count_other(struct strata_state *state, enum strata_collective collective);
STRATA_INLINED bool strata_native_count(struct strata_state *state,
                                        enum strata_collective collective)
{
    struct strata_selection_entry *entry = state->native[collective].entry;

    if ((entry && entry->dropped) || state->beside || state->last != entry ||
        state->ran[collective] != entry) {
        return strata_native_count_other(state, collective);
    }
    if (entry) {
        strata_plan_table_use(&state->group->plans, entry);
    }
    state->served.native[collective]++;
    return true;
}

/* Of a call that is about to be handed over. */
void strata_native_remember(const struct strata_call *call);

#endif
