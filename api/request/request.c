/* The making of requests. */
#include "api/request/request.h"

#include "api/call/arguments.h"
#include "api/call/explain.h"
#include "api/life/life.h"
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

int strata_request_create(const struct strata_signature *call, bool persistent, MPI_Info info,
                          struct strata_request **request)
{
    struct strata_signature signature = *call;
    struct strata_call c = {.process = strata_process(), .signature = &signature, .why = ""};
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
    if (!c.state) {
        return strata_call_raise(&c, MPI_ERR_NO_MEM, "out of memory");
    }
    strata_explain_meet(c.process, c.state);
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
        strata_attach(c.process, c.state, false);
        if (agrees(c.state)) {
            return strata_request_initialise(&c, (struct strata_checked){error, text}, info,
                                             request);
        }
    }
    if (error != MPI_SUCCESS) {
        c.state->refused =
            c.state->refused || (persistent && c.state->standing == STRATA_STANDING_WAITING);
        return strata_call_raise(&c, error, text);
    }
    if (!persistent) {
        error = strata_request_like(&c, request);
        if (error != MPI_SUCCESS || *request) {
            return error;
        }
    }
    return create(&c, persistent, request);
}
