/* The life of a call, top to bottom. */
#include "api/attach.h"
#include "api/call.h"
#include "api/check_arguments.h"
#include "api/errors.h"
#include "api/plans.h"
#include "api/process.h"

/* Bytes of an alltoallv's mean block while no figure is agreed. */
#define FIRST_BLOCK 256
/* Calls after which an agreed figure is too old: plans without log rounds bring no new one, so the
 * default is tried again. */
#define FORGET 64

static int call_native(struct strata_call *c)
{
    if (c->state) {
        c->state->calls_native++;
        c->state->last = c->entry;
    }
    return strata_native_call(c->signature);
}

/* Errors that this rank can see by itself. Intercommunicators are left to MPI's own check. */
static int check(struct strata_call *c)
{
    const struct strata_signature *s = c->signature;
    const char *text = "";
    int inter = 0;
    int ranks = 0;
    int error;

    if (s->comm == MPI_COMM_NULL) {
        return strata_call_raise(c, MPI_ERR_COMM, "the communicator is MPI_COMM_NULL");
    }
    PMPI_Comm_test_inter(s->comm, &inter);
    if (inter) {
        return MPI_SUCCESS;
    }
    PMPI_Comm_size(s->comm, &ranks);
    error = strata_check_arguments(s, ranks, &text);
    return error == MPI_SUCCESS ? MPI_SUCCESS : strata_call_raise(c, error, text);
}

/* What all ranks know about the size of this call's blocks. */
static int block_bytes(struct strata_call *c, double *bytes)
{
    const struct strata_side *side = &c->signature->recv;
    const struct strata_datatype *datatype = NULL;
    struct strata_state *state = c->state;
    int error;

    if (c->signature->collective == STRATA_ALLTOALL) {
        error = strata_datatype_find(c->process, side->type, state->group->comm, &datatype);
        *bytes = error == MPI_SUCCESS ? (double)datatype->flat.size * side->count : 0;
        return error;
    }
    if (state->mean_bytes >= 0 && ++state->mean_age > FORGET) {
        state->mean_bytes = -1;
    }
    *bytes = state->mean_bytes >= 0 ? state->mean_bytes : FIRST_BLOCK;
    return MPI_SUCCESS;
}

static int find_plan(struct strata_call *c)
{
    struct strata_message message = {""};
    double bytes = 0;
    int error = block_bytes(c, &bytes);

    if (error != MPI_SUCCESS) {
        return strata_call_raise(c, error, "the datatype cannot be used");
    }
    error =
        strata_plans_find(c->state->group, c->signature->collective, bytes, &c->entry, &message);
    return error == STRATA_OK ? MPI_SUCCESS
                              : strata_call_raise(c, strata_error_class(error), message.text);
}

int strata_dispatch(struct strata_signature *signature)
{
    struct strata_call c = {.process = strata_process(), .signature = signature};
    int error;

    if (!c.process) {
        return strata_native_call(signature); /* MPI says that it is not initialised */
    }
    error = check(&c);
    if (error != MPI_SUCCESS) {
        return error;
    }
    c.state = strata_state_find(c.process, signature->comm);
    if (!c.state) {
        return strata_call_raise(&c, MPI_ERR_NO_MEM, "out of memory");
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
