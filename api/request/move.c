/* Open requests, and what moves them: a thread that waits, tests or asks for progress moves all of
 * them, in the order in which they were begun. */
#include <stdatomic.h>

#include "api/attach/members.h"
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
        r->number = strata_sequence_started(r->sequence);
        strata_sequence_start(r->sequence, r->number);
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

/* Whether the request is of a thread that is a member. No other thread starts calls of its
 * sequence, or moves them unless they are listed. */
static inline bool is_of_thread(const struct strata_request *r)
{
    return r->sequence && r->sequence->group->thread;
}

/* Does what run_plan and finish would do for a request that follows its tape, where no other
 * request of its sequence is open. A tape calls no MPI. False: there is more to do, and *status
 * says what. */
static inline bool run_tape(struct strata_request *r, int *status)
{
    struct strata_sequence *s = r->sequence;
    const uint64_t number = strata_sequence_started(s);
    r->number = number;
    r->code = MPI_SUCCESS;
    strata_turn_take_memory(r);
    r->bound.x.tape = r->bound.tape;
    r->bound.x.transport_self = &s->transport[strata_sequence_index(s, number)];
    s->begun = number + 1;
    strata_sequence_start(s, number);
    *status = strata_tape_call(&r->bound.x);
    if (*status != STRATA_OK || !r->bound.x.tape) {
        return false;
    }
    s->count.copied += r->bound.x.count.copied;
    strata_sequence_over(s, number + 1);
    strata_request_enter(r, STRATA_REQUEST_COMPLETE);
    return true;
}

/* A plan that has ended without the lock, in a thread that perhaps may not call MPI. */
struct ended {
    struct strata_request *request;
    int status;
};

static int do_finish(void *argument)
{
    const struct ended *e = argument;
    strata_requests_lock();
    finish(e->request, e->status);
    strata_requests_unlock();
    return 0;
}

/* To break a sequence takes the lock, and calls MPI. */
static STRATA_SELDOM void finish_own(struct strata_request *r, int status)
{
    struct ended ended = {r, status};
    if (r->bound.x.abandoned || strata_sequence_broken(r->sequence)) {
        (void)strata_by_mpi(do_finish, &ended);
    } else {
        finish(r, status);
    }
}

/* The main thread may wait for the rank's threads to have all begun, or ended, a call. */
static void tell_main(const struct strata_request *r,
                      bool (*all)(const struct strata_thread *thread, uint64_t number))
{
    if (strata_mpi_leaves() && strata_thread_bell_awaited(&strata_mpi_bell) &&
        all(r->sequence->group->thread, r->number)) {
        strata_thread_bell_ring(&strata_mpi_bell);
    }
}

/* Listed, any thread may move it until its own waits for it. */
static STRATA_SELDOM void stay_open_own(struct strata_request *r)
{
    strata_requests_lock();
    stay_open(r);
    strata_requests_unlock();
}

/* A thread that is a member needs no lock: it is alone with its sequence. */
static bool start_own(struct strata_request *r)
{
    struct strata_sequence *s = r->sequence;
    int status;
    if (strata_sequence_oldest(s) != strata_sequence_started(s) || strata_sequence_broken(s)) {
        return false;
    }
    if (!run_tape(r, &status)) {
        status == STRATA_PENDING ? stay_open_own(r) : finish_own(r, status);
    }
    tell_main(r, strata_thread_all_began);
    return true;
}

bool strata_requests_start_taped(struct strata_request *r)
{
    int status;
    if (is_of_thread(r)) {
        return start_own(r);
    }
    if (!strata_requests_try_lock()) {
        return false;
    }
    if (first || strata_sequence_broken(r->sequence)) {
        strata_requests_unlock();
        return false;
    }
    if (!run_tape(r, &status)) {
        status == STRATA_PENDING ? stay_open(r) : finish(r, status);
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
    s->memories.open[r->memory_index] = NULL;
    strata_sequence_over(s, s->begun);
    take_out(r);
    strata_request_enter(r, STRATA_REQUEST_COMPLETE);
}

/* Takes a thread's call out of the list, so that no other thread moves it. It follows its tape, is
 * the only one that is open in its sequence, and nobody asks for what it waits. */
static bool take_own(struct strata_request *r)
{
    const struct strata_sequence *s = r->sequence;
    strata_requests_lock();
    const bool own = strata_request_phase(r) == STRATA_REQUEST_RUNNING && r->bound.x.tape &&
                     strata_sequence_started(s) - strata_sequence_oldest(s) == 1 &&
                     strata_process_here.config.stall == 0;
    if (own) {
        take_out(r);
    }
    strata_requests_unlock();
    return own;
}

/* Waits as a blocking call, but asks no transport for messages that were lost or told: a tape has
 * none, a local peer says in the node's memory that it is out of step, and to ask MPI may take the
 * main thread. */
static int wait_in_node(struct strata_request *r)
{
    struct strata_execution *x = &r->bound.x;
    struct strata_waiter waiter = *strata_thread_waiter(r->sequence->group->thread);
    const struct strata_transport *all = x->transport;
    struct strata_transport some = *all;
    some.lost = NULL;
    some.told = NULL;
    waiter.peers = x->memory;
    x->transport = &some;
    const int status = strata_wait_run(&waiter, x);
    x->transport = all;
    return status;
}

/* Ends a thread's call, in which it needs no other thread of its rank. */
static bool end_own(struct strata_request *r)
{
    if (!take_own(r)) {
        return false;
    }
    finish_own(r, wait_in_node(r));
    tell_main(r, strata_thread_all_ended);
    return true;
}

bool strata_requests_end_alone(struct strata_request *r)
{
    struct strata_sequence *s = r->sequence;
    int status = STRATA_PENDING;
    if (is_of_thread(r)) {
        return end_own(r);
    }
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
