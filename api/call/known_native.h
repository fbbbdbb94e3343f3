/* Calls that are known to be MPI's own: the last one of each collective of a communicator, and all
 * that come to the same entry. They are handed over with no look at their buffers, which is then
 * MPI's own to take.
 *
 * A rank that does not know decides as those that do, and uses the same entry. So what is known of
 * an entry is its key, which is equal on all ranks, and never more calls than those. */
#ifndef STRATA_API_CALL_KNOWN_NATIVE_H
#define STRATA_API_CALL_KNOWN_NATIVE_H

#include "api/call/call.h"
#include "api/call/sizes.h"
#include "api/process/process.h"

/* Whether a call whose arguments decide is like those that are known until then. */
STRATA_INLINED bool strata_native_same(const struct strata_native *known,
                                       const struct strata_signature *asked)
{
    MPI_Count count = known->taken ? asked->recv.count : asked->send.count;
    MPI_Datatype type = known->taken ? asked->recv.type : asked->send.type;

    return type == known->type &&
           (asked->collective < STRATA_BCAST || /* those have neither */
            (asked->root == known->root && asked->op == known->op)) &&
           (uint64_t)(count - known->least) <= known->more;
}

/* Whether the call is known to be, by the state that was found last. */
STRATA_INLINED bool strata_native_known(const struct strata_signature *asked)
{
    unsigned changes = strata_changes_now(&strata_process_here);

    if (!strata_state_is_found(asked->comm, changes)) {
        return false;
    }
    const struct strata_native *known = &strata_found_state.state->native[asked->collective];
    if (strata_sizes_due(strata_found_state.state, asked->collective)) {
        return false;
    }
    return known->changes == changes ? strata_native_same(known, asked) : known->always;
}

/* Notes a known one as any other; false: no more known. */
bool strata_native_count(struct strata_state *state, enum strata_collective collective);

/* Whether the call is known to be MPI's own, and was counted: where this collective was MPI's own
 * the last time, too. Calls nothing, so the arguments stay where they are for MPI's own. */
STRATA_INLINED bool strata_native_again(const struct strata_signature *asked)
{
    if (strata_sizes_asked(asked->collective) || !strata_native_known(asked)) {
        return false; /* of the former it counts whether MPI took them */
    }
    struct strata_state *state = strata_found_state.state;
    struct strata_selection_entry *entry = state->ran[asked->collective];
    if (entry != state->native[asked->collective].entry) {
        return false;
    }
    if (entry) {
        if (entry->dropped) {
            return false;
        }
        strata_plan_table_use(&state->group->plans, entry);
    }
    if (!entry || state->last != entry) {
        strata_call_last_is(state, asked->collective, entry, "");
    }
    state->served.native[asked->collective]++;
    return true;
}

/* From now on none is known of this communicator: they are not to be handed over at once. */
void strata_native_forget(struct strata_state *state);
/* Of a call that is about to be handed over. */
void strata_native_remember(const struct strata_call *call);

#endif
