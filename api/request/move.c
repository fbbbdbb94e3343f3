/* Requests that are under way, and what moves them: whoever waits, tests or asks for progress
 * moves all, in the order in which they were begun. */
#include <pthread.h>
#include <stdatomic.h>

#include "api/call/run.h"
#include "api/process/process.h"
#include "api/request/beside.h"
#include "api/request/request.h"
#include "core/base/seldom.h"
#include "core/engine/tape.h"

/* MPI is called under this lock, so no callback of MPI's may take it. Where one thread at a time
 * calls MPI there is nobody to lock out, but this one, when it is at it already. */
static pthread_mutex_t moving = PTHREAD_MUTEX_INITIALIZER;
static bool busy;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
static struct strata_request *first, **end = &first;
static atomic_int under_way; /* written under the lock, and read by whoever only wants to know */

static bool try_lock(void)
{
    if (strata_process_here.multiple) {
        return pthread_mutex_trylock(&moving) == 0;
    }
    bool was = busy;
    busy = true;
    return !was;
}

void strata_beside_lock(void)
{
    if (strata_process_here.multiple) {
        pthread_mutex_lock(&moving);
    } else {
        busy = true;
    }
}

void strata_beside_unlock(void)
{
    if (strata_process_here.multiple) {
        pthread_mutex_unlock(&moving);
    } else {
        busy = false;
    }
}

void strata_beside_sleep(void)
{
    pthread_cond_wait(&woken, &moving);
}

void strata_beside_wake(void)
{
    pthread_cond_signal(&woken);
}

int strata_beside_count(void)
{
    return atomic_load_explicit(&under_way, memory_order_relaxed);
}

bool strata_beside_open(void)
{
    return strata_beside_count() > 0;
}

static void count(int more)
{
    int now = atomic_load_explicit(&under_way, memory_order_relaxed);
    atomic_store_explicit(&under_way, now + more, memory_order_relaxed);
}

