/* The last call that this thread handed to MPI's own collective: the next one with the same
 * arguments goes there at once.
 *
 * What was right stays so, for neither counts nor buffers nor datatypes are others, and MPI's own
 * looks at what arrays hold. */
#ifndef STRATA_API_CALL_HANDED_H
#define STRATA_API_CALL_HANDED_H

#include "api/attach/state.h"
#include "api/call/call.h"
#include "api/call/prepared.h"

struct strata_handed {
    struct strata_signature asked; /* of no collective: there is none */
    struct strata_state *state;
    struct strata_selection_entry *entry; /* NULL: the communicator is never served otherwise */
    const struct strata_process *process;
    struct strata_handles handles;
};

extern STRATA_EACH_THREAD struct strata_handed strata_handed;

/* Whether what was decided still holds; counts the call as any other. */
static inline bool strata_handed_again(const struct strata_handed *h)
{
    struct strata_state *state = h->state;

    if (!strata_handles_hold(h->process, &h->handles) || state->last != h->entry) {
        return false;
    }
    if (h->entry) {
        if (h->entry->dropped) {
            return false;
        }
        strata_plan_table_use(&state->group->plans, h->entry);
    }
    state->calls_native++;
    return true;
}

/* By value and inlined, so that nothing is put together where the answer is yes. */
static inline __attribute__((always_inline)) bool
strata_handed_over(const struct strata_signature asked)
{
    const struct strata_handed *h = &strata_handed;

    return strata_same_arguments(&h->asked, &asked) && strata_handed_again(h);
}

/* Remembers a call that is about to be handed over, if it may be. */
void strata_hand_over(const struct strata_call *c);

#endif
