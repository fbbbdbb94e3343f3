/* The public calls that complete requests. */
#include "api/request/complete.h"
#include "api/attach/members.h"
#include "api/process/process.h"
#include "api/process/thread_wait.h"
#include "api/request/open_requests.h"
#include "api/request/parts.h"
#include "core/base/seldom.h"
#include "include/strata.h"

/* The status of a collective holds nothing but the error. */
static STRATA_SELDOM void fill_status(MPI_Status *status, int code)
{
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    status->MPI_ERROR = code;
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
}

static inline void set_status(MPI_Status *status, int code)
{
    if (status != MPI_STATUS_IGNORE) {
        fill_status(status, code);
    }
}

static MPI_Status *status_at(MPI_Status *statuses, int index)
{
    return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[index];
}

/* Null and inactive requests are not waited for. */
static bool is_active(const struct strata_request *r)
{
    return r && strata_request_phase(r) != STRATA_REQUEST_INACTIVE;
}

static bool is_complete(const struct strata_request *r)
{
    return r && strata_request_phase(r) == STRATA_REQUEST_COMPLETE;
}

/* Raises the request's error with the handler of its communicator, or of MPI_COMM_WORLD where that
 * was freed. */
static STRATA_SELDOM int raise_error(const struct strata_request *r)
{
    bool there;
    if (r->parts) {
        return strata_parts_raise(r->parts);
    }
    strata_states_lock(&strata_process_here);
    there = r->sequence->state != NULL;
    strata_states_unlock(&strata_process_here);
    return strata_raise(there ? r->bound.own.comm : MPI_COMM_NULL, r->code,
                        strata_collective_name(r->bound.own.collective), r->text);
}

/* Raises the error of a request that was complete and is inactive now, and frees the request if it
 * is not persistent. */
static STRATA_SELDOM int dispose(struct strata_request **request)
{
    struct strata_request *r = *request;
    int code = r->code;
    if (code != MPI_SUCCESS && (r->sequence || r->parts)) {
        code = raise_error(r);
    }
    if (!r->persistent) {
        *request = NULL;
        if (code == MPI_SUCCESS && r->again) {
            strata_request_keep(r);
        } else {
            strata_request_destroy(r);
        }
    }
    return code;
}

static int advance(void *none)
{
    (void)none;
    strata_requests_lock();
    strata_requests_advance();
    strata_requests_unlock();
    if (strata_parts_any()) {
        strata_parts_move();
    }
    return 0;
}

/* With MPI_THREAD_FUNNELED the main thread moves the requests of all threads. So it takes one of a
 * call when the rank's other threads have ended theirs of the same call, too. */
static void wait_for_others(const struct strata_request *r)
{
    const struct strata_group *g = r->sequence->group;
    const enum strata_wait_way way = g->waiter.crowded ? STRATA_WAIT_SLEEP : STRATA_WAIT_SPIN;
    struct strata_thread_wait wait = {.way = way, .moves = true, .wanted = strata_mpi_wanted()};
    while (!strata_thread_all_ended(g->thread, r->number)) {
        strata_requests_move();
        strata_mpi_run_errands();
        wait.bell = strata_requests_any() ? NULL : &strata_mpi_bell;
        strata_thread_wait(&wait, "for the rank's other threads to end their requests of a call");
    }
}

/* Ends a call of a request that does not just stay. Returns its error, raised already. */
static STRATA_SELDOM int end(struct strata_request **request)
{
    if (strata_request_guarded(*request) && strata_mpi_runs_errands()) {
        wait_for_others(*request);
    }
    return dispose(request);
}

/* Takes a complete request. Returns its error, raised already. */
static inline int take(struct strata_request **request, MPI_Status *status)
{
    struct strata_request *r = *request;
    int code = r->code;
    strata_request_enter(r, STRATA_REQUEST_INACTIVE);
    if (code != MPI_SUCCESS || !r->stays) {
        code = end(request);
    }
    set_status(status, code);
    return code;
}

