/* The life of a call, top to bottom. */
#include "api/attach/attach.h"
#include "api/attach/process.h"
#include "api/attach/settings.h"
#include "api/call/arguments.h"
#include "api/call/call.h"
#include "api/call/errors.h"
#include "api/call/plans.h"
#include "api/types/reduction_operator.h"

static int call_native(struct strata_call *c)
{
    c->state->calls_native++;
    c->state->last_why = c->why;
    strata_plans_hold(&c->state->last, c->entry);
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
    error = strata_check_arguments(s, &text);
    if (error == MPI_SUCCESS && strata_collective_reduces(s->collective)) {
        text = "the operator is null, or not one for this datatype";
        error = check_operator(c);
    }
    return error == MPI_SUCCESS ? MPI_SUCCESS : strata_call_raise(c, error, text);
}

static int find_plan(struct strata_call *c)
{
    const struct strata_signature *s = c->signature;
    struct strata_group *g = c->state->group;
    struct strata_plan_key key = {.collective = s->collective,
                                  .forced = *strata_choice_of(c->state, s->collective)};
    struct strata_diagnostic message;
    int error = strata_call_sizes(c, &key);

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
    return c.entry && c.entry->plan ? strata_call_run(&c) : call_native(&c);
}
