/* A request's start. */
#include "api/attach/process.h"
#include "api/attach/settings.h"
#include "api/request/request.h"

/* What strata_comm_report says of it, unless it says so already. */
static void record(const struct strata_request *r, struct strata_state *state)
{
    enum strata_collective collective = r->signature.collective;

    if (state->recorded == r && state->last == &state->begun) {
        return;
    }
    state->recorded = r->sequence ? r : NULL;
    state->last_why = r->why;
    state->last_forced = state->forced >> collective & 1;
    state->last = NULL;
    state->missed_bits = !r->sequence && strata_same_bits(state, collective);
    if (r->entry) {
        state->begun = *r->entry;
        state->begun.plan = NULL; /* which may go before the state */
        state->last = &state->begun;
    }
}

static void count(const struct strata_request *r, struct strata_state *state)
{
    if (r->sequence) {
        state->beside = true;
        state->served.plans[r->signature.collective]++;
    } else {
        state->served.native[r->signature.collective]++;
    }
}

/* What was packed when it was bound may be other data by now. */
static int pack_again(struct strata_request *r)
{
    int error = strata_request_lay_out(r);

    if (error != MPI_SUCCESS) {
        r->agreed = false;
        strata_request_step_out(r, r->sequence);
        strata_raise(r->signature.comm, error, strata_collective_name(r->signature.collective),
                     "the buffers cannot be used");
    }
    return error;
}

static int start_plan(struct strata_request *r)
{
    if (r->sequence->broken) {
        return strata_raise(r->signature.comm, MPI_ERR_OTHER,
                            strata_collective_name(r->signature.collective),
                            "an earlier call failed on this rank");
    }
    return r->persistent && r->binding.holds ? pack_again(r) : MPI_SUCCESS;
}

/* A plan's request knows its communicator's state, if that is still there. */
int strata_request_start(struct strata_request *r)
{
    int error = r->sequence ? start_plan(r) : strata_native_start(&r->signature, &r->native);
    struct strata_state *state;

    if (error != MPI_SUCCESS) {
        return error;
    }
    r->code = MPI_SUCCESS;
    state =
        r->sequence ? r->sequence->state : strata_state_find(strata_process(), r->signature.comm);
    if (state) {
        record(r, state);
        count(r, state);
    }
    strata_beside_lock();
    strata_beside_add(r);
    strata_beside_advance();
    strata_beside_unlock();
    return MPI_SUCCESS;
}

int strata_request_begin(const struct strata_signature *asked, struct strata_request **request)
{
    struct strata_request *r = NULL;
    int error = strata_request_create(asked, false, request ? &r : NULL);

    if (error == MPI_SUCCESS && r) {
        error = strata_request_start(r);
    }
    if (error == MPI_SUCCESS && request) {
        *request = r;
    } else if (r) {
        strata_request_destroy(r);
    }
    return error;
}
