/* The start of a request. */
#include "api/attach/settings.h"
#include "api/call/bound_call.h"
#include "api/call/explain.h"
#include "api/process/process.h"
#include "api/process/recorded.h"
#include "api/request/parts.h"
#include "core/base/seldom.h"

static void explain(const struct strata_request *r, struct strata_state *state)
{
    struct strata_signature signature = r->bound.own;
    const struct strata_call c = {.process = &strata_process_here,
                                  .signature = &signature,
                                  .state = state,
                                  .entry = r->bound.call.entry,
                                  .why = r->bound.call.why};
    strata_explain_started(&c, r->persistent ? STRATA_PERSISTENT : STRATA_NONBLOCKING, r->bucket);
}

/* Tells of each start, and explains it. */
static STRATA_SELDOM void tell(const struct strata_request *r, struct strata_state *state)
{
    const struct strata_signature *own = &r->bound.own;
    if (strata_process_here.explain.on) {
        explain(r, state);
    }
    if (strata_record_served) {
        strata_record_served(own->comm, own->collective,
                             r->sequence ? r->bound.call.entry->algorithm : NULL);
    }
}

/* Records the request for strata_comm_report. */
static STRATA_SELDOM void record(const struct strata_request *r, struct strata_state *state)
{
    enum strata_collective collective = r->bound.own.collective;
    bool watched = strata_watched;
    if (watched) {
        tell(r, state);
    }
    state->recorded = r->sequence && !watched ? r : NULL;
    state->last_why = r->bound.call.why;
    state->last_forced = state->forced >> collective & 1;
    state->last = NULL;
    state->missed_bits = !r->sequence && strata_same_bits(state, collective);
    if (r->bound.call.entry) {
        state->begun = *r->bound.call.entry;
        state->begun.plan = NULL; /* the plan may go before the state */
        state->last = &state->begun;
    }
}

STRATA_SELDOM void strata_requests_expect(struct strata_state *state)
{
    if (!state->beside) {
        state->beside = true;
        state->native = 0;
        for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
            strata_bound_pass_none(state, (enum strata_collective)c);
        }
    }
}

static inline void count(const struct strata_request *r, struct strata_state *state)
{
    if (r->sequence) {
        if (!state->beside) {
            strata_requests_expect(state);
        }
        state->served.plans[r->bound.own.collective]++;
    } else {
        state->served.native[r->bound.own.collective]++;
    }
}

/* Packs again, for the data may have changed since they were bound. */
static STRATA_SELDOM int pack_again(struct strata_request *r)
{
    int error = strata_bind_again(&r->bound.own, &r->bound.binding);
    if (error != MPI_SUCCESS) {
        r->agreed = false;
        strata_request_step_out(r, r->sequence);
        strata_raise(r->bound.own.comm, error, strata_collective_name(r->bound.own.collective),
                     "the buffers cannot be used");
    }
    return error;
}

static STRATA_SELDOM int refuse(const struct strata_request *r)
{
    return strata_raise(r->bound.own.comm, MPI_ERR_OTHER,
                        strata_collective_name(r->bound.own.collective),
                        "an earlier call failed on this rank");
}

/* Notes the start in the communicator's state. The request of a plan finds the state in its
 * sequence, if the state still exists. */
static inline void note(const struct strata_request *r)
{
    struct strata_process *process = &strata_process_here;
    struct strata_state *state = r->sequence ? NULL : strata_state_find(process, r->bound.own.comm);
    strata_states_lock(process);
    state = r->sequence ? r->sequence->state : state;
    if (state && (state->recorded != r || state->last != &state->begun)) {
        record(r, state);
    }
    if (state) {
        count(r, state);
    }
    strata_states_unlock(process);
}

/* What `start` returns for a request with parts, whose calls are started and noted one by one. */
enum { IN_PARTS = -1 };

int strata_request_start_native(struct strata_request *r)
{
    return strata_native_start(r->apart ? strata_apart_copy(r->apart) : &r->bound.own, &r->native);
}

/* Starts any request, whatever else is open. */
static __attribute__((noinline)) int start(struct strata_request *r)
{
    int error = MPI_SUCCESS;
    if (r->parts) {
        strata_parts_start(r->parts);
        return IN_PARTS;
    }
    if (!r->sequence) {
        error = strata_request_start_native(r);
    } else if (r->persistent && r->bound.binding.holds && !strata_sequence_broken(r->sequence)) {
        error = pack_again(r);
    }
    if (error != MPI_SUCCESS) {
        return error;
    }
    r->code = MPI_SUCCESS;
    return strata_requests_start(r) ? MPI_SUCCESS : refuse(r);
}

int strata_request_start(struct strata_request *r)
{
    if (!strata_request_is_plain(r) || !strata_requests_start_taped(r)) {
        int error = start(r);
        if (error != MPI_SUCCESS) {
            return error == IN_PARTS ? MPI_SUCCESS : error;
        }
    }
    note(r);
    return MPI_SUCCESS;
}

int strata_request_begin(const struct strata_signature *call, struct strata_request **request)
{
    struct strata_request *r = request ? strata_request_again(call) : NULL;
    int error = MPI_SUCCESS;
    if (!r) {
        error = strata_request_create(call, false, MPI_INFO_NULL, request ? &r : NULL);
    }
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
