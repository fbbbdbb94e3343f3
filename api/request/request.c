#include "api/request/request.h"

#include "api/attach/process.h"
#include "api/attach/settings.h"
#include "api/call/lengths.h"
#include "api/call/plans.h"
#include "api/call/prepared.h"
#include "api/call/run.h"
#include "api/types/reduction_operator.h"
#include "core/base/memory.h"

/* A rank without memory is out of step, for the others go on. */
static void step_out(struct strata_sequence *sequence)
{
    strata_beside_lock();
    sequence->broken = true;
    strata_beside_unlock();
}

static int out_of_memory(const struct strata_call *c)
{
    if (c->state && c->state->sequence) {
        step_out(c->state->sequence);
    }
    return strata_call_raise(c, MPI_ERR_NO_MEM, "out of memory");
}

/* Why plans serve no call of this communicator, or with this operator, that does not block; alike
 * on all ranks. NULL: they do. */
static const char *excluded(const struct strata_call *c)
{
    const struct strata_signature *s = c->signature;

    if (c->state->standing != STRATA_STANDING_ATTACHED) {
        return "MPI's own: not attached, which calls that do not block leave to others";
    }
    if (!c->state->sequence) {
        return "MPI's own: too many communicators of one group, or a simulated cluster";
    }
    if (strata_collective_reduces(s->collective) && !strata_operator_predefined(s->op)) {
        return "MPI's own: the operator is the program's, which may free it at once";
    }
    return NULL;
}

/* The entry of a call that plans may serve; without it MPI's own does. */
static int find_entry(struct strata_call *c)
{
    struct strata_sequence *sequence = c->state->sequence;
    struct strata_diagnostic message = {"out of memory"};
    struct strata_plan_key key;
    int error = strata_call_key(c, &key);

    if (error == MPI_ERR_NO_MEM) {
        step_out(sequence);
    }
    if (error != MPI_SUCCESS || *c->why) {
        return error;
    }
    strata_beside_lock();
    error = strata_plans_find_beside(sequence->group, &sequence->plans, &key, &c->entry, &message);
    strata_beside_unlock();
    if (error == STRATA_ERR_MEMORY) {
        step_out(sequence);
    }
    return error == STRATA_OK ? MPI_SUCCESS
                              : strata_call_raise(c, strata_error_class(error), message.text);
}

/* The engine's view of the request's own arguments. */
static int lay_out(struct strata_request *r)
{
    struct strata_lengths lengths = {.spare = NULL};
    struct strata_call c = {.process = r->binding.process,
                            .signature = &r->signature,
                            .entry = r->entry,
                            .binding = &r->binding,
                            .x = &r->x};
    int error;

    strata_unbind(&r->binding);
    r->binding.arrays_used = 0;
    error = strata_bind(&r->signature, &r->binding, &r->x);
    r->x.in_place = r->signature.in_place || r->signature.collective == STRATA_BCAST;
    return error == MPI_SUCCESS ? strata_lengths_find(&c, &lengths) /* its plan tells none: local */
                                : error;
}

static int bind(struct strata_request *r, struct strata_process *process)
{
    struct strata_group *g = r->sequence->group;
    bool varying = strata_collective_info[r->signature.collective].varying;
    int error = strata_request_own(r);

    strata_execution_equip(&r->x, g, r->entry->plan);
    r->x.team = NULL; /* the program's threads may be at work */
    r->x.op = &r->binding.combination.base;
    r->binding.process = process;
    r->binding.comm = g->comm;
    r->binding.arrays = strata_allocate(varying ? (size_t)g->ranks : 0, STRATA_ARRAY_BYTES);
    if (error == MPI_SUCCESS) {
        error = r->binding.arrays ? lay_out(r) : MPI_ERR_NO_MEM;
    }
    if (error == MPI_SUCCESS) {
        r->x.scratch = strata_allocate(strata_call_scratch_bytes(&r->x), 1);
        error = r->x.scratch ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    }
    return error;
}

/* By the plan of the call's entry. */
static int plan_request(struct strata_request *r, struct strata_call *c)
{
    int error;

    r->sequence = c->state->sequence;
    strata_sequence_hold(c->process, r->sequence);
    strata_beside_lock();
    strata_selection_entry_hold(&r->entry, c->entry);
    strata_beside_unlock();
    error = bind(r, c->process);
    if (error != MPI_SUCCESS) {
        step_out(r->sequence);
        return strata_call_raise(c, error, "the buffers cannot be used");
    }
    return MPI_SUCCESS;
}