struct strata_completion strata_requests_look(int count, struct strata_request *requests[])
{
    struct strata_completion s = {0, 0};
    if (strata_mpi_runs_errands()) {
        strata_mpi_run_errands();
    }
    if (!strata_mpi_funnels() || strata_mpi_runs_errands()) { /* the main thread moves all */
        (void)strata_by_mpi(advance, NULL);
    }
    for (int i = 0; i < count; i++) {
        s.active += is_active(requests[i]);
        s.complete += is_complete(requests[i]);
    }
    return s;
}

struct strata_waiter strata_requests_waiter(int count, struct strata_request *requests[])
{
    struct strata_waiter waiter = strata_waiter_of(STRATA_WAIT_SPIN);
    for (int i = 0; i < count; i++) {
        const struct strata_request *r = requests[i];
        r = r && r->parts ? r->parts->part[0].call : r;
        if (is_active(requests[i]) && r->sequence) {
            waiter = r->sequence->group->waiter;
        }
    }
    waiter.attempt = 0;
    waiter.beside = NULL; /* each look moves all requests */
    waiter.wanted = strata_mpi_wanted();
    return waiter;
}

/* Whether these are calls of members, and only the main thread may call MPI. */
static bool are_funneled(int count, struct strata_request *requests[])
{
    bool all = strata_mpi_funnels();
    for (int i = 0; all && i < count; i++) {
        all = !is_active(requests[i]) || strata_request_guarded(requests[i]);
    }
    return all;
}

/* Whether other threads of the rank have still to begin one of the calls. */
static bool others_are_late(int count, struct strata_request *requests[])
{
    bool late = false;
    for (int i = 0; !late && i < count; i++) {
        late = is_active(requests[i]) &&
               !strata_thread_all_began(requests[i]->sequence->group->thread, requests[i]->number);
    }
    return late;
}

/* Waits between two looks at calls of members. The main thread moves them all, and rings when one
 * is complete. Where threads share cores it sleeps until the others have begun their calls, and
 * soon between tests: a thread that yields keeps others off the core (docs/members.md). */
static void wait_funneled(struct strata_waiter *waiter, int count,
                          struct strata_request *requests[])
{
    const bool main = strata_mpi_runs_errands();
    waiter->parameters = main && waiter->crowded ? &strata_wait_grouped : waiter->parameters;
    if (!main) {
        strata_wait_for_ring(waiter, &strata_requests_bell, false);
    } else if (waiter->crowded && others_are_late(count, requests)) {
        strata_wait_for_ring(waiter, &strata_mpi_bell, true);
        waiter->attempt = waiter->heard != 0;
    } else {
        strata_wait_between_tests(waiter);
    }
}

/* Waits until one, or all, of the active requests are complete. */
static struct strata_completion wait_for(int count, struct strata_request *requests[], bool all)
{
    struct strata_waiter waiter = strata_requests_waiter(count, requests);
    struct strata_completion s = strata_requests_look(count, requests);
    struct strata_stall stall = {0};
    const bool funneled = are_funneled(count, requests);
    while (s.complete < (all ? s.active : s.active > 0)) {
        if (funneled) {
            wait_funneled(&waiter, count, requests);
        } else {
            strata_wait_between_tests(&waiter);
        }
        if (waiter.heard != 0) {
            strata_stall_ask(&stall);
        }
        s = strata_requests_look(count, requests);
        strata_stall_look(&stall, s.complete, count, requests);
    }
    return s;
}

/* Brings an open request to its end. */
static void bring_to_end(struct strata_request **request)
{
    strata_thread_comes(&strata_process_here);
    if (!strata_requests_end_alone(*request)) {
        (void)wait_for(1, request, true);
    }
}

int strata_request_end(struct strata_request *r)
{
    if (!is_complete(r)) {
        bring_to_end(&r);
    }
    strata_request_enter(r, STRATA_REQUEST_INACTIVE);
    return r->code;
}

static int refuse(const char *call, const char *text)
{
    return strata_raise(MPI_COMM_NULL, MPI_ERR_ARG, call, text);
}

int strata_progress(void)
{
    strata_requests_move();
    return MPI_SUCCESS;
}

