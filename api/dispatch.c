/* The life of a call, top to bottom. */
#include <stdio.h>

#include "api/attach.h"
#include "api/bind.h"
#include "api/check_arguments.h"
#include "api/errors.h"
#include "api/plans.h"
#include "api/process.h"
#include "api/signature.h"
#include "core/memory.h"

#define FIRST_BLOCK 256 /* bytes: mean block of an alltoallv while no figure is agreed */
#define FORGET                                                                                     \
    64 /* calls after which an agreed figure is too old: plans without log rounds                  \
          bring no new one, so the default is tried again */

struct call {
    struct strata_process *process;
    struct strata_signature *signature;
    struct strata_state *state;
    const struct strata_selection_entry *entry;
    struct strata_binding binding;
    struct strata_execution x;
};

static int raise_error(const struct call *c, int code, const char *text)
{
    return strata_raise(c->signature->comm, code, strata_collective_name(c->signature->collective),
                        text);
}

static int call_native(struct call *c)
{
    if (c->state) {
        c->state->calls_native++;
        c->state->last = c->entry;
    }
    return strata_native_call(c->signature);
}

/* Errors that this rank can see by itself. Intercommunicators are left to MPI's own check. */
static int check(struct call *c)
{
    const struct strata_signature *s = c->signature;
    const char *text = "";
    int inter = 0;
    int ranks = 0;
    int error;

    if (s->comm == MPI_COMM_NULL) {
        return raise_error(c, MPI_ERR_COMM, "the communicator is MPI_COMM_NULL");
    }
    PMPI_Comm_test_inter(s->comm, &inter);
    if (inter) {
        return MPI_SUCCESS;
    }
    PMPI_Comm_size(s->comm, &ranks);
    error = strata_check_arguments(s, ranks, &text);
    return error == MPI_SUCCESS ? MPI_SUCCESS : raise_error(c, error, text);
}

/* What all ranks know about the size of this call's blocks. */
static int block_bytes(struct call *c, double *bytes)
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

static int find_plan(struct call *c)
{
    struct strata_message message = {""};
    double bytes = 0;
    int error = block_bytes(c, &bytes);

    if (error != MPI_SUCCESS) {
        return raise_error(c, error, "the datatype cannot be used");
    }
    error =
        strata_plans_find(c->state->group, c->signature->collective, bytes, &c->entry, &message);
    return error == STRATA_OK ? MPI_SUCCESS
                              : raise_error(c, strata_error_class(error), message.text);
}

/* Scratch for this call, from the group's pool, which only grows. */
static int find_scratch(struct call *c)
{
    struct strata_group *g = c->state->group;
    size_t bytes = c->entry->fixed_scratch;

    if (c->x.in_place) {
        bytes += strata_engine_saved_bytes(c->entry->plan, &c->x.input);
    }
    if (bytes > g->scratch_bytes) {
        strata_release(g->scratch);
        g->scratch = strata_allocate(bytes, 1);
        g->scratch_bytes = g->scratch ? bytes : 0;
    }
    c->x.scratch = g->scratch;
    return g->scratch || bytes == 0 ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static int bind_call(struct call *c)
{
    struct strata_group *g = c->state->group;
    int error;

    c->binding.comm = g->comm;
    c->binding.ranks = g->ranks;
    error = strata_bind(c->process, c->signature, &c->binding);
    if (error != MPI_SUCCESS) {
        return error;
    }
    c->x = (struct strata_execution){
        .plan = c->entry->plan,
        .nodes = g->topology,
        .input = c->signature->in_place ? c->binding.recv.layout : c->binding.send.layout,
        .output = c->binding.recv.layout,
        .in_place = c->signature->in_place,
        .segment = c->entry->plan->exchange.staged ? &g->segment : NULL,
        .transport = &strata_transport_mpi,
        .transport_self = &g->transport,
        .team = &g->team,
        .fixed_scratch = c->entry->fixed_scratch,
        .check = g->capacity.check,
    };
    return find_scratch(c);
}

static void add_counts(struct strata_traffic_count *sum, const struct strata_traffic_count *one)
{
    sum->messages += one->messages;
    sum->messages_node += one->messages_node;
    sum->bytes += one->bytes;
    sum->bytes_node += one->bytes_node;
    sum->copied += one->copied;
}

/* A truncated block is found at the end of a call that ran through, so the figure is agreed. */
static bool size_known(const struct call *c)
{
    bool through = c->x.agreed.known || (c->x.status == STRATA_ERR_TRUNCATE && !c->x.abandoned);

    return through && c->entry->plan->exchange.lanes > 0 &&
           c->signature->collective == STRATA_ALLTOALLV;
}

static void record(struct call *c)
{
    struct strata_state *state = c->state;

    state->calls++;
    state->last = c->entry;
    add_counts(&state->count, &c->x.count);
    if (size_known(c)) {
        state->mean_bytes = (double)c->x.busiest / state->group->ranks;
        state->mean_age = 0;
    }
}

static int run_plan(struct call *c)
{
    struct strata_group *g = c->state->group;
    int error = strata_engine_start(&c->x);

    if (error == STRATA_OK) {
        error = strata_wait_run(&g->waiter, &c->x);
    }
    record(c);
    if (error == STRATA_OK) {
        error = strata_deliver(&c->binding);
        return error == MPI_SUCCESS ? MPI_SUCCESS : raise_error(c, error, "unpacking failed");
    }
    g->broken = c->x.abandoned;
    return raise_error(c, strata_error_class(error), c->x.message.text);
}

static int call_plan(struct call *c)
{
    int error;

    if (c->state->group->broken) {
        return raise_error(c, MPI_ERR_OTHER, "a message of an earlier call failed");
    }
    error = bind_call(c);
    error =
        error == MPI_SUCCESS ? run_plan(c) : raise_error(c, error, "the buffers cannot be used");
    strata_unbind(&c->binding);
    return error;
}

int strata_dispatch(struct strata_signature *signature)
{
    struct call c = {.process = strata_process(), .signature = signature};
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
        return raise_error(&c, MPI_ERR_NO_MEM, "out of memory");
    }
    if (!strata_attach(c.process, c.state, false)) {
        return call_native(&c);
    }
    error = find_plan(&c);
    if (error != MPI_SUCCESS) {
        return error;
    }
    return c.entry && c.entry->plan ? call_plan(&c) : call_native(&c);
}
