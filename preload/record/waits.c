/* The entries of waits, and of starts, and the ends of the calls that they complete. A program
 * without recorded requests pays one comparison. Of a wait there is an entry, so that a rank that
 * stands in it is seen; of tests there is none, for loops of them would fill the file. */
#include "preload/record/waits.h"

#include <stdlib.h>

struct strata_request;

/* The handle as a number; 0 for none. */
static uintptr_t handle_of(bool own, const void *requests, int i)
{
    if (own) {
        return (uintptr_t)((struct strata_request *const *)requests)[i];
    }
    const MPI_Request request = ((const MPI_Request *)requests)[i];
    return request == MPI_REQUEST_NULL ? 0 : (uintptr_t)request;
}

/* Returns how many recorded calls there are that last. *first: the first one. */
static int hold(struct recorder_wait *w, int count, const void *requests,
                const struct recorder_held **first)
{
    const size_t bytes = (size_t)count * sizeof *w->held;
    int calls = 0;
    w->held = bytes <= sizeof w->few ? w->few : malloc(bytes);
    for (int i = 0; w->held && i < count; i++) {
        struct recorder_held *h = &w->held[i];
        const uintptr_t handle = handle_of(w->own, requests, i);
        struct recorder_slot *slot = handle ? recorder_slot_of(handle, &h->number) : NULL;
        h->slot = slot && h->number != RECORDER_INACTIVE ? slot : NULL;
        h->persistent = h->slot && slot->persistent;
        *first = h->slot && calls == 0 ? h : *first;
        calls += h->slot != NULL;
        w->others += handle && !slot;
    }
    return calls;
}

/* Of several requests the first one that is not complete is waited for, as far as is known. That is
 * asked where messages are recorded, which come one by one. NULL: it is none of those that are
 * recorded. */
static const struct recorder_held *first_incomplete(const struct recorder_wait *w, int count,
                                                    const void *requests,
                                                    const struct recorder_held *first)
{
    if (!recorder_waits || w->own || count == 1) {
        return first;
    }
    for (int i = 0; i < count; i++) {
        int done = 1;
        if (w->held[i].slot) {
            PMPI_Request_get_status(((const MPI_Request *)requests)[i], &done, MPI_STATUS_IGNORE);
        }
        if (!done) {
            return &w->held[i];
        }
    }
    return w->others ? NULL : first;
}

static void drop(struct recorder_wait *w)
{
    if (w->held != w->few) {
        free(w->held);
    }
    w->held = NULL;
}

static struct recorder_call write_entry(uint64_t what, uint64_t order, uint64_t count, int root,
                                        uint32_t served, const void *site)
{
    const struct recorder_call call = recorder_take();
    RECORDER_SET(call.entry->site, (uintptr_t)site);
    RECORDER_SET(call.entry->count, count);
    RECORDER_SET(call.entry->root, root);
    RECORDER_SET(call.entry->order, order);
    RECORDER_SET(call.entry->served, served);
    RECORDER_SET(call.entry->what, what);
    recorder_publish(call);
    return call;
}

/* A wait is of the communicator and the number of a recorded call, or of any of several. */
static struct recorder_call write_wait(const struct recorder_held *h, bool any, const void *site)
{
    const struct strata_record_entry *begun =
        &recorder_record->entry[h->number % STRATA_RECORD_ENTRIES];
    const bool kept = begun->number == h->number; /* not written over by later calls */
    const uint64_t row = kept ? begun->what % STRATA_RECORD_COMMUNICATORS : 0;
    return write_entry(STRATA_RECORD_WHAT(row, STRATA_RECORD_WAIT, 0, 0), kept ? begun->order : 0,
                       h->number, any ? STRATA_RECORD_ANYBODY : -1, STRATA_RECORD_UNTOLD, site);
}

/* Writes for what is waited, or what is tested. */
static void write_begin(struct recorder_wait *w, const struct recorder_held *h, bool any,
                        const void *site)
{
    if (h && site) {
        w->wait = write_wait(h, any, site);
    } else if (h) {
        RECORDER_SET(recorder_record->tested_call, any ? 0 : h->number);
        RECORDER_SET(recorder_record->tested, strata_record_ticks());
    }
}

void recorder_wait_begin(struct recorder_wait *w, bool own, int count, const void *requests,
                         const void *site, bool any)
{
    w->held = NULL;
    w->wait.entry = NULL;
    w->others = 0;
    w->own = own;
    if (atomic_load_explicit(&recorder_requests, memory_order_relaxed) > 0 && requests) {
        const struct recorder_held *first = NULL;
        const int calls = hold(w, count, requests, &first);
        if (calls == 0) {
            drop(w);
        } else {
            write_begin(w, first_incomplete(w, count, requests, first),
                        any && calls + w->others > 1, site);
        }
    }
}

static void complete(const struct recorder_wait *w, int index)
{
    const struct recorder_held *h = w->held && index >= 0 ? &w->held[index] : NULL;
    if (h && h->slot) {
        uint64_t number = h->number;
        recorder_finish(number);
        if (h->persistent) { /* unless another thread has the slot for another request by now */
            atomic_compare_exchange_strong(&h->slot->number, &number, RECORDER_INACTIVE);
        } else {
            recorder_release(h->slot, number);
        }
    }
}

void recorder_wait_all(const struct recorder_wait *w, int count, const void *requests, int error)
{
    for (int i = 0; w->held && i < count; i++) {
        if (error == MPI_SUCCESS || handle_of(w->own, requests, i) == 0) {
            complete(w, i);
        }
    }
}

/* After an error MPI may have set neither `done` nor `indices`. */
void recorder_wait_some(const struct recorder_wait *w, int count, const void *requests,
                        const int *done, const int *indices, int error)
{
    if (error != MPI_SUCCESS) {
        recorder_wait_all(w, count, requests, error);
        return;
    }
    for (int i = 0; w->held && i < *done && i < count; i++) {
        complete(w, indices[i] < count ? indices[i] : -1);
    }
}

void recorder_wait_end(struct recorder_wait *w)
{
    if (w->wait.entry) {
        recorder_leave(w->wait, MPI_SUCCESS);
    }
    drop(w);
}

void recorder_start(bool own, int count, const void *requests, const void *site)
{
    const bool any = requests && atomic_load_explicit(&recorder_requests, memory_order_relaxed) > 0;
    for (int i = 0; any && i < count; i++) {
        uint64_t number;
        struct recorder_slot *slot = recorder_slot_of(handle_of(own, requests, i), &number);
        if (slot && slot->persistent) {
            const uint64_t order = slot->row ? ++slot->row->calls : slot->tag;
            const uint32_t served = own ? STRATA_RECORD_UNTOLD : STRATA_RECORD_NATIVE;
            const struct recorder_call call =
                write_entry(slot->what, order, slot->count, slot->root, served, site);
            atomic_store_explicit(&slot->number, call.number, memory_order_release);
        }
    }
}

void recorder_forget_request(bool own, const void *request)
{
    uint64_t number;
    const bool any = atomic_load_explicit(&recorder_requests, memory_order_relaxed) > 0;
    struct recorder_slot *slot =
        any && request ? recorder_slot_of(handle_of(own, request, 0), &number) : NULL;
    if (slot) {
        recorder_finish(number);
        if (slot->persistent && slot->row) {
            atomic_store(&slot->row->handle, 0);
        }
        recorder_release(slot, number);
    }
}
