#include "api/call/known_native.h"

#include "api/call/sizes.h"
#include "api/types/reduction_operator.h"

bool strata_native_count(struct strata_state *state, enum strata_collective collective)
{
    struct strata_selection_entry *entry = state->native[collective].entry;

    if (entry) {
        if (entry->dropped) {
            return false;
        }
        strata_plan_table_use(&state->group->plans, entry);
    }
    state->served.native[collective]++;
    strata_call_last_is(state, collective, entry, "");
    strata_selection_entry_hold(&state->ran[collective], entry);
    return true;
}

/* Whether the entry follows from arguments by value: an operator of the program's may change behind
 * its handle, and what MPI's own alltoallv was chosen for are figures that grow old. */
static bool settled(const struct strata_call *c)
{
    enum strata_collective collective = c->signature->collective;

    if (strata_collective_reduces(collective)) {
        return strata_operator_predefined(c->signature->op);
    }
    return !strata_collective_transposes(collective) ||
           !strata_collective_info[collective].varying ||
           strata_choice_native(&c->entry->key.forced);
}

void strata_native_remember(const struct strata_call *c)
{
    const struct strata_signature *s = c->signature;
    struct strata_native *known = &c->state->native[s->collective];
    bool learns = c->entry && !c->state->beside && !c->process->explain.on && settled(c) &&
                  strata_sizes_alike(c, known);

    known->root = s->root;
    known->op = s->op;
    known->changes = learns ? strata_changes_now(c->process) : 0;
    strata_selection_entry_hold(&known->entry, learns ? c->entry : NULL);
}

void strata_native_forget(struct strata_state *state)
{
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        state->native[c].always = false;
        state->native[c].changes = 0;
    }
}
