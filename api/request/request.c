/* The making of requests. */
#include "api/request/request.h"

#include "api/call/arguments.h"
#include "api/call/explain.h"
#include "api/life/life.h"
#include "api/process/by_mpi.h"
#include "core/base/memory.h"

static int create(struct strata_call *c, bool persistent, struct strata_request **request)
{
    const struct strata_request none = {.agreed = false};
    struct strata_described d = {.request = strata_allocate(1, sizeof *d.request)};
    int error;
    if (!d.request) {
        return strata_request_out_of_memory(&none, c);
    }
    d.request->persistent = persistent;
    error = strata_request_make(c, &d);
    if (error != MPI_SUCCESS) {
        strata_request_destroy(d.request);
        return error;
    }
    *request = d.request;
    return MPI_SUCCESS;
}

/* Whether the ranks of the communicator agree on persistent calls. */
static bool agrees(const struct strata_state *state)
{
    return state->standing == STRATA_STANDING_ATTACHED && state->sequence;
}

/* What a new request asks MPI: see api/process/by_mpi.h. */
struct asking {
    struct strata_call *call;
    bool persistent;
    struct strata_request **request;
};

/* Takes a kept request, or makes one. */
static int ask_request(void *argument)
{
    const struct asking *a = argument;
    if (!a->persistent) {
        const int error = strata_request_like(a->call, a->request);
        if (error != MPI_SUCCESS || *a->request) {
            return error;
        }
    }
    return create(a->call, a->persistent, a->request);
}

struct initialising {
    struct strata_checked checked;
    MPI_Info info;
    struct strata_request **request;
};

static int initialise(struct strata_call *c, void *argument)
{
    const struct initialising *i = argument;
    return strata_request_initialise(c, i->checked, i->info, i->request);
}

/* Takes part where the ranks attach the communicator, also without memory for a state. */
static int attach(const struct strata_call *c, bool stateless)
{
    if (!stateless) {
        return strata_attach(c->process, c->state, false) ? MPI_SUCCESS
                                                          : strata_attach_failure(c->state);
    }
    if (!c->state->inter) {
        strata_attach_decline(c->process, c->state->comm);
    }
    return MPI_SUCCESS;
}

int strata_request_create(const struct strata_signature *call, bool persistent, MPI_Info info,
                          struct strata_request **request)
{
    struct strata_signature signature = *call;
    struct strata_call c = {.process = strata_process(), .signature = &signature, .why = ""};
    struct asking asking = {&c, persistent, request};
    struct strata_state none;
    struct strata_diagnostic message;
    const char *text = "";
    int error;
    if (!c.process) {
        return strata_call_raise(&c, MPI_ERR_OTHER, "MPI is not running");
    }
    if (signature.comm == MPI_COMM_NULL) {
        return strata_call_raise(&c, MPI_ERR_COMM, "the communicator is MPI_COMM_NULL");
    }
    c.state = strata_state_find(c.process, signature.comm);
    const bool stateless = !c.state;
    if (stateless && !persistent) {
        return strata_call_raise(&c, MPI_ERR_NO_MEM, "out of memory");
    }
    if (stateless) { /* MPI's own serves the call, as on ranks that have a state */
        c.state = &none;
        strata_state_init(&none, signature.comm);
    } else if (!c.state->thread) {
        strata_explain_meet(c.process, c.state);
    }
    error = strata_call_check(&c, &text);
    if (error == MPI_SUCCESS && !request) {
        error = MPI_ERR_ARG;
        text = "request is null";
    }
    if (error != MPI_SUCCESS) {
        text = strata_arguments_say(&signature, error, text, &message);
    }
    if (persistent) { /* collective: it may wait for other ranks, so it comes before a call is
                         refused */
        const int failed = attach(&c, stateless);
        if (failed != MPI_SUCCESS) {
            return failed;
        }
        if (agrees(c.state)) {
            struct initialising i = {{error, text}, info, request};
            return strata_call_guarded(&c, initialise, &i); /* one call, whatever it calls itself */
        }
    }
    if (error != MPI_SUCCESS) {
        c.state->refused =
            c.state->refused || (persistent && c.state->standing == STRATA_STANDING_WAITING);
        return strata_call_raise(&c, error, text);
    }
    return strata_by_mpi(ask_request, &asking);
}
