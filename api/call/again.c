#include "api/call/again.h"

#include "api/call/arguments.h"
#include "api/call/execute.h"
#include "api/call/run.h"
#include "api/call/trial.h"
#include "api/types/reduction_operator.h"
#include "core/base/seldom.h"
#include "core/engine/engine_sizes.h"

/* Whether the agreed sizes are those for which the plan was chosen, and it is not time to tell them
 * anew. In other collectives all ranks know the lengths. */
static inline bool same_statistics(const struct strata_bound_call *b)
{
    const enum strata_collective collective = b->own.collective;
    const struct strata_plan_key *key = &b->call.entry->key;
    if (!strata_sizes_agree(collective) && !strata_collective_one_knows(collective)) {
        return true;
    }
    const struct strata_call_statistics *statistics = strata_sizes_of(b->call.state, collective);
    return strata_call_statistics_same(statistics, key) &&
           !strata_sizes_due(b->call.state, collective);
}

/* The arrays have other contents. Whether these are right, select the same plan, and are all that
 * the binding depends on: then the binding takes them. */
static STRATA_SELDOM bool look_at_counts(struct strata_bound_call *b)
{
    struct strata_plan_key key = {.collective = b->own.collective};
    struct strata_call now = b->call;
    const bool apart = key.collective == STRATA_ALLTOALLV ||
                       (key.collective == STRATA_ALLGATHERV && !b->own.in_place);
    if (!apart || !strata_counts_stay_right(&b->signature)) {
        return false;
    }
    now.signature = &b->signature;
    strata_call_sizes(&now, &key);
    if (!strata_plan_key_same_sizes(&key, &b->call.entry->key)) {
        return false;
    }
    strata_bound_ask(b, &b->signature);
    b->state = STRATA_CALL_BOUND;
    b->scratch = strata_engine_scratch(&b->x);
    return true;
}

/* Whether the call may run again with its arrays, which exist. */
static inline bool same_counts(struct strata_bound_call *b)
{
    return strata_snapshot_same(&b->own, &b->signature) ? same_statistics(b) : look_at_counts(b);
}

/* Serves the call as a new one. The last one may have been of the other form. */
static STRATA_SELDOM int dispatch_again(const struct strata_bound_call *b, bool large)
{
    struct strata_signature signature = b->signature;
    signature.large = large;
    signature.send.datatype = signature.recv.datatype = NULL;
    return strata_dispatch(&signature);
}

int strata_call_again(struct strata_bound_call *b, bool large)
{
    return !b->call.entry->asks && (!b->varies || same_counts(b)) ? strata_call_run_again(&b->call)
                                                                  : dispatch_again(b, large);
}

bool strata_call_remembered(struct strata_call *c)
{
    const unsigned changes = strata_changes_now(c->process);
    struct strata_bound_calls *calls = c->state->calls;
    struct strata_bound_call **at = &calls->of[c->signature->collective], *b;
    while (*at && !((*at)->until == changes &&
                    (*at)->own.recv.buffer == c->signature->recv.buffer && /* most differ in it */
                    strata_snapshot_same_call(&(*at)->own, c->signature, false))) {
        at = &(*at)->next;
    }
    b = *at;
    if (!b || b->call.entry->asks || !same_statistics(b)) {
        return false;
    }
    strata_bound_hit(calls, at);
    b->signature = *c->signature; /* the arrays may lie elsewhere now */
    strata_find_significant(&b->signature, b->own.rank, b->own.ranks);
    *c = b->call;
    return true;
}

bool strata_native_remembered(const struct strata_signature *call)
{
    const unsigned changes = strata_changes_now(&strata_process_here);
    struct strata_state *state = strata_state_found(call->comm, changes);
    if (!state || strata_sizes_due(state, call->collective)) {
        return false;
    }
    struct strata_bound_call **at = &state->calls->of[call->collective];
    while (*at && !((*at)->passed == changes && strata_native_same(*at, call))) {
        at = &(*at)->next;
    }
    if (*at) {
        strata_bound_hit(state->calls, at);
    }
    return strata_native_take(state, changes, call);
}

/* Whether the entry follows from arguments by value. The program's operator may change behind its
 * handle, and MPI's own alltoallv was chosen for sizes that grow old. */
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
    struct strata_count_range range;
    const bool follows = c->entry && !strata_trial_goes_on(c->entry) && !c->judged && !c->moving &&
                         !c->process->explain.on && settled(c) && strata_sizes_alike(c, &range);
    if (c->state->group) {
        strata_bound_pass(c, follows ? &range : NULL);
    }
}
