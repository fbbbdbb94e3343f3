/* Makes what serves a nonblocking or persistent call: the choice of its plan, or of MPI's own, and
 * everything that a start needs. */
#include <string.h>

#include "api/call/execute.h"
#include "api/call/explain.h"
#include "api/call/lengths.h"
#include "api/call/plans.h"
#include "api/process/process.h"
#include "api/request/request.h"
#include "api/types/reduction_operator.h"
#include "core/base/memory.h"
#include "core/engine/engine_sizes.h"
#include "core/engine/tape.h"

void strata_request_step_out(const struct strata_request *r, struct strata_sequence *sequence)
{
    if (!r->agreed) {
        strata_sequence_step_out(sequence);
    }
}

int strata_request_out_of_memory(const struct strata_request *r, const struct strata_call *c)
{
    if (c->state->sequence) {
        strata_request_step_out(r, c->state->sequence);
    }
    return strata_call_raise(c, MPI_ERR_NO_MEM, "out of memory");
}

const char *strata_request_excluded(const struct strata_call *c)
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

int strata_request_key(struct strata_call *c, const struct strata_described *d,
                       struct strata_plan_key *key)
{
    int error = strata_call_key(c, key);
    key->messages_only = c->state->sequence->memories.count == 0;
    key->lengths_known = d->lengths != NULL;
    key->mapped = d->mapped;
    key->degree = 0; /* nonblocking calls agree on nothing, so it might be of other exchanges */
    if (d->sized && (key->left_fold || !strata_choice_native(&key->forced))) {
        strata_plan_key_sizes(key, d->bytes, d->longest);
        key->degree = d->degree;
    }
    return error;
}

static int find_plan(struct strata_call *c, const struct strata_plan_key *key,
                     struct strata_diagnostic *message)
{
    struct strata_sequence *sequence = c->state->sequence;
    strata_requests_lock();
    int error =
        strata_plans_find_nonblocking(sequence->group, &sequence->plans, key, &c->entry, message);
    strata_requests_unlock();
    return error;
}

/* Finds the entry of a call that plans may serve; without an entry MPI's own serves it. */
static int find_entry(struct strata_call *c, const struct strata_described *d)
{
    struct strata_diagnostic message = {"out of memory"};
    struct strata_plan_key key;
    int error = MPI_SUCCESS;
    if (d->key) {
        key = *d->key;
    } else {
        error = strata_request_key(c, d, &key);
    }
    if (error != MPI_SUCCESS) {
        return error;
    }
    error = find_plan(c, &key, &message);
    if (error == STRATA_ERR_MEMORY) {
        strata_request_step_out(d->request, c->state->sequence);
    }
    return error == STRATA_OK ? MPI_SUCCESS
                              : strata_call_raise(c, strata_error_class(error), message.text);
}

/* Lays out the request's own arguments for the engine. */
static int lay_out(struct strata_request *r)
{
    struct strata_lengths lengths = {.spare = NULL};
    int error = strata_bound_lay_out(&r->bound);
    error = error == MPI_SUCCESS
                ? strata_lengths_find(&r->bound.call, &lengths) /* local, for plans of requests
                                                                   never tell lengths */
                : error;
    if (r->lengths) {
        r->bound.x.work.lengths = r->lengths;
    }
    return error;
}

