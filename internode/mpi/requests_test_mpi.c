/* Completes requests, and never blocks. */
#include <sched.h>

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/memory.h"
#include "internode/mpi/quiet_mpi.h"
#include "internode/mpi/renamed_mpi.h"
#include "internode/mpi/requests_mpi.h"
#include "internode/mpi/traits_mpi.h"

/* Some MPIs report the error of a completed request (a block that is longer than expected) through
 * the error handler of MPI_COMM_WORLD, not of the request's communicator: the job would end before
 * the caller's own handler is called. With them MPI_COMM_WORLD returns errors from the first test
 * of requests that can fail so until none is open. With MPI_THREAD_MULTIPLE it does so only inside
 * each test, where another thread's error is returned to that thread too. */
static void quiet_errors(struct strata_request_list *list)
{
    if (!list->quiet && strata_mpi_traits()->errors_at_world) {
        list->quiet = strata_quiet_begin(MPI_COMM_WORLD);
    }
}

static void restore_errors(struct strata_request_list *list)
{
    if (list->quiet) {
        list->quiet = false;
        strata_quiet_end(MPI_COMM_WORLD);
    }
}

/* Whether other threads may call MPI while this one waits. */
static bool threads_meet(void)
{
    int level = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&level);
    return level == MPI_THREAD_MULTIPLE;
}

/* Returns that a receive has brought another length than it must. */
static int differs(struct strata_request_list *list, const struct strata_request_entry *entry,
                   size_t came)
{
    if (!list->difference.known) {
        list->difference = (struct strata_difference){.known = true,
                                                      .is_void = entry->is_void,
                                                      .peer = entry->peer,
                                                      .came = came,
                                                      .expected = entry->bytes};
    }
    return MPI_ERR_TRUNCATE;
}

static int arrived(struct strata_request_list *list, int i, const MPI_Status *status)
{
    const struct strata_request_entry *entry = &list->entries[i];
    MPI_Count bytes = 0;
    if (entry->spare) {
        strata_lengths_deliver(list, i);
        return entry->exact ? differs(list, entry, entry->came) : MPI_SUCCESS;
    }
    if (!entry->exact || strata_tag_tells(&list->tags, entry->bytes)) {
        return MPI_SUCCESS;
    }
    int error = strata_status_bytes(status, &bytes);
    if (!error && (bytes < 0 || (size_t)bytes != entry->bytes)) {
        error = differs(list, entry, (size_t)bytes);
    }
    return error;
}

/* A wrong length is the least of errors. */
static int worse(int a, int b)
{
    int class = a;
    PMPI_Error_class(a, &class);
    return a == MPI_SUCCESS || (class == MPI_ERR_TRUNCATE && b != MPI_SUCCESS) ? b : a;
}

/* Removes the requests that MPI_Testsome completed. A status has an error of its own only when MPI
 * says so. */
static int complete(struct strata_request_list *list, int count, bool in_status)
{
    int worst = MPI_SUCCESS;
    for (int i = 0; i < count; i++) {
        const MPI_Status *status = &list->statuses[i];
        int error = arrived(list, list->indices[i], status);
        if (in_status && status->MPI_ERROR) {
            error = worse(status->MPI_ERROR, error);
        }
        worst = error ? worse(worst, error) : worst;
    }
    list->open -= count;
    if (list->open == 0 || list->open < list->used / 2) {
        strata_requests_compact(list);
    }
    return worst;
}

/* Tests between two looks after messages of other lengths, of which there are none as a rule. */
#define LOOK 32

int strata_requests_test(struct strata_request_list *list)
{
    int count = 0;
    int class = MPI_SUCCESS;
    if (list->exact) {
        quiet_errors(list);
    }
    int error = PMPI_Testsome(list->used, list->requests, &count, list->indices, list->statuses);
    if (error) {
        PMPI_Error_class(error, &class);
    }
    if (!error || class == MPI_ERR_IN_STATUS) {
        error = complete(list, count == MPI_UNDEFINED ? 0 : count, error != MPI_SUCCESS);
    }
    list->fruitless = count > 0 ? 0 : list->fruitless + 1;
    if (!error && list->fruitless % LOOK == LOOK - 1) {
        error = strata_lengths_look(list);
    }
    if (error) { /* where a rank has failed, MPI counts requests that it keeps, or gives no count */
        strata_requests_recount(list);
    }
    /* between tests of a call that does not block the program goes on */
    if (list->quiet && (error || list->open == 0 || list->tags.beside > 1 || threads_meet())) {
        restore_errors(list);
    }
    return error;
}

static int idle_query(void *self, MPI_Status *status)
{
    (void)self;
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int idle_free(void *self)
{
    (void)self;
    return MPI_SUCCESS;
}

static int idle_cancel(void *self, int complete)
{
    (void)self;
    (void)complete;
    return MPI_SUCCESS;
}

/* MPI has no call that says "make progress". Testing a request that is not complete is one in all
 * libraries; looking for a message need not be. */
void strata_requests_progress(MPI_Request *idle)
{
    int done = 0;
    if (*idle == MPI_REQUEST_NULL &&
        PMPI_Grequest_start(idle_query, idle_free, idle_cancel, NULL, idle) != MPI_SUCCESS) {
        *idle = MPI_REQUEST_NULL; /* then there is none this time */
    }
    PMPI_Test(idle, &done, MPI_STATUS_IGNORE);
}

void strata_requests_end_idle(MPI_Request *idle)
{
    if (*idle != MPI_REQUEST_NULL) {
        PMPI_Grequest_complete(*idle);
        PMPI_Wait(idle, MPI_STATUS_IGNORE);
    }
}

/* Whether it is complete, and not left to MPI. */
static bool finish_request(MPI_Request *request, double until)
{
    int done = 0;
    while (*request != MPI_REQUEST_NULL && !done) {
        if (PMPI_Test(request, &done, MPI_STATUS_IGNORE)) {
            return true; /* with an error that nobody asks for any more */
        }
        if (!done && strata_seconds() > until) {
            PMPI_Request_free(request);
            return false;
        }
        if (!done) {
            sched_yield();
        }
    }
    return true;
}

/* Until all are complete or the time is over. */
static void let_complete(struct strata_request_list *list, double until)
{
    int class = MPI_SUCCESS;
    while (list->open > 0 && strata_seconds() < until &&
           (class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE)) {
        PMPI_Error_class(strata_requests_test(list), &class);
        sched_yield();
    }
}

void strata_requests_abandon(struct strata_request_list *list, double patience)
{
    let_complete(list, strata_seconds() + patience / 5);
    for (int i = 0; i < list->used; i++) {
        if (list->entries[i].receive && list->requests[i] != MPI_REQUEST_NULL) {
            PMPI_Cancel(&list->requests[i]);
        }
    }
    double until = strata_seconds() + patience;
    if (list->open > 0) {
        quiet_errors(list);
    }
    for (int i = 0; i < list->used; i++) {
        if (finish_request(&list->requests[i], until)) {
            strata_release(list->entries[i].spare);
        }
    }
    restore_errors(list);
    list->used = list->open = 0;
}
