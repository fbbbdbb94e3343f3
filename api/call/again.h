/* The last call of this thread, with what was found out about it: the next one with the same
 * arguments goes to MPI's own collective, or runs its plan, at once.
 *
 * What was right stays so, for neither counts nor buffers nor datatypes are others. What arrays
 * hold may be: MPI's own looks at it, and before a plan runs so does strata_call_again. */
#ifndef STRATA_API_CALL_AGAIN_H
#define STRATA_API_CALL_AGAIN_H

#include "api/attach/process.h"
#include "api/call/call.h"

struct strata_last_call {
    struct strata_signature asked; /* of no collective: there is none */
    struct strata_call call;       /* x NULL: handed to MPI's own */
    unsigned changes;              /* until then */
};

extern STRATA_EACH_THREAD struct strata_last_call strata_last_call;

/* What a call with the last one's arguments comes to. */
enum strata_recalled { STRATA_RECALLED_NOTHING, STRATA_RECALLED_NATIVE, STRATA_RECALLED_PLAN };

/* Whether the last call may be handed over again; counts it as any other. */
STRATA_INLINED bool strata_native_again(const struct strata_last_call *last)
{
    struct strata_state *state = last->call.state;
    struct strata_selection_entry *entry = last->call.entry; /* NULL: never served otherwise */

    if (strata_changes_now(last->call.process) != last->changes || state->last != entry) {
        return false;
    }
    if (entry) {
        if (entry->dropped) {
            return false;
        }
        strata_plan_table_use(&state->group->plans, entry);
    }
    state->served.native[last->asked.collective]++;
    return true;
}

STRATA_INLINED enum strata_recalled strata_recall(const struct strata_signature *asked)
{
    const struct strata_last_call *last = &strata_last_call;

    if (!strata_same_arguments(&last->asked, asked)) {
        return STRATA_RECALLED_NOTHING;
    }
    if (last->call.x) {
        return STRATA_RECALLED_PLAN;
    }
    return strata_native_again(last) ? STRATA_RECALLED_NATIVE : STRATA_RECALLED_NOTHING;
}

/* The last call once more, by its plan where that still holds. Returns an MPI error code. */
int strata_call_again(void);

/* Whether the call's communicator last ran this collective with the same arguments by a plan, which
 * holds; then the call is complete, to be run again. */
bool strata_call_like_last(struct strata_call *call);
int strata_call_run_again(struct strata_call *call);

/* Remembers a call that is about to be handed over, or to run its plan, if it may be. */
void strata_remember_native(const struct strata_call *call);
void strata_remember_plan(const struct strata_call *call);

#endif