/* Makes room for the lengths of items, which the first start brings. */
static int keep_lengths(struct strata_request *r)
{
    const struct strata_plan *plan = r->bound.call.entry->plan;
    if (!r->persistent || !strata_keeps_lengths(plan, r->bound.x.check)) {
        return MPI_SUCCESS;
    }
    r->bound.kept.word = strata_allocate(strata_kept_words(plan), sizeof *r->bound.kept.word);
    r->bound.x.kept = &r->bound.kept;
    return r->bound.kept.word ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* Reserves messages in each place of the sequence, for a start may get any of them. */
static int make_room(struct strata_request *r)
{
    struct strata_sequence *s = r->sequence;
    int requests[STRATA_TRAFFIC_KINDS], status = STRATA_OK;
    strata_engine_requests(r->bound.call.entry->plan, requests);
    strata_requests_lock();
    for (int i = 0; i < s->depth && status == STRATA_OK; i++) {
        status = strata_transport_mpi_reserve(&s->transport[i], requests);
    }
    strata_requests_unlock();
    return status == STRATA_OK ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* A call that follows its tape starts at once, which a thread may not that may not call MPI. */
void strata_request_foresee(struct strata_request *r)
{
    strata_requests_lock(); /* other requests of the sequence may use the node memory */
    strata_bound_tape(&r->bound, false);
    strata_requests_unlock();
}

/* Whether the next call like this one may take the request over. Its memory must be small
 * (`scratch` bytes are a part of it), and hold nothing of the program's. With STRATA_STALL it may
 * not, for a report would name an earlier communicator. */
static bool may_stay(const struct strata_request *r, size_t scratch)
{
    enum { MOST_SCRATCH = 1 << 16, MOST_RANKS = 1024 };

    return !r->persistent && r->ntypes == 0 && !r->bound.binding.holds && !r->lengths &&
           r->bound.binding.process->config.stall == 0 && scratch <= MOST_SCRATCH &&
           r->sequence->group->ranks <= MOST_RANKS;
}

static int bind(struct strata_request *r, const struct strata_signature *call)
{
    size_t scratch = 0;
    int error = strata_request_own(r, call);
    if (r->bound.call.entry->key.measured > 0) { /* the choice was measured with this transport */
        r->bound.x.transport = &strata_transport_mpi_packing;
    }
    r->bound.x.memory = r->bound.x.memory ? &r->sequence->memories.memory[0] : NULL;
    if (error == MPI_SUCCESS) {
        error = lay_out(r);
    }
    if (error == MPI_SUCCESS) {
        scratch = strata_engine_scratch(&r->bound.x);
        r->bound.x.scratch = strata_allocate(scratch, 1);
        error = r->bound.x.scratch ? keep_lengths(r) : MPI_ERR_NO_MEM;
    }
    if (error == MPI_SUCCESS && r->persistent) {
        error = make_room(r);
    }
    if (error == MPI_SUCCESS && r->persistent) {
        strata_request_foresee(r);
    }
    r->again = error == MPI_SUCCESS && may_stay(r, scratch);
    r->stays = r->persistent && !strata_request_guarded(r);
    return error;
}

/* Notes the communicator's name for reports of STRATA_STALL, when the communicator may be gone. */
static void learn_name(const struct strata_call *c)
{
    struct strata_sequence *sequence = c->state->sequence;
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    if (c->process->config.stall > 0 && sequence) {
        PMPI_Comm_get_name(c->signature->comm, name, &length);
        strata_requests_lock();
        memcpy(sequence->name, name, sizeof name);
        strata_requests_unlock();
    }
}

static int refuse(const struct strata_request *r, const struct strata_call *c, int error)
{
    strata_request_step_out(r, r->sequence);
    return strata_call_raise(c, error, "the buffers cannot be used");
}

int strata_request_rebind(struct strata_request *r, const struct strata_call *c)
{
    const enum strata_bound_state before = r->bound.state;
    int error;
    r->bound.own.send.buffer = c->signature->send.buffer;
    r->bound.own.recv.buffer = c->signature->recv.buffer;
    error = lay_out(r);
    r->bound.state = before; /* blocks lie as before */
    return error == MPI_SUCCESS ? error : refuse(r, c, error);
}

/* Makes a request that a plan serves: the plan of the call's entry. */
static int plan_request(struct strata_request *r, struct strata_call *c)
{
    int error;
    r->sequence = c->state->sequence;
    r->choices = c->state->choices;
    strata_sequence_hold(c->process, r->sequence);
    learn_name(c);
    strata_requests_lock();
    strata_bound_plan(&r->bound, r->sequence->group, c->entry);
    strata_requests_unlock();
    error = bind(r, c->signature);
    return error == MPI_SUCCESS ? error : refuse(r, c, error);
}

/* Makes a request that MPI's own serves. MPI keeps the arguments it needs; a persistent request
 * hands them over at each start. */
static int native_request(struct strata_request *r, struct strata_call *c)
{
    int error =
        r->persistent && !c->state->inter ? strata_request_own(r, c->signature) : MPI_SUCCESS;
    r->stays = r->persistent;
    strata_requests_lock();
    strata_selection_entry_hold(&r->bound.call.entry, c->entry);
    strata_requests_unlock();
    r->bound.call.why = c->why;
    r->native = MPI_REQUEST_NULL;
    if (error == MPI_SUCCESS && strata_apart_due(&r->bound.own, c->judged)) {
        r->apart = strata_apart_create(&r->bound.own); /* without one the call stays in place */
    }
    return error == MPI_SUCCESS ? error : strata_request_out_of_memory(r, c);
}

int strata_request_make(struct strata_call *c, struct strata_described *d)
{
    struct strata_request *r = d->request;
    const char *why = strata_request_excluded(c);
    int error = MPI_SUCCESS;
    r->bound.own = *c->signature;
    r->bound.call.signature = &r->bound.own;
    r->bucket = c->process->explain.on ? strata_explained_bucket(c->signature) : 0;
    r->bound.call.why = "";
    if (!why && d->excluded) {
        why = "MPI's own: the operator is another rank's program's, which may free it at once";
    }
    if (why) {
        c->why = why;
    } else {
        error = find_entry(c, d);
    }
    if (error != MPI_SUCCESS) {
        return error;
    }
    if (!c->entry || !c->entry->plan) {
        return c->state->thread
                   ? strata_call_no_plan(c, c->entry ? c->entry->selection.why : c->why)
                   : native_request(r, c);
    }
    if (c->entry->key.lengths_known) {
        r->lengths = d->lengths;
        d->lengths = NULL;
    }
    return plan_request(r, c);
}
