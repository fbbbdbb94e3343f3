#include "api/call/again.h"

#include "api/call/arguments.h"
#include "api/call/prepared.h"
#include "api/call/run.h"
#include "api/call/sizes.h"
#include "core/base/seldom.h"

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
static STRATA_SELDOM bool look_at_counts(struct strata_call *c)
{
    struct strata_plan_key key = {.collective = c->signature->collective};

    if (!strata_counts_stay_right(c->signature)) {
        return false;
    }
    strata_call_sizes(c, &key);
    return strata_plan_key_same_sizes(&key, &c->entry->key);
}

/* Whether the figures are those that the plan was taken for, and are not to be told anew; all ranks
 * know the lengths of other collectives. */
static inline bool same_figures(const struct strata_call *c)
{
    enum strata_collective collective = c->signature->collective;

    if (strata_sizes_asked(collective)) {
        return !strata_sizes_due(c->state, collective);
    }
    const struct strata_figures *figures = strata_sizes_of(c->state, collective);

    return !strata_sizes_agree(collective) ||
           (figures->bucket == c->entry->key.bucket && figures->most == c->entry->key.most);
}

static inline bool same_counts(struct strata_call *c)
{
    struct strata_prepared *prepared = c->entry->prepared;
    bool taped = strata_prepared_tape(prepared);

    if (prepared->kept) {
        return strata_arrays_kept(prepared->kept, c->signature) && same_figures(c);
    }
    return taped && prepared->proved ? same_figures(c) : look_at_counts(c);
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

/* As any other; the last one may have been of the other form. */
static STRATA_SELDOM int dispatch_again(bool large)
{
    struct strata_signature signature = strata_last_call.asked;

    signature.large = large;
    signature.send.datatype = signature.recv.datatype = NULL;
    return strata_dispatch(&signature);
}

int strata_call_again(bool large)
{
    struct strata_last_call *last = &strata_last_call;

    return holds(last) ? strata_call_run_again(&last->call) : dispatch_again(large);
}
