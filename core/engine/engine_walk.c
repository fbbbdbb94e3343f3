/* Walks a plan, with one function for each step kind, as far as it can go. */
#include "core/engine/engine_walk.h"

#include "core/base/seldom.h"
#include "core/engine/engine_blocks.h"
#include "core/engine/engine_epochs.h"
#include "core/engine/engine_family.h"
#include "core/engine/single_copy.h"

static strata_run_step *const run[STRATA_STEP_COUNT] = {
#define STRATA_RUN_ROW(id, word, ...) [STRATA_STEP_##id] = strata_run_##word,
    STRATA_RUN_STEP_TABLE(STRATA_RUN_ROW)
#undef STRATA_RUN_ROW
};

static uint64_t last_epoch(const struct strata_execution *x)
{
    return x->progress.epoch + (uint64_t)x->plan->limits.passes - 1;
}

/* After an error, tells the node's members not to wait for this rank. It touches neither slot nor
 * landing, because others may still be reading what the call before left there. If all lanes are
 * final already, the failure is this rank's alone, unless local peers may be reading blocks that it
 * exposes. */
static void tell_node(struct strata_execution *x)
{
    struct strata_ring *r = x->ring;
    uint64_t last = last_epoch(x);
    const _Atomic uint64_t *mine = strata_ring_signal(r, r->me, last);
    if (x->progress.exposes ||
        atomic_load_explicit(mine, memory_order_relaxed) <
            strata_stamp(last, STRATA_SIGNAL_DONE) + strata_call_mark(x->plan)) {
        r->epoch = strata_pass_epoch(x);
        strata_node_memory_break(x->memory);
    }
}

static inline void leave(struct strata_execution *x)
{
    if (x->plan->exchange.staged && !x->progress.departed) {
        strata_leave_epoch(x, x->ring, last_epoch(x));
        x->ring->epoch = last_epoch(x) + 1;
        x->progress.departed = true;
    }
}

/* Whether a local peer has failed; called after the last read of exposed blocks. The fence, and its
 * partner in break_ring, order that read before this look. Otherwise the read might see bytes that
 * a peer wrote after it failed. */
static bool lost_peer(const struct strata_execution *x)
{
    int member = 0;
    atomic_thread_fence(memory_order_acquire);
    while (member < x->ring->members && !strata_ring_lost(x->ring, member, last_epoch(x))) {
        member++;
    }
    return member < x->ring->members;
}

/* Ends a call with exposed blocks, which others may still be reading. A local peer that failed did
 * not wait for me, so bytes that I read of its memory may be newer than the call. */
static STRATA_SELDOM int part(struct strata_execution *x)
{
    int status = x->long_blocks ? strata_take_direct(x) : STRATA_OK;
    if (status != STRATA_OK) {
        return status;
    }
    leave(x);
    status = strata_family_of(x->plan)->part(x);
    return status == STRATA_OK && lost_peer(x) ? STRATA_ERR_TRANSPORT : status;
}

static inline int finish(struct strata_execution *x)
{
    leave(x);
    if (x->plan->limits.passes > 1) {
        strata_engine_slice(x, 0); /* the layouts are again as the caller gave them */
    }
    bool agrees = x->plan->exchange.lanes > 0 || strata_agrees_on_sizes(x->plan);
    if (agrees && strata_in_step(x) && !x->abandoned) {
        x->agreed = (struct strata_agreed){true, x->progress.largest, x->progress.load};
    }
    return x->progress.status;
}

static STRATA_SELDOM int fail(struct strata_execution *x, int error)
{
    if (strata_in_step(x) && error != x->progress.status) {
        x->progress.status = STRATA_OK; /* the error that was noted matters no more */
    }
    strata_record_error(x, error, "rank %d: %s in step %d (%s)", x->plan->rank,
                        strata_error_text(error), x->cursor.at, strata_cursor_label(&x->cursor));
    x->transport->abandon(x->transport_self);
    x->abandoned = true;
    if (x->plan->exchange.staged) {
        tell_node(x);
    }
    return finish(x);
}

void strata_engine_requests(const struct strata_plan *plan, int requests[STRATA_TRAFFIC_KINDS])
{
    strata_family_of(plan)->requests(plan, requests);
}

