/* The requests of recorded calls, in a table that is read and written without a lock. A request's
 * place follows from its handle, within a few slots. Where these are taken, the call is recorded as
 * one that has ended.
 *
 * A handle may come again: MPI gives calls that end at once the same one, and a request may be
 * completed where the recorder does not see it. So an entry of the same handle ends when a new
 * call gets it. */
#include "preload/record/requests.h"

#include <stddef.h>

#include "preload/record/waits.h"

enum { SLOTS = 2048, NEAR = 8 };

static struct recorder_slot slots[SLOTS + NEAR];
_Atomic int recorder_requests;

static struct recorder_slot *first_slot(uintptr_t request)
{
    const uint64_t spread = (uint64_t)request * 0x9e3779b97f4a7c15U;
    return &slots[spread >> 32 & (SLOTS - 1)];
}

struct recorder_slot *recorder_slot_of(uintptr_t request, uint64_t *number)
{
    struct recorder_slot *slot = first_slot(request);
    for (int i = 0; i < NEAR; i++, slot++) {
        *number = atomic_load_explicit(&slot->number, memory_order_acquire);
        if (*number != RECORDER_FREE && *number != RECORDER_TAKEN && slot->request == request) {
            return slot;
        }
    }
    return NULL;
}

void recorder_finish(uint64_t number)
{
    recorder_leave(
        (struct recorder_call){&recorder_record->entry[number % STRATA_RECORD_ENTRIES], number},
        MPI_SUCCESS);
}

void recorder_release(struct recorder_slot *slot, uint64_t number)
{
    if (atomic_compare_exchange_strong(&slot->number, &number, RECORDER_FREE)) {
        atomic_fetch_sub(&recorder_requests, 1);
    }
}

/* A slot that nobody else has, for this request; NULL: none is free. */
static struct recorder_slot *take(uintptr_t request)
{
    uint64_t number;
    struct recorder_slot *slot = recorder_slot_of(request, &number);
    if (slot) {
        recorder_finish(number);
        recorder_release(slot, number);
    }
    slot = first_slot(request);
    for (int i = 0; i < NEAR; i++, slot++) {
        number = RECORDER_FREE;
        if (atomic_compare_exchange_strong(&slot->number, &number, RECORDER_TAKEN)) {
            atomic_fetch_add(&recorder_requests, 1);
            slot->request = request;
            return slot;
        }
    }
    return NULL;
}

void recorder_begun(struct recorder_call call, struct strata_record_communicator *c,
                    uintptr_t request)
{
    (void)c;
    struct recorder_slot *slot = request ? take(request) : NULL;
    if (slot) {
        slot->persistent = false;
        atomic_store_explicit(&slot->number, call.number, memory_order_release);
    } else {
        recorder_leave(call, MPI_SUCCESS);
    }
}

void recorder_described(struct recorder_call call, struct strata_record_communicator *c,
                        uintptr_t request)
{
    const struct strata_record_entry *e = call.entry;
    struct recorder_slot *slot = request ? take(request) : NULL;
    recorder_leave(call, MPI_SUCCESS);
    if (slot) {
        slot->persistent = true;
        slot->row = recorder_request_row(c, e->order);
        slot->count = e->count;
        slot->root = e->root;
        slot->tag = 0;
        slot->what = recorder_what_of_starts(e->what, slot->row);
        atomic_store_explicit(&slot->number, RECORDER_INACTIVE, memory_order_release);
    }
}

void recorder_described_message(const struct strata_record_entry *start, uintptr_t request)
{
    struct recorder_slot *slot = request ? take(request) : NULL;
    if (slot) {
        slot->persistent = true;
        slot->row = NULL;
        slot->count = start->count;
        slot->root = start->root;
        slot->tag = start->order;
        slot->what = start->what;
        atomic_store_explicit(&slot->number, RECORDER_INACTIVE, memory_order_release);
    }
}
