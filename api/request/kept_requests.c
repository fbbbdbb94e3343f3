/* Finished requests, kept for later calls of the same arguments. Such a call has its plan, its
 * binding and its memory at once, and from the second time on its tape.
 *
 * Each rank decides alone which requests it keeps, for a call has the same effect with a new or a
 * kept request: it uses the same plan, the same tags, and a node memory in its turn. */
#include "api/attach/members.h"
#include "api/call/sizes.h"
#include "api/process/process.h"
#include "api/request/request.h"
#include "core/base/seldom.h"

/* The request of a bound call, which is the request's first member. */
static struct strata_request *request_of(struct strata_bound_call *b)
{
    return (struct strata_request *)b;
}

/* Whether a new request would have the same plan. All ranks know that alike, apart from what the
 * call's arguments say. */
static inline bool same_plan(const struct strata_request *r, struct strata_state *state)
{
    const struct strata_plan_key *key = &r->bound.call.entry->key;
    const struct strata_call_statistics *statistics;
    if (r->bound.call.entry->dropped || r->choices != state->choices ||
        key->messages_only != (r->sequence->memories.count == 0)) {
        return false;
    }
    if (!strata_sizes_agree(key->collective) && !strata_collective_one_knows(key->collective)) {
        return true;
    }
    statistics = strata_sizes_of(state, key->collective);
    return statistics->bucket == key->bucket && statistics->most == key->most;
}

/* Takes a kept request; its sequence counts it again. NULL: there is none. */
static struct strata_request *take(struct strata_state *state, const struct strata_signature *call,
                                   bool checked)
{
    struct strata_sequence *s = state->sequence;
    struct strata_bound_call **at = &s->kept.of[call->collective];
    struct strata_request *r = NULL;
    strata_requests_lock();
    while (*at && !(strata_snapshot_same_call(&(*at)->own, call, checked) &&
                    same_plan(request_of(*at), state))) {
        at = &(*at)->next;
    }
    if (*at) {
        r = request_of(strata_bound_pop(&s->kept, at));
        strata_plan_table_use(&s->plans, r->bound.call.entry);
    }
    strata_requests_unlock();
    if (r) {
        strata_sequence_hold(&strata_process_here, s);
    }
    return r;
}

/* The state of a thread that may not call MPI as it likes is never the one found last. */
static struct strata_state *find_state(MPI_Comm comm)
{
    const unsigned changes = strata_changes_now(&strata_process_here);
    const struct strata_thread *thread = strata_mpi_guarded() ? strata_thread_find(comm) : NULL;
    return thread ? thread->state : strata_state_found(comm, changes);
}

struct strata_request *strata_request_again(const struct strata_signature *call)
{
    struct strata_state *state = find_state(call->comm);
    struct strata_request *r = NULL;
    if (state && state->sequence) {
        r = take(state, call, false);
    }
    if (r && r->bound.state == STRATA_CALL_BOUND) {
        strata_request_foresee(r);
    }
    return r;
}

int strata_request_like(struct strata_call *c, struct strata_request **request)
{
    struct strata_request *r = c->state->sequence ? take(c->state, c->signature, true) : NULL;
    int error = r ? strata_request_rebind(r, c) : MPI_SUCCESS;
    *request = error == MPI_SUCCESS ? r : NULL;
    if (error != MPI_SUCCESS) {
        strata_request_destroy(r);
    } else if (r && r->bound.state == STRATA_CALL_BOUND) {
        strata_request_foresee(r);
    }
    return error;
}

/* Destroys the kept requests of a communicator that is gone. */
static void destroy(struct strata_bound_calls *kept)
{
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        while (kept->of[c]) {
            strata_request_forget(request_of(strata_bound_pop(kept, &kept->of[c])));
        }
    }
}

void strata_request_keep(struct strata_request *r)
{
    struct strata_sequence *s = r->sequence;
    struct strata_bound_call *old = NULL;
    r->has_memory = false; /* the next call takes a node memory in its turn */
    strata_requests_lock();
    s->kept.destroy = destroy;
    strata_bound_push(&s->kept, &r->bound);
    if (s->kept.count > STRATA_SEQUENCE_DEPTH) {
        old = strata_bound_pop(&s->kept, strata_bound_oldest(&s->kept, false));
    }
    strata_requests_unlock();
    if (old) {
        strata_request_forget(request_of(old));
    }
    strata_sequence_drop(&strata_process_here, s);
}
