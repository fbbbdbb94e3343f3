/* MPI_Wait, MPI_Test and their like, which complete requests of recorded calls, and MPI_Start. A
 * program without such requests pays one comparison. Of a wait there is an entry, so that a rank
 * that stands in it is seen; of tests there is none, for loops of them would fill the file. */
#include <stdlib.h>

#include "include/strata.h"
#include "preload/record/recorder.h"
#include "preload/record/waits.h"

#define NEXT(name) static __typeof__(MPI_##name) *next_##name;
RECORDER_WAITS(NEXT)

static void find_next(void);

/* A library's constructor that calls MPI may come before this library's own. */
static void find_next_early(void)
{
    if (!next_Wait) {
        find_next();
    }
}

/* The recorded calls among the requests of a wait or test. */
struct waiting {
    struct held {
        struct recorder_slot *slot; /* NULL: of no recorded call */
        uint64_t number;
    } few[16], *held;                 /* NULL: no request is of one */
    struct strata_record_entry *wait; /* NULL: a test */
};

static struct held *hold(struct waiting *w, int count, const MPI_Request *requests)
{
    const size_t bytes = (size_t)count * sizeof *w->held;
    struct held *first = NULL;
    w->held = bytes <= sizeof w->few ? w->few : malloc(bytes);
    for (int i = 0; w->held && i < count; i++) {
        struct held *h = &w->held[i];
        h->slot = recorder_slot_of(requests[i], &h->number);
        h->slot = h->number == RECORDER_INACTIVE ? NULL : h->slot;
        first = !first && h->slot ? h : first;
    }
    return first;
}

static void drop(struct waiting *w)
{
    if (w->held != w->few) {
        free(w->held);
    }
    w->held = NULL;
}

/* A wait is of the communicator and the number of the first recorded call. */
static struct strata_record_entry *write_wait(const struct held *h, const void *site)
{
    const struct strata_record_entry *begun =
        &recorder_record->entry[h->number % STRATA_RECORD_ENTRIES];
    const bool kept = begun->number == h->number; /* not written over by later calls */
    const uint64_t row = kept ? begun->what % STRATA_RECORD_COMMUNICATORS : 0;
    return recorder_write(STRATA_RECORD_WHAT(row, STRATA_RECORD_WAIT, 0, 0),
                          kept ? begun->order : 0, h->number, -1, site);
}

/* site: NULL for tests */
static void begin(struct waiting *w, int count, const MPI_Request *requests, const void *site)
{
    w->held = NULL;
    w->wait = NULL;
    find_next_early();
    if (atomic_load_explicit(&recorder_requests, memory_order_relaxed) > 0 && requests) {
        const struct held *first = hold(w, count, requests);
        if (!first) {
            drop(w);
        } else if (site) {
            w->wait = write_wait(first, site);
        } else {
            atomic_store_explicit(&recorder_record->tested, strata_record_ticks(),
                                  memory_order_relaxed);
        }
    }
}

static void complete(const struct waiting *w, int index)
{
    const struct held *h = w->held && index >= 0 ? &w->held[index] : NULL;
    if (h && h->slot) {
        recorder_finish(h->number);
        if (h->slot->persistent) {
            atomic_store_explicit(&h->slot->number, RECORDER_INACTIVE, memory_order_release);
        } else {
            recorder_release(h->slot, h->number);
        }
    }
}

/* After an error only requests that are gone are complete. */
static void complete_all(const struct waiting *w, int count, const MPI_Request *requests, int error)
{
    for (int i = 0; w->held && i < count; i++) {
        if (error == MPI_SUCCESS || requests[i] == MPI_REQUEST_NULL) {
            complete(w, i);
        }
    }
}

/* After an error MPI may have set neither `done` nor `indices`. */
static void complete_some(const struct waiting *w, int count, const MPI_Request *requests,
                          const int *done, const int *indices, int error)
{
    if (error != MPI_SUCCESS) {
        complete_all(w, count, requests, error);
        return;
    }
    for (int i = 0; w->held && i < *done && i < count; i++) {
        complete(w, indices[i] < count ? indices[i] : -1);
    }
}

static void end(struct waiting *w)
{
    if (w->wait) {
        recorder_leave(w->wait);
    }
    drop(w);
}

