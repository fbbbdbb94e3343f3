#include "api/call/run.h"

#include "api/attach/settings.h"
#include "api/call/again.h"
#include "api/call/execute.h"
#include "api/call/lengths.h"
#include "api/call/long_blocks.h"
#include "api/call/sizes.h"
#include "api/call/trial.h"
#include "api/process/by_mpi.h"
#include "api/process/helping.h"
#include "core/base/memory.h"
#include "core/engine/engine_sizes.h"
#include "core/engine/tape.h"
#include "intranode/team.h"

/* Ends a walk of the plan. The second walk in a row leaves a tape. */
static __attribute__((noinline)) void end_bound(struct strata_bound_call *b, int error)
{
    if (error != MPI_SUCCESS) {
        b->state = STRATA_CALL_COLD;
        b->until = 0;
    } else if (b->state == STRATA_CALL_WALKED) {
        strata_bound_tape(b, true);
    } else if (b->state == STRATA_CALL_BOUND) {
        b->state = STRATA_CALL_WALKED;
    }
}

struct opened {
    struct strata_call *call;
    int error;
};

static void execute_opened(void *argument)
{
    struct opened *o = argument;
    struct strata_bound_call *b = o->call->bound;
    o->error = strata_wait_call(&o->call->state->group->waiter, &b->x);
}

/* Runs a call with long copies in a team of its own. */
static int execute_in_team(struct strata_call *c)
{
    struct strata_bound_call *b = c->bound;
    struct opened o = {.call = c};
    int error = strata_call_scratch(c, &b->x, b->scratch);
    if (error != MPI_SUCCESS) {
        return error;
    }
    strata_helped(&c->state->group->helping, execute_opened, &o);
    c->state->served.opened++;
    return strata_call_end_walk(c, &b->x, o.error);
}

/* Whether the last call like this one copied enough for a team. A call in a parallel region, or
 * with the help of other threads, opens none. */
static bool opens_team(const struct strata_call *c)
{
    return c->entry->sharable >= c->state->group->helping.opens_from && !strata_helpers_here &&
           strata_team_of_caller() == 0;
}

/* Runs a bound call that has no tape, or long copies. Threads share the copies of a walk only. */
static STRATA_SELDOM int execute_long(struct strata_call *c)
{
    struct strata_bound_call *b = c->bound;
    const bool alone = c->state->group->helping.threads == 1 && !strata_helpers_here;
    const bool opens = !alone && opens_team(c);
    int error;
    b->x.tape = strata_bound_follows(b) && !opens ? b->tape : NULL;
    if (!alone) {
        b->x.shared = (struct strata_shared_count){0};
    }
    error = opens ? execute_in_team(c) : strata_call_execute(c, &b->x, b->scratch);
    if (!alone && !b->x.tape) {
        c->entry->sharable = b->x.shared.sharable;
        c->state->served.helped += b->x.shared.helped;
    }
    if (!b->x.tape || error != MPI_SUCCESS) {
        end_bound(b, error);
    }
    return error;
}

/* Runs a bound call, by its tape if it has one. */
static inline int execute_bound(struct strata_call *c)
{
    struct strata_bound_call *b = c->bound;
    int error;
    if (b->state != STRATA_CALL_TAPED) {
        return execute_long(c);
    }
    b->x.tape = b->tape;
    error = strata_call_execute(c, &b->x, b->scratch);
    if (!b->x.tape || error != MPI_SUCCESS) {
        end_bound(b, error);
    }
    return error;
}

void strata_call_note(struct strata_call *c)
{
    struct strata_state *state = c->state;
    enum strata_collective collective = c->signature->collective;
    strata_call_last_is(state, collective, c->entry, c->why);
    state->missed_bits = (!c->entry || !c->entry->plan) && strata_same_bits(state, collective);
    strata_selection_entry_hold(&state->held, c->entry);
}

static void record(struct strata_call *c)
{
    strata_call_note(c);
    strata_sizes_learn(c);
}

/* Runs the plan when lengths are known, and moves received data to the caller. */
static int run_plan(struct strata_call *c)
{
    struct strata_lengths lengths = {.spare = NULL};
    int error = strata_lengths_find(c, &lengths);
    if (error == MPI_SUCCESS && strata_long_blocks_apart(c)) {
        error = strata_long_blocks_move(c);
    }
    if (lengths.disagree || c->x->long_blocks) { /* a tape would hold other blocks */
        c->bound->state = STRATA_CALL_BOUND;
        c->bound->until = 0;
    }
    if (error == MPI_SUCCESS) {
        c->bound->scratch = strata_engine_scratch(c->x);
        error = execute_bound(c);
    }
    c->state->served.plans[c->signature->collective]++;
    record(c);
    strata_release(lengths.spare);
    if (error == MPI_SUCCESS && lengths.disagree) {
        struct strata_diagnostic message;
        strata_lengths_say(&message, lengths.rank, lengths.sent, lengths.expected);
        return strata_call_raise(c, MPI_ERR_TRUNCATE, message.text);
    }
    if (error == MPI_SUCCESS) {
        error = strata_deliver(c->signature, c->binding);
        return error == MPI_SUCCESS ? error : strata_call_raise(c, error, "unpacking failed");
    }
    return error;
}

/* A rank that is out of step tells its node so in every call, or members would wait for it. It
 * counts the call, as they do. */
static int refuse(struct strata_call *c)
{
    strata_sizes_pass(c->state, c->signature->collective);
    return strata_call_decline(c, c->x, MPI_ERR_OTHER, "an earlier call failed on this rank");
}

int strata_call_run_again(struct strata_call *c)
{
    int error;
    strata_plan_table_use(&c->state->group->plans, c->entry);
    strata_trial_count(c->entry);
    if (c->state->group->broken) {
        return refuse(c);
    }
    error = execute_bound(c);
    c->state->served.plans[c->signature->collective]++;
    if (c->state->last != c->entry) {
        record(c);
    } else { /* the entry was recorded before */
        strata_sizes_learn(c);
    }
    return error;
}

static int prepare(void *argument)
{
    return strata_bound_prepare(argument);
}

int strata_call_run(struct strata_call *c)
{
    int error = strata_by_mpi(prepare, c);
    if (c->state->group->broken) {
        error = refuse(c);
    } else if (error == MPI_SUCCESS) {
        error = run_plan(c);
    } else {
        strata_sizes_pass(c->state, c->signature->collective);
        error = strata_call_decline(c, c->x, error, "the buffers cannot be used");
    }
    strata_unbind(c->binding);
    return error;
}
