/* The life of a call. Read it from its end, strata_dispatch, upwards. */
#include "api/call/call.h"

#include "api/attach/process.h"
#include "api/attach/settings.h"
#include "api/attach/state.h"
#include "api/call/arguments.h"
#include "api/call/handed.h"
#include "api/call/plans.h"
#include "api/call/prepared.h"
#include "api/call/sizes.h"
#include "api/types/reduction_operator.h"
#include "core/base/memory.h"
#include "core/engine/engine_sizes.h"

int strata_call_raise(const struct strata_call *c, int code, const char *text)
{
    return strata_raise(c->signature->comm, code, strata_collective_name(c->signature->collective),
                        text);
}

int strata_call_decline(struct strata_call *c, struct strata_execution *x, int code,
                        const char *text)
{
    strata_engine_decline(x, code == MPI_ERR_NO_MEM ? STRATA_ERR_MEMORY : STRATA_ERR_TRANSPORT);
    strata_group_break(c->state->group); /* the others go on without this rank */
    return strata_call_raise(c, code, text);
}

/* From the group's pool, which only grows. */
int strata_call_scratch(struct strata_call *c, struct strata_execution *x)
{
    struct strata_group *g = c->state->group;
    size_t bytes = x->fixed_scratch;

    if (strata_plan_over_blocks(x->plan)) {
        bytes = strata_engine_block_scratch(x);
    } else if (x->in_place) {
        bytes += strata_engine_saved_bytes(x->plan, &x->input);
    }
    if (bytes > g->scratch_bytes) {
        strata_release(g->scratch);
        g->scratch = strata_allocate(bytes, 1);
        g->scratch_bytes = g->scratch ? bytes : 0;
    }
    x->scratch = g->scratch;
    return g->scratch || bytes == 0 ? MPI_SUCCESS
                                    : strata_call_decline(c, x, MPI_ERR_NO_MEM, "out of memory");
}

static void add_counts(struct strata_traffic_count *sum, const struct strata_traffic_count *one)
{
    sum->messages += one->messages;
    sum->messages_node += one->messages_node;
    sum->bytes += one->bytes;
    sum->bytes_node += one->bytes_node;
    sum->copied += one->copied;
}

int strata_call_execute(struct strata_call *c, struct strata_execution *x)
{
    struct strata_group *g = c->state->group;
    int error = strata_call_scratch(c, x);

    if (error != MPI_SUCCESS) {
        return error;
    }
    error = strata_engine_start(x);
    if (error == STRATA_OK) {
        error = strata_wait_run(&g->waiter, x);
    } else {
        x->abandoned = true; /* others go on without this rank */
    }
    if (x->abandoned) {
        strata_group_break(g);
    }
    add_counts(&c->state->count, &x->count);
    return error == STRATA_OK ? MPI_SUCCESS
                              : strata_call_raise(c, strata_error_class(error), x->message.text);
}

static void record(struct strata_call *c)
{
    struct strata_state *state = c->state;

    state->calls++;
    state->last_why = c->why;
    strata_selection_entry_hold(&state->last, c->entry);
    if (c->x->agreed.known && c->signature->collective == STRATA_ALLTOALLV) {
        state->mean_bytes = (double)c->x->agreed.busiest / state->group->ranks;
        state->longest = (size_t)c->x->agreed.largest;
        state->mean_age = 0;
    }
}

/* The plan, after what it has to know of lengths; then what came goes to the caller. */
static int run_plan(struct strata_call *c)
{
    struct strata_lengths lengths = {.spare = NULL};
    int error = strata_lengths_find(c, &lengths);

    if (error == MPI_SUCCESS) {
        error = strata_call_execute(c, c->x);
    }
    record(c);
    strata_release(lengths.spare);
    if (error == MPI_SUCCESS && lengths.disagree) {
        return strata_call_raise(c, MPI_ERR_TRUNCATE,
                                 "the root and a rank disagree about the size of its block");
    }
    if (error == MPI_SUCCESS) {
        error = strata_deliver(c->signature, c->binding);
        return error == MPI_SUCCESS ? error : strata_call_raise(c, error, "unpacking failed");
    }
    return error;
}

/* Runs the plan of the call's entry. Returns an MPI error code, raised already. A rank that is out
 * of step tells its node so in every call, or members would wait for it. */
static int run_call(struct strata_call *c, bool again)
{
    struct strata_prepared *prepared = c->entry->prepared;
    int error;

    c->binding = &prepared->binding;
    c->x = &prepared->x;
    if (c->state->group->broken) {
        return strata_call_decline(c, c->x, MPI_ERR_OTHER, "an earlier call failed on this rank");
    }
    error = again ? MPI_SUCCESS : strata_prepare(c);
    error = error == MPI_SUCCESS
                ? run_plan(c)
                : strata_call_decline(c, c->x, error, "the buffers cannot be used");
    strata_unbind(c->binding);
    return error;
}

static int call_native(struct strata_call *c)
{
    c->state->calls_native++;
    c->state->last_why = c->why;
    strata_selection_entry_hold(&c->state->last, c->entry);
    strata_hand_over(c);
    return strata_native_call(c->signature);
}