/* MPI keeps what it needs; of a persistent request it is told anew at each start. */
static int native_request(struct strata_request *r, struct strata_call *c)
{
    int error = r->persistent && !c->state->inter ? strata_request_own(r) : MPI_SUCCESS;

    strata_beside_lock();
    strata_selection_entry_hold(&r->entry, c->entry);
    strata_beside_unlock();
    r->why = c->why;
    r->native = MPI_REQUEST_NULL;
    return error == MPI_SUCCESS ? error : out_of_memory(c);
}

static int create(struct strata_call *c, bool persistent, struct strata_request **request)
{
    struct strata_request *r = strata_allocate(1, sizeof *r);
    int error = MPI_SUCCESS;

    if (!r) {
        return out_of_memory(c);
    }
    r->persistent = persistent;
    r->signature = *c->signature;
    r->why = "";
    const char *why = excluded(c);
    if (why) {
        c->why = why;
    } else {
        error = find_entry(c);
    }
    if (error == MPI_SUCCESS) {
        error = c->entry && c->entry->plan ? plan_request(r, c) : native_request(r, c);
    }
    if (error != MPI_SUCCESS) {
        strata_request_destroy(r);
        return error;
    }
    *request = r;
    return MPI_SUCCESS;
}

int strata_request_create(const struct strata_signature *asked, bool persistent,
                          struct strata_request **request)
{
    struct strata_signature signature = *asked;
    struct strata_call c = {.process = strata_process(), .signature = &signature, .why = ""};
    const char *text = "";
    int error;

    if (!c.process) {
        return strata_call_raise(&c, MPI_ERR_OTHER, "MPI is not running");
    }
    if (signature.comm == MPI_COMM_NULL) {
        return strata_call_raise(&c, MPI_ERR_COMM, "the communicator is MPI_COMM_NULL");
    }
    if (!request) {
        return strata_call_raise(&c, MPI_ERR_ARG, "request is null");
    }
    c.state = strata_state_find(c.process, signature.comm);
    if (!c.state) {
        return out_of_memory(&c);
    }
    error = strata_call_check(&c, &text);
    if (persistent) { /* it is collective, and may wait for others; before a call is refused */
        strata_attach(c.process, c.state, false);
    }
    return error == MPI_SUCCESS ? create(&c, persistent, request)
                                : strata_call_raise(&c, error, text);
}

void strata_request_destroy(struct strata_request *r)
{
    strata_request_disown(r);
    strata_unbind(&r->binding);
    strata_release(r->binding.arrays);
    strata_release(r->x.scratch);
    strata_beside_lock();
    strata_selection_entry_hold(&r->entry, NULL);
    strata_beside_unlock();
    if (r->sequence) {
        strata_sequence_drop(&strata_process_here, r->sequence);
    }
    strata_release(r);
}

/* What strata_comm_report says of it. */
static void record(const struct strata_request *r, struct strata_state *state)
{
    enum strata_collective collective = r->signature.collective;

    state->last_why = r->why;
    state->last_forced = state->forced >> collective & 1;
    state->last = NULL;
    state->missed_bits = !r->sequence && strata_same_bits(state, collective);
    if (r->entry) {
        state->begun = *r->entry;
        state->begun.plan = NULL; /* which may go before the state */
        state->last = &state->begun;
    }
    if (r->sequence) {
        state->beside = true;
        state->served.plans[collective]++;
    } else {
        state->served.native[collective]++;
    }
}

/* What was packed when it was bound may be other data by now. */
static int pack_again(struct strata_request *r)
{
    int error = lay_out(r);

    if (error != MPI_SUCCESS) {
        step_out(r->sequence);
        strata_raise(r->signature.comm, error, strata_collective_name(r->signature.collective),
                     "the buffers cannot be used");
    }
    return error;
}

int strata_request_start(struct strata_request *r)
{
    struct strata_process *process = strata_process();
    struct strata_state *state = strata_state_find(process, r->signature.comm);
    int error = MPI_SUCCESS;

    r->code = MPI_SUCCESS;
    if (r->sequence && r->sequence->broken) {
        return strata_raise(r->signature.comm, MPI_ERR_OTHER,
                            strata_collective_name(r->signature.collective),
                            "an earlier call failed on this rank");
    }
    if (!r->sequence) {
        error = strata_native_start(&r->signature, &r->native);
    } else if (r->persistent && r->binding.holds) {
        error = pack_again(r);
    }
    if (error != MPI_SUCCESS) {
        return error;
    }
    if (state) {
        record(r, state);
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
