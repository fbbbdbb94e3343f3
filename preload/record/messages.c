/* The entries of messages. They have no number on their communicator, whose collectives alone are
 * counted. */
#include "preload/record/messages.h"

#include "preload/record/waits.h"

static int number_of_rank(int rank)
{
    return rank == MPI_ANY_SOURCE  ? STRATA_RECORD_ANYBODY
           : rank == MPI_PROC_NULL ? STRATA_RECORD_NOBODY
                                   : rank;
}

static uint64_t number_of_tag(int tag)
{
    return tag == MPI_ANY_TAG ? UINT64_MAX : (uint64_t)tag;
}

static bool sends_and_receives(int kind)
{
    return kind == STRATA_RECORD_SENDRECV || kind == STRATA_RECORD_SENDRECV_REPLACE;
}

/* Whether the place's shape is that of the call. No collective needs to have been called on its
 * communicator. */
static bool is_known(const struct recorder_shape *shape, const struct recorder_message *m)
{
    const uintptr_t comm = (uintptr_t)m->comm;
    const uint64_t handle =
        atomic_load_explicit(&shape->communicator->handle, memory_order_acquire);
    return (handle == comm || handle == ~comm) && shape->type == m->type;
}

/* Makes the shape of the call's place, and returns what the entry says of it. */
static uint64_t what_of(const struct recorder_message *m)
{
    const uint64_t row = STRATA_RECORD_WHAT(0xffff, 0, 0, 0);
    const int place = STRATA_RECORD_PLACE(m->kind, 0);
    if (!is_known(&recorder_here.shapes[place], m)) {
        recorder_prepare(place, m->comm, m->type, MPI_OP_NULL);
    }
    const uint64_t what = recorder_here.shapes[place].what;
    return m->matched ? (what & ~row) | (m->matched & row) : what;
}

/* What is sent in a sendrecv. */
static uint64_t count_of(const struct recorder_message *m)
{
    const int to = number_of_rank((int)(uint32_t)m->count);
    return sends_and_receives(m->kind) ? STRATA_RECORD_TO(to, m->count >> 32) : m->count;
}

/* Whether the call is for nobody's message, and so ends at once. */
static bool is_nothing(const struct recorder_message *m)
{
    const bool sends = sends_and_receives(m->kind) && (int)(uint32_t)m->count != MPI_PROC_NULL;
    return m->other == MPI_PROC_NULL && !sends;
}

struct recorder_call recorder_message_begin(const struct recorder_message *m, int form,
                                            const void *site)
{
    if (is_nothing(m)) {
        return (struct recorder_call){NULL, 0};
    }
    const uint64_t what = what_of(m);
    const struct recorder_call call = recorder_take();
    struct strata_record_entry *e = call.entry;
    RECORDER_SET(e->site, (uintptr_t)site);
    RECORDER_SET(e->count, count_of(m));
    RECORDER_SET(e->root, number_of_rank(m->other));
    RECORDER_SET(e->order, number_of_tag(m->tag));
    RECORDER_SET(e->served, STRATA_RECORD_UNTOLD);
    RECORDER_SET(e->what, what | STRATA_RECORD_FORM(form));
    recorder_publish(call);
    return call;
}

void recorder_message_end(struct recorder_call call)
{
    if (call.number) {
        recorder_leave(call, MPI_SUCCESS);
    }
}

void recorder_message_begun(struct recorder_call call, uintptr_t request)
{
    if (call.number) {
        recorder_begun(call, NULL, request);
    }
}

void recorder_message_described(const struct recorder_message *m, uintptr_t request)
{
    if (m->other != MPI_PROC_NULL) {
        const struct strata_record_entry start = {
            .count = m->count,
            .root = number_of_rank(m->other),
            .order = number_of_tag(m->tag),
            .what = what_of(m) | STRATA_RECORD_FORM(STRATA_RECORD_STARTED)};
        recorder_described_message(&start, request);
    }
}

/* No request has this number in the table. */
static uintptr_t number_of_message(MPI_Message message)
{
    return ~(uintptr_t)message;
}

void recorder_message_matched(const struct recorder_message *m, MPI_Message message)
{
    recorder_message_described(m, number_of_message(message));
}

bool recorder_message_take(const MPI_Message *message, struct recorder_message *m)
{
    uint64_t number;
    const bool any = message && atomic_load_explicit(&recorder_requests, memory_order_relaxed) > 0;
    struct recorder_slot *slot =
        any ? recorder_slot_of(number_of_message(*message), &number) : NULL;
    if (slot) {
        m->comm = MPI_COMM_WORLD;
        m->matched = slot->what;
        m->other = slot->root;
        m->tag = (int)slot->tag;
        recorder_release(slot, number);
    }
    return slot;
}