static int reserve(struct strata_execution *x)
{
    int requests[STRATA_TRAFFIC_KINDS];
    strata_engine_requests(x->plan, requests);
    return x->transport->reserve(x->transport_self, requests[STRATA_LANE_TRAFFIC],
                                 requests[STRATA_DIRECT_TRAFFIC]);
}

/* Clears the progress of a walk that begins. */
static void clear(struct strata_execution *x)
{
    struct strata_engine_progress *p = &x->progress;
    p->posted[STRATA_LANE_TRAFFIC] = p->posted[STRATA_DIRECT_TRAFFIC] = 0;
    p->pass = p->nopen_recv = p->nopen_blocks = p->direct_taken = 0;
    p->peer_failed = p->parted = p->directs_differ = p->saving = p->departed = p->asking = false;
    p->pack_used = p->saved_used = p->kept_used = p->taken = 0;
    p->early = 0;
    p->exposes = x->plan->blocks.exposes;
    p->deferred.from = NULL;
    strata_cursor_begin(&x->cursor, x->plan);
}

/* Clears the results too: no error is noted, and no size is known. */
static void reset(struct strata_execution *x)
{
    clear(x);
    x->progress.status = STRATA_OK;
    x->message.text[0] = '\0';
    x->agreed = (struct strata_agreed){false, 0, 0};
    x->count = (struct strata_traffic_count){0};
    x->abandoned = false;
    if (x->plan->exchange.staged) {
        strata_find_epoch(x);
    }
}

int strata_engine_foresee(struct strata_execution *x)
{
    reset(x);
    strata_family_of(x->plan)->start(x);
    return x->progress.status;
}

int strata_walk_start(struct strata_execution *x)
{
    reset(x);
    strata_family_of(x->plan)->start(x);
    int error = reserve(x);
    if (error != STRATA_OK) {
        fail(x, error);
        x->abandoned = false; /* no message was under way */
    }
    return error;
}

int strata_engine_decline(struct strata_execution *x, int error)
{
    reset(x);
    return fail(x, error);
}

int strata_engine_give_up(struct strata_execution *x, int error)
{
    return fail(x, error);
}

/* Begins a pass; the pass before is over. */
static void begin_pass(struct strata_execution *x)
{
    if (x->plan->exchange.staged) {
        strata_leave_epoch(x, x->ring, strata_pass_epoch(x) - 1);
    }
    x->progress.pass = x->cursor.pass;
    if (strata_plan_slices(x->plan)) {
        strata_next_slice(x);
    }
}

static int walk(struct strata_execution *x)
{
    const struct strata_step *step;
    while ((step = strata_cursor_step(&x->cursor))) {
        if (x->cursor.pass > x->progress.pass) {
            begin_pass(x);
        }
        int result = run[step->op](x, step);
        if (result != STRATA_OK) {
            return result;
        }
        x->cursor.at++; /* the cursor stands at the step that has run */
    }
    return STRATA_OK;
}

/* Walks the plan from step `at` on. */
static int walk_from(struct strata_execution *x, int at)
{
    strata_family_of(x->plan)->start(x);
    int error = reserve(x);
    if (error != STRATA_OK) {
        return error;
    }
    while (strata_cursor_step(&x->cursor) && x->cursor.at != at) {
        x->cursor.at++;
    }
    return walk(x);
}

/* Turns the result of a walk into the result of the call. */
static int settle(struct strata_execution *x, int result)
{
    if (result == STRATA_OK && x->progress.exposes) {
        result = part(x);
    }
    if (result == STRATA_PENDING) {
        return STRATA_PENDING;
    }
    return result == STRATA_OK ? finish(x) : fail(x, result);
}

int strata_walk_from_tape(struct strata_execution *x, int at, int result)
{
    clear(x);
    if (result == STRATA_TAPE_LEFT) {
        x->tape = NULL;
        return settle(x, walk_from(x, at));
    }
    x->cursor.at = at;
    return settle(x, result);
}

int strata_walk_advance(struct strata_execution *x)
{
    if (x->progress.exposes) {
        strata_answer(x);
    }
    return settle(x, walk(x));
}