/* MPI's own check of the operator, once for each pair in a row: what was right stays so. */
static int check_operator(struct strata_call *c)
{
    const struct strata_signature *s = c->signature;
    struct strata_state *state = c->state;
    int error = MPI_SUCCESS;

    if (!state->operator_known || state->op != s->op || state->operands != s->send.type) {
        error = strata_operator_check(c->process, s->op, s->send.type);
        state->operator_known = error == MPI_SUCCESS;
        state->op = s->op;
        state->operands = s->send.type;
    }
    return error;
}

/* If it was made: what is wrong with the call's arguments is to be found first. */
static void recall_datatypes(struct strata_call *c)
{
    struct strata_side *sides[] = {&c->signature->send, &c->signature->recv};

    for (int i = 0; i < 2 && c->signature->collective != STRATA_ALLTOALLW; i++) {
        if (sides[i]->part != STRATA_NONE && sides[i]->type != MPI_DATATYPE_NULL) {
            sides[i]->datatype =
                strata_datatype_recall(c->process, &c->state->known[i], sides[i]->type);
        }
    }
}

/* Errors that this rank can see by itself. Intercommunicators are left to MPI's own check. */
static int check(struct strata_call *c)
{
    struct strata_signature *s = c->signature;
    const char *text = "";
    int error;

    if (c->state->inter) {
        return MPI_SUCCESS;
    }
    strata_find_significant(s, c->state->rank, c->state->ranks);
    recall_datatypes(c);
    error = strata_check_arguments(s, &text);
    if (error == MPI_SUCCESS && strata_collective_reduces(s->collective)) {
        text = "the operator is null, or not one for this datatype";
        error = check_operator(c);
    }
    return error == MPI_SUCCESS ? MPI_SUCCESS : strata_call_raise(c, error, text);
}

static int find_plan(struct strata_call *c)
{
    struct strata_signature *s = c->signature;
    struct strata_group *g = c->state->group;
    struct strata_plan_key key = {.collective = s->collective,
                                  .forced = *strata_choice_of(c->state, s->collective)};
    struct strata_diagnostic message;
    int error = strata_bind_check(s, c->process, g->comm);

    if (error == MPI_SUCCESS && !strata_choice_native(&key.forced)) {
        error = strata_call_sizes(c, &key);
    }
    c->state->last_forced = c->state->forced >> s->collective & 1;
    message.text[0] = '\0';
    if (error != MPI_SUCCESS) {
        return strata_call_raise(c, error, "the datatype cannot be used");
    }
    if (*c->why) {
        return MPI_SUCCESS;
    }
    key.root = strata_collective_rooted(s->collective) ? s->root : 0;
    key.commutative = strata_collective_reduces(s->collective) && strata_operator_commutes(s->op);
    error = strata_plans_find(g, &key, &c->entry, &message);
    return error == STRATA_OK ? MPI_SUCCESS
                              : strata_call_raise(c, strata_error_class(error), message.text);
}

/* Where there is no memory for a state: the others learn of it as they attach. */
static int call_without_state(struct strata_process *process, struct strata_signature *signature)
{
    struct strata_state none;
    struct strata_call c = {.process = process, .signature = signature, .state = &none, .why = ""};
    int error;

    strata_state_init(&none, signature->comm);
    error = check(&c);
    if (error == MPI_SUCCESS) {
        if (!none.inter) {
            strata_attach_decline(process, none.comm);
        }
        error = strata_native_call(signature);
    }
    return error;
}

/* Whether the call is like the last one of its communicator, and that ran a plan. */
static bool like_last(struct strata_call *c)
{
    struct strata_selection_entry *last = c->state->last;

    if (!last->plan || last->dropped ||
        !strata_prepared_again(last->prepared, c->process, c->signature)) {
        return false;
    }
    c->entry = last;
    c->signature = &last->prepared->asked;
    strata_plan_table_use(&c->state->group->plans, last);
    return true;
}

int strata_dispatch(struct strata_signature *signature)
{
    struct strata_call c = {.process = strata_process(), .signature = signature, .why = ""};
    int error;

    if (!c.process) {
        return strata_native_call(signature); /* MPI says that it is not initialised */
    }
    if (signature->comm == MPI_COMM_NULL) {
        return strata_call_raise(&c, MPI_ERR_COMM, "the communicator is MPI_COMM_NULL");
    }
    c.state = strata_state_find(c.process, signature->comm);
    if (!c.state) {
        return call_without_state(c.process, signature);
    }
    if (c.state->last && like_last(&c)) {
        return run_call(&c, true);
    }
    error = check(&c);
    if (error != MPI_SUCCESS) {
        return error;
    }
    if (!strata_attach(c.process, c.state, false)) {
        return call_native(&c);
    }
    error = find_plan(&c);
    if (error != MPI_SUCCESS) {
        return error;
    }
    return c.entry && c.entry->plan ? run_call(&c, false) : call_native(&c);
}
