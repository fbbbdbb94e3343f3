#include "api/call/run.h"

#include "api/attach/settings.h"
#include "api/call/again.h"
#include "api/call/lengths.h"
#include "api/call/long_blocks.h"
#include "api/call/prepared.h"
#include "api/call/sizes.h"
#include "core/base/memory.h"
#include "core/base/seldom.h"
#include "core/engine/engine_sizes.h"
#include "core/engine/tape.h"

int strata_call_decline(struct strata_call *c, struct strata_execution *x, int code,
                        const char *text)
{
    strata_engine_decline(x, code == MPI_ERR_NO_MEM ? STRATA_ERR_MEMORY : STRATA_ERR_TRANSPORT);
    strata_group_break(c->state->group); /* the others go on without this rank */
    return strata_call_raise(c, code, text);
}

size_t strata_call_scratch_bytes(struct strata_execution *x)
{
    if (strata_plan_over_blocks(x->plan)) {
        return strata_engine_block_scratch(x);
    }
    return x->fixed_scratch + strata_engine_direct_scratch(x);
}

/* More than the group has. */
static STRATA_SELDOM int grow_scratch(struct strata_call *c, struct strata_execution *x,
                                      size_t bytes)
{
    struct strata_group *g = c->state->group;

    strata_release(g->scratch);
    g->scratch = strata_allocate(bytes, 1);
    g->scratch_bytes = g->scratch ? bytes : 0;
    x->scratch = g->scratch;
    return g->scratch ? MPI_SUCCESS : strata_call_decline(c, x, MPI_ERR_NO_MEM, "out of memory");
}

static inline int give_scratch(struct strata_call *c, struct strata_execution *x, size_t bytes)
{
    struct strata_group *g = c->state->group;

    x->scratch = g->scratch;
    return bytes <= g->scratch_bytes ? MPI_SUCCESS : grow_scratch(c, x, bytes);
}

int strata_call_scratch(struct strata_call *c, struct strata_execution *x, size_t bytes)
{
    return give_scratch(c, x, bytes);
}

void strata_call_count(struct strata_traffic_count *sum, const struct strata_traffic_count *one)
{
    sum->messages += one->messages;
    sum->messages_node += one->messages_node;
    sum->bytes += one->bytes;
    sum->bytes_node += one->bytes_node;
    sum->copied += one->copied;
    for (int way = 0; way < STRATA_WAYS; way++) {
        sum->lent[way] += one->lent[way];
    }
}

/* What else is to be done where the plan was walked, or the call has failed. */
static __attribute__((noinline)) int end_walk(struct strata_call *c, struct strata_execution *x,
                                              int error)
{
    if (x->abandoned) {
        strata_group_break(c->state->group);
    }
    strata_call_count(&c->state->count, &x->count);
    return error == STRATA_OK ? MPI_SUCCESS
                              : strata_call_raise(c, strata_error_class(error), x->message.text);
}

static inline int execute(struct strata_call *c, struct strata_execution *x, size_t scratch)
{
    struct strata_group *g = c->state->group;
    int error = give_scratch(c, x, scratch);

    if (error != MPI_SUCCESS) {
        return error;
    }
    error = strata_wait_call(&g->waiter, x);
    if (error != STRATA_OK || !x->tape) {
        return end_walk(c, x, error);
    }
    c->state->count.copied += x->count.copied;
    return MPI_SUCCESS;
}

int strata_call_execute(struct strata_call *c, struct strata_execution *x, size_t scratch)
{
    return execute(c, x, scratch);
}

/* The call was walked, and is right: the next one may be taped. */
static __attribute__((noinline)) void learn_tape(struct strata_prepared *prepared)
{
    prepared->fits = strata_tape_learn(prepared->tape, &prepared->x);
    (void)strata_prepared_tape(prepared);
}

static inline int execute_bound(struct strata_call *c)
{
    struct strata_prepared *prepared = c->entry->prepared;
    int error;

    c->x->tape = prepared->taped ? prepared->tape : NULL;
    error = execute(c, c->x, prepared->scratch);
    prepared->proved = error == MPI_SUCCESS;
    if (prepared->proved && !c->x->tape && prepared->tape) {
        learn_tape(prepared);
    }
    return error;
}

int strata_call_execute_bound(struct strata_call *c)
{
    return execute_bound(c);
}

void strata_call_note(struct strata_call *c)
{
    struct strata_state *state = c->state;
    enum strata_collective collective = c->signature->collective;

    strata_call_last_is(state, collective, c->entry, c->why);
    state->missed_bits = (!c->entry || !c->entry->plan) && strata_same_bits(state, collective);
    if (state->ran[collective] != c->entry) {
        strata_selection_entry_hold(&state->ran[collective], c->entry);
    }
}

static void record(struct strata_call *c)
{
    strata_call_note(c);
    strata_sizes_learn(c);
}

/* The plan, after what it has to know of lengths; then what came goes to the caller. */
static int run_plan(struct strata_call *c)
{
    struct strata_lengths lengths = {.spare = NULL};
    int error = strata_lengths_find(c, &lengths);

    if (error == MPI_SUCCESS && strata_long_blocks_apart(c)) {
        error = strata_long_blocks_move(c);
    }
    if (error == MPI_SUCCESS) {
        c->entry->prepared->scratch = strata_call_scratch_bytes(c->x);
        (void)strata_prepared_tape(c->entry->prepared);
        error = strata_call_execute_bound(c);
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

/* A rank that is out of step tells its node so in every call, or members would wait for it; and
 * counts it, as they do. */
int strata_call_refuse(struct strata_call *c)
{
    strata_sizes_pass(c->state, c->signature->collective);
    return strata_call_decline(c, c->x, MPI_ERR_OTHER, "an earlier call failed on this rank");
}

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
    error = execute_bound(c);
    c->state->served.plans[c->signature->collective]++;
    if (c->state->last != c->entry) {
        record(c);
    } else { /* all else was recorded then */
        strata_sizes_learn(c);
    }
    return error;
}

int strata_call_run(struct strata_call *c)
{
    struct strata_prepared *prepared = c->entry->prepared;
    int error;

    c->binding = &prepared->binding;
    c->x = &prepared->x;
    if (c->state->group->broken) {
        return strata_call_refuse(c);
    }
    error = strata_prepare(c);
    if (error == MPI_SUCCESS) {
        strata_remember_plan(c);
        error = run_plan(c);
    } else {
        strata_sizes_pass(c->state, c->signature->collective);
        error = strata_call_decline(c, c->x, error, "the buffers cannot be used");
    }
    strata_unbind(c->binding);
    return error;
}
