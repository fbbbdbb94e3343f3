/* Open requests, and what moves them: a thread that waits, tests or asks for progress moves all of
 * them, in the order in which they were begun. */
#include <stdatomic.h>

#include "api/call/execute.h"
#include "api/process/by_mpi.h"
#include "api/process/process.h"
#include "api/request/open_requests.h"
#include "api/request/parts.h"
#include "api/request/request.h"
#include "api/request/turn.h"
#include "core/base/seldom.h"
#include "core/engine/tape.h"

static struct strata_request *first, **end = &first;
static atomic_int under_way; /* written under the lock, and read without it */

int strata_requests_open(void)
{
    return atomic_load_explicit(&under_way, memory_order_relaxed);
}

bool strata_requests_any(void)
{
    return strata_requests_open() > 0 || strata_parts_any();
}

static void count(int more)
{
    int now = atomic_load_explicit(&under_way, memory_order_relaxed);
    atomic_store_explicit(&under_way, now + more, memory_order_relaxed);
}

/* Adds the request to the open ones. */
static void list(struct strata_request *r)
{
    r->next = NULL;
    r->link = end;
    *end = r;
    end = &r->next;
    count(1);
    if (strata_process_here.multiple) {
        strata_requests_help(r);
    }
}

static void take_out(struct strata_request *r)
{
    *r->link = r->next;
    if (r->next) {
        r->next->link = r->link;
    } else {
        end = r->link;
    }
    r->link = NULL;
    count(-1);
}

struct strata_thread_bell strata_requests_bell;

static inline void complete(struct strata_request *r, int code, const char *text)
{
    if (r->link) {
        take_out(r);
    }
    r->code = code;
    r->text = text;
    strata_request_enter(r, STRATA_REQUEST_COMPLETE); /* last: a thread that sees this phase may
                                                         take the request */
    if (strata_mpi_guarded()) {
        strata_thread_bell_ring(&strata_requests_bell);
    }
}

static STRATA_SELDOM void deliver(struct strata_request *r)
{
    complete(r, strata_deliver(&r->bound.own, &r->bound.binding), "unpacking failed");
}

static STRATA_SELDOM void break_off(struct strata_request *r)
{
    strata_sequence_break(r->sequence);
}

/* The plan has ended. */
static inline void finish(struct strata_request *r, int status)
{
    if (r->bound.x.tape) {
        r->sequence->count.copied += r->bound.x.count.copied;
    } else {
        strata_call_count(&r->sequence->count, &r->bound.x.count);
        r->sequence->helped += r->bound.x.shared.helped;
        r->bound.x.shared.helped = 0;
    }
    strata_turn_end(r);
    r->bound.kept.known = true; /* otherwise the sequence is broken, and the plan does not run
                                   again */
    if (r->bound.x.abandoned || strata_sequence_broken(r->sequence)) {
        break_off(r);
    }
    if (status != STRATA_OK) {
        complete(r, strata_error_class(status), r->bound.x.message.text);
    } else if (r->bound.binding.recv.packed) {
        deliver(r);
    } else {
        complete(r, MPI_SUCCESS, NULL);
    }
}

/* A rank that is out of step does not send its messages, nor those that it should pass on. As in
 * blocking calls, this is looked at when a plan has stood still for long. */
static STRATA_SELDOM void look_for_broken(struct strata_request *r)
{
    struct strata_execution *x = &r->bound.x;
    if (!strata_still(&r->still, x)) {
        return;
    }
    if (strata_sequence_lost(r->sequence, x->memory) || x->transport->lost(x->transport_self)) {
        finish(r, strata_engine_give_up(x, STRATA_ERR_TRANSPORT));
    } else if (strata_still_differs(&r->still, x)) {
        finish(r, strata_engine_give_up(x, STRATA_ERR_TRUNCATE));
    }
}

static void advance_plan(struct strata_request *r)
{
    int status = strata_engine_advance(&r->bound.x);
    if (status != STRATA_PENDING) {
        finish(r, status);
    } else {
        look_for_broken(r);
    }
}

static STRATA_SELDOM void refuse(struct strata_request *r)
{
    r->sequence->begun = r->number + 1;
    strata_turn_find_oldest(r->sequence);
    strata_sequence_break(r->sequence);
    complete(r, MPI_ERR_OTHER, "an earlier call failed on this rank");
}

/* Runs a plan whose turn has come. Many plans end at once, and then never hold their place. */
static inline void run_plan(struct strata_request *r)
{
    struct strata_sequence *s = r->sequence;
    int status;
    s->begun = r->number + 1;
    r->still.attempts = 0;
    if (r->bound.x.memory) {
        strata_turn_take_memory(r);
    }
    r->bound.x.tape = strata_bound_follows(&r->bound) ? r->bound.tape : NULL;
    r->bound.x.transport_self = &s->transport[strata_sequence_index(s, r->number)];
    status = strata_engine_begin(&r->bound.x);
    if (status == STRATA_PENDING) {
        strata_turn_hold(r);
    } else {
        finish(r, status);
    }
}

static void begin_plan(struct strata_request *r)
{
    if (strata_turn_has_come(r) && strata_sequence_broken(r->sequence)) {
        refuse(r);
    } else if (strata_turn_has_come(r)) {
        run_plan(r);
    }
}

static void advance_native(struct strata_request *r)
{
    int done = 0;
    int error = PMPI_Test(&r->native, &done, MPI_STATUS_IGNORE);
    if (error != MPI_SUCCESS || done) {
        complete(r, error, NULL); /* MPI has raised it */
    }
}

