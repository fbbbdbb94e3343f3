/* Asks a local peer to copy a block that it exposes, where the system does not let this rank read
 * the peer's memory.
 *
 * The rank that asks writes its question down, and then raises its number by one. The member that
 * is asked copies the bytes into the asking member's slot, and publishes the same number as its
 * answer. It looks for questions whenever its engine advances, and it stays in the call as long as
 * others may ask. One counter shows whether there are new questions. */
#include <string.h>

#include "core/engine/engine_epochs.h"
#include "core/engine/single_copy.h"
#include "core/engine/single_copy_parts.h"

static _Atomic uint64_t *asks_of(const struct strata_ring *r)
{
    return &r->member[0].ask.asks;
}

/* Where in the asking member's slot the bytes go. */
static unsigned char *room_of(const struct strata_execution *x, int member, uint64_t epoch)
{
    return strata_ring_slot(x->ring, member, epoch) + strata_loans_end(x->plan);
}

size_t strata_ask_most(const struct strata_execution *x)
{
    return x->ring->slot_bytes - strata_loans_end(x->plan);
}

static void say(struct strata_execution *x, struct strata_ask *mine,
                const struct strata_asking *wanted)
{
    uint64_t last = atomic_load_explicit(&mine->asked, memory_order_relaxed);
    mine->epoch = strata_pass_epoch(x);
    mine->address = wanted->loan.address;
    mine->pieces = wanted->loan.pieces;
    mine->skip = wanted->skip;
    mine->bytes = (uint32_t)wanted->bytes;
    atomic_store_explicit(&mine->member, wanted->member, memory_order_release);
    atomic_store_explicit(&mine->asked, last + strata_stamp(1, 0), memory_order_release);
    atomic_fetch_add_explicit(asks_of(x->ring), 1, memory_order_release);
    x->progress.asking = true;
}

/* STRATA_OK; STRATA_PENDING; STRATA_ERR_TRANSPORT: the member that I ask failed, and will not
 * answer. */
static int look_for_answer(const struct strata_execution *x, const struct strata_ask *mine,
                           int member)
{
    uint64_t asked = atomic_load_explicit(&mine->asked, memory_order_relaxed);
    bool lost = strata_ring_lost(x->ring, member, strata_pass_epoch(x));
    if (atomic_load_explicit(&mine->answered, memory_order_acquire) >= asked) {
        return STRATA_OK; /* it may have answered before it failed */
    }
    return lost ? STRATA_ERR_TRANSPORT : STRATA_PENDING;
}

int strata_ask(struct strata_execution *x, const struct strata_asking *wanted,
               const unsigned char **come)
{
    struct strata_ask *mine = &x->ring->member[x->ring->me].ask;
    if (strata_slot_open(x) == STRATA_PENDING) {
        return STRATA_PENDING;
    }
    if (!x->progress.asking) {
        say(x, mine, wanted);
    }
    int status = look_for_answer(x, mine, wanted->member);
    if (status != STRATA_OK) {
        uint64_t asked = atomic_load_explicit(&mine->asked, memory_order_relaxed);
        strata_pend(x, wanted->member, &mine->answered, asked, NULL);
        return status;
    }
    x->progress.asking = false;
    *come = room_of(x, x->ring->me, strata_pass_epoch(x));
    return STRATA_OK;
}

/* Copies the bytes of my memory that are asked for. It leaves lists of pieces unchanged, because
 * others read them. */
static void copy_asked(struct strata_execution *x, const struct strata_ask *ask, unsigned char *to)
{
    const struct strata_range one = {ask->address, ask->skip + ask->bytes};
    const bool listed = ask->pieces > 0;
    const struct strata_range *range = listed ? (const void *)(uintptr_t)ask->address : &one;
    size_t skip = ask->skip, left = ask->bytes;
    for (uint32_t i = 0; left > 0 && i < (listed ? ask->pieces : 1); i++) {
        size_t before = strata_least(skip, range[i].bytes);
        size_t now = strata_least(left, range[i].bytes - before);
        strata_share_copy(x, to, (const unsigned char *)(uintptr_t)range[i].address + before, now);
        skip -= before;
        left -= now;
        to += now;
    }
}

static void answer_one(struct strata_execution *x, int member)
{
    struct strata_ask *ask = &x->ring->member[member].ask;
    uint64_t asked = atomic_load_explicit(&ask->asked, memory_order_acquire);
    if (atomic_load_explicit(&ask->member, memory_order_acquire) == x->ring->me &&
        atomic_load_explicit(&ask->answered, memory_order_relaxed) < asked) {
        copy_asked(x, ask, room_of(x, member, ask->epoch));
        x->count.copied += ask->bytes;
        strata_ring_publish(x->ring, &ask->answered, asked);
    }
}

void strata_answer(struct strata_execution *x)
{
    struct strata_ring *r = x->ring;
    uint64_t asks = atomic_load_explicit(asks_of(r), memory_order_acquire);
    for (int member = 0; asks != r->asks && member < r->members; member++) {
        answer_one(x, member);
    }
    r->asks = asks;
}