STRATA_PUBLIC int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    struct waiting w;
    begin(&w, 1, request, __builtin_return_address(0));
    const int error = next_Wait(request, status);
    complete_all(&w, 1, request, error);
    end(&w);
    return error;
}

STRATA_PUBLIC int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    struct waiting w;
    begin(&w, count, requests, __builtin_return_address(0));
    const int error = next_Waitall(count, requests, statuses);
    complete_all(&w, count, requests, error);
    end(&w);
    return error;
}

STRATA_PUBLIC int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    struct waiting w;
    begin(&w, count, requests, __builtin_return_address(0));
    const int error = next_Waitany(count, requests, index, status);
    complete_some(&w, count, requests, &(int){1}, index, error);
    end(&w);
    return error;
}

STRATA_PUBLIC int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[],
                               MPI_Status statuses[])
{
    struct waiting w;
    begin(&w, count, requests, __builtin_return_address(0));
    const int error = next_Waitsome(count, requests, done, indices, statuses);
    complete_some(&w, count, requests, done, indices, error);
    end(&w);
    return error;
}

STRATA_PUBLIC int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    struct waiting w;
    begin(&w, 1, request, NULL);
    const int error = next_Test(request, flag, status);
    complete_all(&w, error != MPI_SUCCESS || *flag ? 1 : 0, request, error);
    end(&w);
    return error;
}

STRATA_PUBLIC int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    struct waiting w;
    begin(&w, count, requests, NULL);
    const int error = next_Testall(count, requests, flag, statuses);
    complete_all(&w, error != MPI_SUCCESS || *flag ? count : 0, requests, error);
    end(&w);
    return error;
}

STRATA_PUBLIC int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag,
                              MPI_Status *status)
{
    struct waiting w;
    begin(&w, count, requests, NULL);
    const int error = next_Testany(count, requests, index, flag, status);
    complete_some(&w, count, requests, &(int){error == MPI_SUCCESS && *flag}, index, error);
    end(&w);
    return error;
}

STRATA_PUBLIC int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[],
                               MPI_Status statuses[])
{
    struct waiting w;
    begin(&w, count, requests, NULL);
    const int error = next_Testsome(count, requests, done, indices, statuses);
    complete_some(&w, count, requests, done, indices, error);
    end(&w);
    return error;
}

/* Writes that calls of persistent requests have begun. */
static void start(int count, const MPI_Request *requests, const void *site)
{
    const bool any = requests && atomic_load_explicit(&recorder_requests, memory_order_relaxed) > 0;
    find_next_early();
    for (int i = 0; any && i < count; i++) {
        uint64_t number;
        struct recorder_slot *slot = recorder_slot_of(requests[i], &number);
        if (slot && slot->persistent) {
            const uint64_t order = slot->row ? ++slot->row->calls : 0;
            const struct strata_record_entry *e =
                recorder_write(slot->what, order, slot->count, slot->root, site);
            atomic_store_explicit(&slot->number, e->number, memory_order_release);
        }
    }
}

STRATA_PUBLIC int MPI_Start(MPI_Request *request)
{
    start(1, request, __builtin_return_address(0));
    return next_Start(request);
}

STRATA_PUBLIC int MPI_Startall(int count, MPI_Request requests[])
{
    start(count, requests, __builtin_return_address(0));
    return next_Startall(count, requests);
}

STRATA_PUBLIC int MPI_Request_free(MPI_Request *request)
{
    uint64_t number;
    const bool any = atomic_load_explicit(&recorder_requests, memory_order_relaxed) > 0;
    find_next_early();
    struct recorder_slot *slot = any && request ? recorder_slot_of(*request, &number) : NULL;
    if (slot) {
        recorder_finish(number);
        if (slot->persistent && slot->row) {
            atomic_store(&slot->row->handle, 0);
        }
        recorder_release(slot, number);
    }
    return next_Request_free(request);
}

#define ROW(name) {"MPI_" #name, (void **)&next_##name},
static const struct recorder_next next[] = {RECORDER_WAITS(ROW)};

__attribute__((constructor)) static void find_next(void)
{
    recorder_find_next(next, sizeof next / sizeof *next);
}
