/* The last part of a call: bind, run, record. */
#include "api/call/call.h"

#include "api/call/errors.h"
#include "core/base/memory.h"
#include "core/engine/engine_sizes.h"

int strata_call_raise(const struct strata_call *c, int code, const char *text)
{
    return strata_raise(c->signature->comm, code, strata_collective_name(c->signature->collective),
                        text);
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
                                    : strata_call_raise(c, MPI_ERR_NO_MEM, "out of memory");
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
        strata_engine_decline(x, STRATA_ERR_MEMORY);
        g->broken = true; /* the others go on without this rank */
        return error;
    }
    error = strata_engine_start(x);
    if (error == STRATA_OK) {
        error = strata_wait_run(&g->waiter, x);
    }
    add_counts(&c->state->count, &x->count);
    if (error == STRATA_OK) {
        return MPI_SUCCESS;
    }
    g->broken = x->abandoned;
    return strata_call_raise(c, strata_error_class(error), x->message.text);
}

/* Arrays of a call are kept by the group, too. */
static int find_arrays(struct strata_group *g)
{
    if (!g->arrays) {
        g->arrays = strata_allocate((size_t)g->ranks, STRATA_ARRAY_BYTES);
    }
    return g->arrays ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* The execution is all zero before, so only what is not is set. */
static int bind_call(struct strata_call *c)
{
    struct strata_group *g = c->state->group;
    struct strata_binding *binding = c->binding;
    struct strata_execution *x = c->x;
    int error = find_arrays(g);

    if (error != MPI_SUCCESS) {
        return error;
    }
    binding->comm = g->comm;
    binding->arrays = g->arrays;
    error = strata_bind(c->signature, x->plan, binding);
    x->nodes = g->topology;
    x->input = binding->input;
    x->output = binding->output;
    x->work = binding->work;
    x->op = &binding->combination.base;
    x->in_place = c->signature->in_place || c->signature->collective == STRATA_BCAST;
    x->memory = x->plan->exchange.staged ? &g->memory : NULL;
    x->transport = &strata_transport_mpi;
    x->transport_self = &g->transport;
    x->team = &g->team;
    x->fixed_scratch = c->entry->fixed_scratch;
    x->check = g->capacity.check;
    return error;
}

static void record(struct strata_call *c)
{
    struct strata_state *state = c->state;

    state->calls++;
    state->last_why = c->why;
    strata_plans_hold(&state->last, c->entry);
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

int strata_call_run(struct strata_call *c)
{
    struct strata_binding binding = {.process = c->process};
    struct strata_execution x = {.plan = c->entry->plan};
    int error;

    if (c->state->group->broken) {
        return strata_call_raise(c, MPI_ERR_OTHER, "a message of an earlier call failed");
    }
    c->binding = &binding;
    c->x = &x;
    error = bind_call(c);
    error = error == MPI_SUCCESS ? run_plan(c)
                                 : strata_call_raise(c, error, "the buffers cannot be used");
    strata_unbind(c->binding);
    return error;
}