int strata_requests_take_all(int count, struct strata_request *requests[], MPI_Status *statuses)
{
    int error = MPI_SUCCESS;
    for (int i = 0; i < count; i++) {
        MPI_Status *status = status_at(statuses, i);
        if (is_active(requests[i])) {
            int code = take(&requests[i], status);
            error = code != MPI_SUCCESS && error == MPI_SUCCESS ? code : error;
        } else {
            set_status(status, MPI_SUCCESS);
        }
    }
    return error != MPI_SUCCESS && statuses != MPI_STATUSES_IGNORE ? MPI_ERR_IN_STATUS : error;
}

int strata_waitall(int count, struct strata_request *requests[], MPI_Status *statuses)
{
    if (count < 0 || (count > 0 && !requests)) {
        return refuse("waitall", "count is negative, or requests is null");
    }
    (void)wait_for(count, requests, true);
    return strata_requests_take_all(count, requests, statuses);
}

int strata_testall(int count, struct strata_request *requests[], int *flag, MPI_Status *statuses)
{
    if (count < 0 || (count > 0 && !requests) || !flag) {
        return refuse("testall", "count is negative, or requests or flag is null");
    }
    struct strata_completion s = strata_requests_look(count, requests);
    *flag = s.complete == s.active;
    return *flag ? strata_requests_take_all(count, requests, statuses) : MPI_SUCCESS;
}

int strata_wait(struct strata_request **request, MPI_Status *status)
{
    if (!request) {
        return refuse("wait", "request is null");
    }
    if (is_active(*request)) {
        if (!is_complete(*request)) {
            bring_to_end(request);
        }
        return take(request, status);
    }
    set_status(status, MPI_SUCCESS);
    return MPI_SUCCESS;
}

int strata_test(struct strata_request **request, int *flag, MPI_Status *status)
{
    if (!request || !flag) {
        return refuse("test", "request or flag is null");
    }
    *flag = is_complete(*request);
    if (*flag) {
        return take(request, status);
    }
    struct strata_completion s = strata_requests_look(1, request);
    *flag = s.complete == s.active;
    if (s.complete > 0) {
        return take(request, status);
    }
    if (*flag) {
        set_status(status, MPI_SUCCESS);
    }
    return MPI_SUCCESS;
}

/* Takes the first complete request, if there is one; with no active request there is none. */
static int take_any(struct strata_completion s, struct strata_request *requests[], int *index,
                    MPI_Status *status)
{
    *index = MPI_UNDEFINED;
    if (s.complete == 0) {
        if (s.active == 0) {
            set_status(status, MPI_SUCCESS);
        }
        return MPI_SUCCESS;
    }
    for (*index = 0; !is_complete(requests[*index]); ++*index) {
    }
    return take(&requests[*index], status);
}

int strata_waitany(int count, struct strata_request *requests[], int *index, MPI_Status *status)
{
    if (count < 0 || (count > 0 && !requests) || !index) {
        return refuse("waitany", "count is negative, or requests or index is null");
    }
    return take_any(wait_for(count, requests, false), requests, index, status);
}

int strata_testany(int count, struct strata_request *requests[], int *index, int *flag,
                   MPI_Status *status)
{
    if (count < 0 || (count > 0 && !requests) || !index || !flag) {
        return refuse("testany", "count is negative, or requests, index or flag is null");
    }
    struct strata_completion s = strata_requests_look(count, requests);
    *flag = s.complete > 0 || s.active == 0;
    return take_any(s, requests, index, status);
}

int strata_testsome(int count, struct strata_request *requests[], int *done, int indices[],
                    MPI_Status *statuses)
{
    int error = MPI_SUCCESS;
    if (count < 0 || (count > 0 && (!requests || !indices)) || !done) {
        return refuse("testsome", "count is negative, or requests, done or indices is null");
    }
    struct strata_completion s = strata_requests_look(count, requests);
    *done = s.active > 0 ? 0 : MPI_UNDEFINED;
    for (int i = 0; i < count && *done < s.complete; i++) {
        if (is_complete(requests[i])) {
            int code = take(&requests[i], status_at(statuses, *done));
            error = code != MPI_SUCCESS && error == MPI_SUCCESS ? code : error;
            indices[(*done)++] = i;
        }
    }
    return error != MPI_SUCCESS && statuses != MPI_STATUSES_IGNORE ? MPI_ERR_IN_STATUS : error;
}