/* Takes it among those that are under way. */
static void list(struct strata_request *r)
{
    r->next = NULL;
    r->link = end;
    *end = r;
    end = &r->next;
    count(1);
    if (strata_process_here.multiple) {
        strata_beside_help(r);
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

static inline void complete(struct strata_request *r, int code, const char *text)
{
    if (r->link) {
        take_out(r);
    }
    r->code = code;
    r->text = text;
    strata_request_enter(r, STRATA_REQUEST_COMPLETE); /* last: whoever sees it may take it */
}

static struct strata_request **place_of(const struct strata_request *r)
{
    return &r->sequence->at[strata_sequence_place(r->sequence, r->number)];
}

/* It stays open: no call takes its place, nor one that uses the node's memory its room. */
static void hold(struct strata_request *r)
{
    *place_of(r) = r;
    if (r->x.memory) {
        r->sequence->rooms.open[r->room] = r;
    }
    strata_request_enter(r, STRATA_REQUEST_RUNNING);
}

static inline void find_oldest(struct strata_sequence *s)
{
    while (s->oldest < s->begun && !s->at[strata_sequence_place(s, s->oldest)]) {
        s->oldest++;
    }
}

static inline void let_go(struct strata_request *r)
{
    *place_of(r) = NULL;
    find_oldest(r->sequence);
    if (r->x.memory) {
        r->sequence->rooms.open[r->room] = NULL;
    }
}

static STRATA_SELDOM void deliver(struct strata_request *r)
{
    complete(r, strata_deliver(&r->signature, &r->binding), "unpacking failed");
}

static STRATA_SELDOM void break_off(struct strata_request *r)
{
    strata_sequence_break(r->sequence);
}

/* The plan has ended. */
static inline void finish(struct strata_request *r, int status)
{
    if (r->x.tape) {
        r->sequence->count.copied += r->x.count.copied;
    } else {
        strata_call_count(&r->sequence->count, &r->x.count);
    }
    let_go(r);
    r->kept.known = true; /* or it is out of step */
    if (r->x.abandoned || strata_sequence_broken(r->sequence)) {
        break_off(r);
    }
    if (status != STRATA_OK) {
        complete(r, strata_error_class(status), r->x.message.text);
    } else if (r->binding.recv.packed) {
        deliver(r);
    } else {
        complete(r, MPI_SUCCESS, NULL);
    }
}

/* What a rank that is out of step was to send, or to have others send, does not come; looked at
 * where a plan has stood still for long, as calls that block do. */
static STRATA_SELDOM void look_for_broken(struct strata_request *r)
{
    if (strata_still(&r->still, &r->x) && (strata_sequence_lost(r->sequence, r->x.memory) ||
                                           r->x.transport->lost(r->x.transport_self))) {
        finish(r, strata_engine_give_up(&r->x, STRATA_ERR_TRANSPORT));
    }
}

static void advance_plan(struct strata_request *r)
{
    int status = strata_engine_advance(&r->x);

    if (status != STRATA_PENDING) {
        finish(r, status);
    } else {
        look_for_broken(r);
    }
}

/* No call overtakes another of its communicator; and one that uses the node's memory waits until
 * the one before it in its room is over here. */
static bool has_its_turn(const struct strata_request *r)
{
    const struct strata_sequence *s = r->sequence;
    unsigned room = r->has_room ? r->room : s->rooms.next;

    return r->number == s->begun && r->number - s->oldest < (uint64_t)s->places &&
           !(r->x.memory && s->rooms.open[room]);
}

/* In the order of the sequence's calls, so it is the same on all members. A persistent call keeps
 * the room of its first start: what it comes back to is in the cache. */
static inline void take_room(struct strata_request *r)
{
    struct strata_sequence_rooms *rooms = &r->sequence->rooms;

    if (!r->has_room) {
        r->has_room = true;
        r->room = rooms->next;
        r->x.memory = &rooms->memory[r->room];
        rooms->next = r->room + 1 < rooms->count ? r->room + 1 : 0;
    }
}

static STRATA_SELDOM void refuse(struct strata_request *r)
{
    r->sequence->begun = r->number + 1;
    find_oldest(r->sequence);
    strata_sequence_break(r->sequence);
    complete(r, MPI_ERR_OTHER, "an earlier call failed on this rank");
}

/* Its turn has come. Many end at once, so that nothing need be held for them. */
static inline void run_plan(struct strata_request *r)
{
    struct strata_sequence *s = r->sequence;
    int status;

    s->begun = r->number + 1;
    r->still.attempts = 0;
    if (r->x.memory) {
        take_room(r);
    }
    r->x.tape = r->tape && r->tape->ready ? r->tape : NULL;
    r->x.transport_self = &s->transport[strata_sequence_place(s, r->number)];
    status = strata_engine_begin(&r->x);
    if (status == STRATA_PENDING) {
        hold(r);
    } else {
        finish(r, status);
    }
}

static void begin_plan(struct strata_request *r)
{
    if (has_its_turn(r) && strata_sequence_broken(r->sequence)) {
        refuse(r);
    } else if (has_its_turn(r)) {
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

void strata_beside_advance(void)
{
    for (struct strata_request *r = first, *next; r; r = next) {
        next = r->next;
        advance[strata_request_phase(r)](r);
    }
}

/* With nothing else under way a plan has its turn, and often ends at once. */
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
    strata_beside_advance();
}

bool strata_beside_start(struct strata_request *r)
{
    bool right;

    strata_beside_lock();
    right = !r->sequence || !strata_sequence_broken(r->sequence);
    if (right && r->sequence) {
        r->number = r->sequence->started++;
    }
    if (right && r->sequence && !first) {
        start_alone(r);
    } else if (right) {
        start_beside(r);
    }
    strata_beside_unlock();
    return right;
}

static STRATA_SELDOM void stay_open(struct strata_request *r)
{
    hold(r);
    list(r);
}

/* What run_plan and finish come to there, where no other thread may look. A tape calls no MPI. */
bool strata_beside_start_taped(struct strata_request *r)
{
    struct strata_sequence *s = r->sequence;
    const uint64_t number = s->started;
    int status;

    if (first || strata_process_here.multiple || strata_sequence_broken(s)) {
        return false;
    }
    r->number = number;
    r->code = MPI_SUCCESS;
    r->still.attempts = 0;
    take_room(r);
    r->x.tape = r->tape;
    r->x.transport_self = &s->transport[strata_sequence_place(s, number)];
    s->started = s->begun = number + 1;
    status = strata_tape_call(&r->x);
    if (status == STRATA_OK && r->x.tape) {
        s->oldest = number + 1;
        s->count.copied += r->x.count.copied;
        strata_request_enter(r, STRATA_REQUEST_COMPLETE);
    } else if (status == STRATA_PENDING) {
        stay_open(r);
    } else {
        finish(r, status);
    }
    return true;
}

bool strata_beside_alone(const struct strata_request *r)
{
    return !strata_process_here.multiple && /* else others write what is looked at below */
           r == first && !r->next && strata_request_phase(r) == STRATA_REQUEST_RUNNING && !busy &&
           strata_process_here.config.stall == 0;
}

/* What finish comes to for it. */
static inline void finish_taped(struct strata_request *r)
{
    struct strata_sequence *s = r->sequence;

    s->count.copied += r->x.count.copied;
    *place_of(r) = NULL;
    s->oldest = s->begun;
    s->rooms.open[r->room] = NULL;
    take_out(r);
    strata_request_enter(r, STRATA_REQUEST_COMPLETE);
}

void strata_beside_end_alone(struct strata_request *r)
{
    struct strata_sequence *s = r->sequence;
    int status;

    strata_beside_lock();
    s->waiter.mates = s->rooms.count > 0 ? &s->rooms.memory[0] : NULL;
    s->waiter.mates = r->x.memory ? r->x.memory : s->waiter.mates;
    status = strata_wait_run(&s->waiter, &r->x);
    if (status == STRATA_OK && r->plain && r->x.tape && !strata_sequence_broken(s)) {
        finish_taped(r);
    } else {
        finish(r, status);
    }
    strata_beside_unlock();
}

void strata_beside_move(void)
{
    if (strata_beside_open() && try_lock()) {
        strata_beside_advance();
        strata_beside_unlock();
    }
}
