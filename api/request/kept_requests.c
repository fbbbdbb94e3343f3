/* Requests that are over, kept for the next calls like theirs: such a call has its plan, its
 * binding and its memory at once, and from the second time on its tape.
 *
 * Each rank keeps what it likes, for a call comes to the same whether its request is new or not:
 * the same plan, the same tags, and a room in its turn. */
#include <string.h>

#include "api/call/sizes.h"
#include "api/process/process.h"
#include "api/request/request.h"
#include "core/base/seldom.h"

/* Whether the program's array, of a number for each block, holds what it held. */
static bool same_array(const void *kept, const void *asked, int blocks, size_t size)
{
    return kept && asked ? memcmp(kept, asked, (size_t)blocks * size) == 0 : kept == asked;
}

/* Whether the side of the request's call is what the program asks for now: out of the same buffer,
 * or, where the call was checked, out of any. */
static bool same_side(const struct strata_signature *s, const struct strata_side *kept,
                      const struct strata_side *asked, bool checked)
{
    const int blocks = strata_side_blocks(s, kept);
    const bool same = checked ? kept->part == asked->part : kept->buffer == asked->buffer;

    if (!same || kept->part == STRATA_NONE) {
        return same;
    }
    if (!strata_side_varies(s, kept)) { /* a reduce_scatter's count is one of the other side's */
        return kept->type == asked->type && (asked->counts || kept->count == asked->count);
    }
    return same_array(kept->counts, asked->counts, blocks, sizeof *kept->counts) &&
           same_array(kept->displs, asked->displs, blocks, sizeof *kept->displs) &&
           (kept->types ? same_array(kept->types, asked->types, blocks, sizeof *kept->types)
                        : kept->type == asked->type);
}

static inline bool same_call(const struct strata_signature *kept,
                             const struct strata_signature *asked, bool checked)
{
    return kept->collective == asked->collective && kept->comm == asked->comm &&
           kept->op == asked->op && kept->root == asked->root &&
           same_side(kept, &kept->recv, &asked->recv, checked) &&
           same_side(kept, &kept->send, &asked->send, checked);
}

/* Whether a new request would have the same plan: all ranks know that alike, but for what the call
 * itself says. */
static inline bool same_plan(const struct strata_request *r, struct strata_state *state)
{
    const struct strata_plan_key *key = &r->entry->key;
    const struct strata_figures *figures;

    if (r->entry->dropped || r->choices != state->choices ||
        key->messages_only != (r->sequence->rooms.count == 0)) {
        return false;
    }
    if (!strata_sizes_agree(key->collective) && !strata_sizes_asked(key->collective)) {
        return true;
    }
    figures = strata_sizes_of(state, key->collective);
    return figures->bucket == key->bucket && figures->most == key->most;
}

/* It counts as one that is there again. NULL: there is none. */
static struct strata_request *take(struct strata_state *state, const struct strata_signature *asked,
                                   bool checked)
{
    struct strata_sequence *s = state->sequence;
    struct strata_request **at, *r;

    strata_beside_lock();
    at = &s->kept;
    while (*at && !(same_call(&(*at)->signature, asked, checked) && same_plan(*at, state))) {
        at = &(*at)->next;
    }
    r = *at;
    if (r) {
        *at = r->next;
        s->nkept--;
        strata_plan_table_use(&s->plans, r->entry);
    }
    strata_beside_unlock();
    if (r) {
        strata_sequence_hold(&strata_process_here, s);
    }
    return r;
}

static STRATA_SELDOM void meet(struct strata_request *r)
{
    r->met = true;
    strata_request_foresee(r);
}

struct strata_request *strata_request_again(const struct strata_signature *asked)
{
    const unsigned changes = strata_changes_now(&strata_process_here);
    struct strata_state *state = strata_state_found(asked->comm, changes);
    struct strata_request *r = NULL;

    if (state && state->sequence) {
        r = take(state, asked, false);
    }
    if (r && !r->met) {
        meet(r);
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
    } else if (r && !r->met) {
        meet(r);
    }
    return error;
}

/* One that is in no list. */
static struct strata_request *oldest(struct strata_sequence *s)
{
    struct strata_request **at = &s->kept, *r;

    while ((*at)->next) {
        at = &(*at)->next;
    }
    r = *at;
    *at = NULL;
    s->nkept--;
    return r;
}

/* Of a communicator that is gone. */
static void forget(struct strata_sequence *s)
{
    while (s->kept) {
        strata_request_forget(oldest(s));
    }
}

void strata_request_keep(struct strata_request *r)
{
    struct strata_sequence *s = r->sequence;
    struct strata_request *old = NULL;

    r->has_room = false; /* it takes one anew, in its turn */
    strata_beside_lock();
    r->next = s->kept;
    s->kept = r;
    s->forget = forget;
    if (++s->nkept > STRATA_SEQUENCE_PLACES) {
        old = oldest(s);
    }
    strata_beside_unlock();
    if (old) {
        strata_request_forget(old);
    }
    strata_sequence_drop(&strata_process_here, s);
}