static void (*const advance[])(struct strata_request *r) = {
    [STRATA_REQUEST_QUEUED] = begin_plan,
    [STRATA_REQUEST_RUNNING] = advance_plan,
    [STRATA_REQUEST_NATIVE] = advance_native,
};

void strata_requests_advance(void)
{
    for (struct strata_request *r = first, *next; r; r = next) {
        next = r->next;
        advance[strata_request_phase(r)](r);
    }
}

/* With no other request open a plan has its turn, and often ends at once. */
static void start_alone(struct strata_request *r)
{
    run_plan(r);
    if (strata_request_phase(r) != STRATA_REQUEST_COMPLETE) {
        list(r);
    }
}

static void start_beside(struct strata_request *r)
{
    strata_request_enter(r, r->sequence ? STRATA_REQUEST_QUEUED : STRATA_REQUEST_NATIVE);
    list(r);
}

/* False: its sequence is broken. */
static bool take_number(struct strata_request *r)
{
    const bool right = !r->sequence || !strata_sequence_broken(r->sequence);
    if (right && r->sequence) {
        r->number = r->sequence->started++;
    }
    return right;
}

/* Where threads may not call MPI as they like, a thread comes to the lock only when it may: so no
 * thread that has the lock waits for another. */
static int do_start(void *argument)
{
    struct strata_request *r = argument;
    strata_requests_lock();
    const bool right = take_number(r);
    if (right && r->sequence && !first) {
        start_alone(r);
    } else if (right) {
        start_beside(r);
        strata_requests_advance();
    }
    strata_requests_unlock();
    return right;
}

/* The main thread begins it when it moves requests. */
static bool leave_to_main(struct strata_request *r)
{
    strata_requests_lock();
    const bool right = take_number(r);
    if (right) {
        start_beside(r);
    }
    strata_requests_unlock();
    strata_mpi_wake();
    return right;
}

bool strata_requests_start(struct strata_request *r)
{
    return strata_mpi_leaves() ? leave_to_main(r) : strata_by_mpi(do_start, r) != 0;
}

static STRATA_SELDOM void stay_open(struct strata_request *r)
{
    r->still.attempts = 0;
    strata_turn_hold(r);
    list(r);
}

/* Does what run_plan and finish would do for a request that follows its tape, where no other
 * request is open. A tape calls no MPI. */
bool strata_requests_start_taped(struct strata_request *r)
{
    struct strata_sequence *s = r->sequence;
    int status;
    if (!strata_requests_try_lock()) {
        return false;
    }
    if (first || strata_sequence_broken(s)) {
        strata_requests_unlock();
        return false;
    }
    const uint64_t number = s->started;
    r->number = number;
    r->code = MPI_SUCCESS;
    strata_turn_take_memory(r);
    r->bound.x.tape = r->bound.tape;
    r->bound.x.transport_self = &s->transport[strata_sequence_index(s, number)];
    s->started = s->begun = number + 1;
    status = strata_tape_call(&r->bound.x);
    if (status == STRATA_OK && r->bound.x.tape) {
        s->oldest = number + 1;
        s->count.copied += r->bound.x.count.copied;
        strata_request_enter(r, STRATA_REQUEST_COMPLETE);
    } else if (status == STRATA_PENDING) {
        stay_open(r);
    } else {
        finish(r, status);
    }
    strata_requests_unlock();
    return true;
}

/* Whether this request may keep the lock until it ends, for which other threads would wait. */
static bool is_alone(const struct strata_request *r)
{
    return !strata_several_threads(&strata_process_here) && r == first && !r->next &&
           strata_request_phase(r) == STRATA_REQUEST_RUNNING &&
           strata_process_here.config.stall == 0;
}

static bool others_come(void)
{
    return strata_several_threads(&strata_process_here);
}

/* Does what finish would do for a request that follows its tape. */
static inline void finish_taped(struct strata_request *r)
{
    struct strata_sequence *s = r->sequence;
    s->count.copied += r->bound.x.count.copied;
    *strata_turn_place(r) = NULL;
    s->oldest = s->begun;
    s->memories.open[r->memory_index] = NULL;
    take_out(r);
    strata_request_enter(r, STRATA_REQUEST_COMPLETE);
}

bool strata_requests_end_alone(struct strata_request *r)
{
    struct strata_sequence *s = r->sequence;
    int status = STRATA_PENDING;
    if (!strata_requests_try_lock()) {
        return false;
    }
    if (is_alone(r)) {
        s->waiter.peers = s->memories.count > 0 ? &s->memories.memory[0] : NULL;
        s->waiter.peers = r->bound.x.memory ? r->bound.x.memory : s->waiter.peers;
        s->waiter.ends = others_come;
        status = strata_wait_run(&s->waiter, &r->bound.x);
    }
    if (status == STRATA_OK && r->bound.x.tape && !r->bound.binding.holds &&
        !strata_sequence_broken(s)) {
        finish_taped(r);
    } else if (status != STRATA_PENDING) {
        finish(r, status);
    }
    strata_requests_unlock();
    return status != STRATA_PENDING;
}

static int move(void *none)
{
    (void)none;
    if (strata_requests_try_lock()) {
        strata_requests_advance();
        strata_requests_unlock();
        strata_parts_move();
    }
    return 0;
}

void strata_requests_move(void)
{
    if (strata_requests_any()) {
        (void)strata_by_mpi_at_once(move, NULL);
    }
}

/* Runs before main. A program that links no request does not link this file, either. */
static __attribute__((constructor)) void introduce(void)
{
    strata_process_here.move_requests = strata_requests_move;
    strata_process_here.end_beside = strata_requests_end_thread;
}
