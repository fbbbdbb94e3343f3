#include "api/call/again.h"

#include "api/call/arguments.h"
#include "api/call/prepared.h"
#include "api/call/run.h"
#include "api/call/sizes.h"

STRATA_EACH_THREAD struct strata_last_call strata_last_call = {
    .asked = {.collective = STRATA_COLLECTIVE_COUNT}};

/* The call's signature is then the prepared one's. Another thread may bind that otherwise. */
void strata_remember_plan(const struct strata_call *c)
{
    struct strata_prepared *prepared = c->entry->prepared;

    prepared->remembered = prepared->again ? &strata_last_call : NULL;
    if (prepared->again) {
        strata_last_call = (struct strata_last_call){*c->signature, *c, prepared->changes};
    }
}

/* Whether the counts are right and select the same plan, for they may have changed. So may the
 * figures of an alltoallv. Those that the tape was made of were right. */
static bool same_counts(struct strata_call *c)
{
    struct strata_plan_key key = {.collective = c->signature->collective};
    bool taped = strata_prepared_tape(c->entry->prepared);

    if (!taped || !c->entry->prepared->proved) {
        return strata_counts_stay_right(c->signature) &&
               strata_call_sizes(c, &key) == MPI_SUCCESS &&
               strata_plan_key_same_sizes(&key, &c->entry->key);
    }
    return key.collective != STRATA_ALLTOALLV ||
           (c->state->figures[0].bucket == c->entry->key.bucket &&
            c->state->figures[0].most == c->entry->key.most);
}

bool strata_call_like_last(struct strata_call *c)
{
    struct strata_selection_entry *ran = c->state->ran[c->signature->collective];
    struct strata_call again = *c;

    if (!ran || !ran->plan || ran->dropped ||
        !strata_prepared_again(ran->prepared, c->process, c->signature)) {
        return false;
    }
    again.entry = ran;
    again.signature = &ran->prepared->asked;
    again.binding = &ran->prepared->binding;
    again.x = &ran->prepared->x;
    if (ran->prepared->varies && !same_counts(&again)) {
        return false;
    }
    *c = again;
    strata_remember_plan(c);
    return true;
}

/* Whether the last call of this thread, which ran a plan, may run at once. */
static bool holds(struct strata_last_call *last)
{
    struct strata_call *c = &last->call;

    return strata_changes_now(c->process) == last->changes &&
           c->state->ran[last->asked.collective] == c->entry && !c->entry->dropped &&
           c->entry->prepared->remembered == last &&
           (!c->entry->prepared->varies || same_counts(c));
}

/* It is bound, holds no memory of its own, and knows all lengths. */
int strata_call_run_again(struct strata_call *c)
{
    struct strata_prepared *prepared = c->entry->prepared;
    int error;

    strata_plan_table_use(&c->state->group->plans, c->entry);
    if (c->state->group->broken) {
        return strata_call_refuse(c);
    }
    if (prepared->varies && !prepared->taped) {
        prepared->scratch = strata_call_scratch_bytes(c->x);
    }
    error = strata_call_execute_bound(c);
    c->state->served.plans[c->signature->collective]++;
    strata_call_record(c);
    return error;
}

int strata_call_again(bool large)
{
    struct strata_last_call *last = &strata_last_call;

    if (holds(last)) {
        return strata_call_run_again(&last->call);
    }
    struct strata_signature signature = last->asked;
    signature.large = large; /* the last call may have been of the other form */
    signature.send.datatype = signature.recv.datatype = NULL;
    return strata_dispatch(&signature);
}
