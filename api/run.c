/* The last part of a call: bind, run, record. */
#include "api/call.h"

#include "api/errors.h"
#include "core/memory.h"

int strata_call_raise(const struct strata_call *c, int code, const char *text)
{
    return strata_raise(c->signature->comm, code, strata_collective_name(c->signature->collective),
                        text);
}

/* Scratch for this call, from the group's pool, which only grows. */
static int find_scratch(struct strata_call *c)
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

/* The execution is all zero before, so only what is not is set. */
static int bind_call(struct strata_call *c)
{
    struct strata_group *g = c->state->group;
    struct strata_execution *x = &c->x;
    int error;

    c->binding.comm = g->comm;
    c->binding.ranks = g->ranks;
    error = strata_bind(c->process, c->signature, &c->binding);
    if (error != MPI_SUCCESS) {
        return error;
    }
    x->plan = c->entry->plan;
    x->nodes = g->topology;
    x->input = c->signature->in_place ? c->binding.recv.layout : c->binding.send.layout;
    x->output = c->binding.recv.layout;
    x->in_place = c->signature->in_place;
    x->segment = c->entry->plan->exchange.staged ? &g->segment : NULL;
    x->transport = &strata_transport_mpi;
    x->transport_self = &g->transport;
    x->team = &g->team;
    x->fixed_scratch = c->entry->fixed_scratch;
    x->check = g->capacity.check;
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

static void record(struct strata_call *c)
{
    struct strata_state *state = c->state;

    state->calls++;
    state->last = c->entry;
    add_counts(&state->count, &c->x.count);
    if (c->x.agreed.known && c->signature->collective == STRATA_ALLTOALLV) {
        state->mean_bytes = (double)c->x.agreed.busiest / state->group->ranks;
        state->mean_age = 0;
    }
}

static int run_plan(struct strata_call *c)
{
    struct strata_group *g = c->state->group;
    int error = strata_engine_start(&c->x);

    if (error == STRATA_OK) {
        error = strata_wait_run(&g->waiter, &c->x);
    }
    record(c);
    if (error == STRATA_OK) {
        error = strata_deliver(&c->binding);
        return error == MPI_SUCCESS ? MPI_SUCCESS : strata_call_raise(c, error, "unpacking failed");
    }
    g->broken = c->x.abandoned;
    return strata_call_raise(c, strata_error_class(error), c->x.message.text);
}

int strata_call_run(struct strata_call *c)
{
    int error;

    if (c->state->group->broken) {
        return strata_call_raise(c, MPI_ERR_OTHER, "a message of an earlier call failed");
    }
    error = bind_call(c);
    error = error == MPI_SUCCESS ? run_plan(c)
                                 : strata_call_raise(c, error, "the buffers cannot be used");
    strata_unbind(&c->binding);
    return error;
}
