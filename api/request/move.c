/* Requests that are under way, and what moves them: whoever waits, tests or asks for progress
 * moves all, in the order in which they were begun. */
#include <pthread.h>
#include <stdatomic.h>

#include "api/attach/process.h"
#include "api/call/run.h"
#include "api/request/beside.h"
#include "api/request/request.h"

/* MPI is called under this lock, so no callback of MPI's may take it. */
static pthread_mutex_t moving = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
static struct strata_request *first, **end = &first;
static atomic_int under_way;

void strata_beside_lock(void)
{
    pthread_mutex_lock(&moving);
}

void strata_beside_unlock(void)
{
    pthread_mutex_unlock(&moving);
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

void strata_beside_add(struct strata_request *r)
{
    r->phase = r->sequence ? STRATA_REQUEST_QUEUED : STRATA_REQUEST_NATIVE;
    if (r->sequence) {
        r->number = r->sequence->started++;
    }
    r->next = NULL;
    r->link = end;
    *end = r;
    end = &r->next;
    atomic_fetch_add_explicit(&under_way, 1, memory_order_relaxed);
    strata_beside_help(r);
}

static void take_out(struct strata_request *r)
{
    *r->link = r->next;
    if (r->next) {
        r->next->link = r->link;
    } else {
        end = r->link;
    }
    atomic_fetch_sub_explicit(&under_way, 1, memory_order_relaxed);
}

static void complete(struct strata_request *r, int code, const char *text)
{
    take_out(r);
    r->code = code;
    r->text = text;
    r->phase = STRATA_REQUEST_COMPLETE; /* last: whoever sees it may take the request */
}

static struct strata_request **place_of(const struct strata_request *r)
{
    return &r->sequence->at[r->number % (uint64_t)r->sequence->places];
}

static void leave_place(struct strata_request *r)
{
    struct strata_sequence *s = r->sequence;

    *place_of(r) = NULL;
    while (s->oldest < s->begun && !s->at[s->oldest % (uint64_t)s->places]) {
        s->oldest++;
    }
}

/* The plan has ended. */
static void finish(struct strata_request *r, int status)
{
    int code = strata_error_class(status);
    const char *text = r->x.message.text;

    if (r->x.abandoned) {
        r->sequence->broken = true;
    }
    strata_call_count(&r->sequence->count, &r->x.count);
    leave_place(r);
    if (code == MPI_SUCCESS) {
        code = strata_deliver(&r->signature, &r->binding);
        text = "unpacking failed";
    }
    complete(r, code, text);
}

static void advance_plan(struct strata_request *r)
{
    int status = strata_engine_advance(&r->x);

    if (status != STRATA_PENDING) {
        finish(r, status);
    }
}

/* No call overtakes another of its communicator. */
static void begin_plan(struct strata_request *r)
{
    struct strata_sequence *s = r->sequence;
    int status;

    if (r->number - s->oldest >= (uint64_t)s->places) {
        return;
    }
    s->begun = r->number + 1;
    if (s->broken) {
        leave_place(r);
        complete(r, MPI_ERR_OTHER, "an earlier call failed on this rank");
        return;
    }
    *place_of(r) = r;
    r->phase = STRATA_REQUEST_RUNNING;
    r->x.transport_self = &s->transport[r->number % (uint64_t)s->places];
    status = strata_engine_start(&r->x);
    if (status == STRATA_OK) {
        advance_plan(r);
    } else {
        r->x.abandoned = true; /* others go on without this rank */
        finish(r, status);
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
        advance[r->phase](r);
    }
}

void strata_beside_move(void)
{
    if (strata_beside_open() && pthread_mutex_trylock(&moving) == 0) {
        strata_beside_advance();
        pthread_mutex_unlock(&moving);
    }
}
