/* The longest calls of the run, which stay when the ring has gone on: a table that is filled
 * without a lock. The lengths stand beside it, in this process alone; each belongs to the thread
 * that has marked it as busy. */
#include <stdbool.h>

#include "preload/record/counts.h"

static const uint64_t busy = (uint64_t)1 << 63;
static _Atomic uint64_t lengths[STRATA_RECORD_LONGEST];
_Atomic uint64_t recorder_least;  /* 0 while calls are counted, so that all come here */
static _Atomic uint64_t shortest; /* of the table */
static _Atomic bool counts;

void recorder_count_begin(void)
{
    atomic_store_explicit(&counts, true,
                          memory_order_seq_cst); /* pairs with the load in find_least */
    atomic_store_explicit(&recorder_least, 0, memory_order_seq_cst);
}

/* Of the others nobody stands in the call itself, or all ranks need not make it. */
static bool is_kept(uint64_t what)
{
    const int kind = (int)(what >> 16 & 0xff), form = (int)(what >> 40 & 0xff);
    return kind < STRATA_COLLECTIVE_COUNT && (form & ~STRATA_RECORD_OWN) == STRATA_RECORD_BLOCKING;
}

/* The place of the shortest one, for one that is longer; -1: there is none. */
static int take(uint64_t length)
{
    for (;;) {
        int at = -1;
        uint64_t least = length;
        for (int i = 0; i < STRATA_RECORD_LONGEST; i++) {
            const uint64_t one = atomic_load_explicit(&lengths[i], memory_order_relaxed);
            if (one < least) { /* not one that is busy */
                at = i;
                least = one;
            }
        }
        /* pairs with the release in recorder_keep */
        if (at < 0 ||
            atomic_compare_exchange_strong_explicit(&lengths[at], &least, length | busy,
                                                    memory_order_acquire, memory_order_relaxed)) {
            return at;
        }
    }
}

/* Lengths only grow, so what another thread has found meanwhile is at most too small. */
static void find_least(void)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < STRATA_RECORD_LONGEST; i++) {
        const uint64_t one = atomic_load_explicit(&lengths[i], memory_order_relaxed) & ~busy;
        least = one < least ? one : least;
    }
    atomic_store_explicit(&shortest, least, memory_order_relaxed);
    if (!atomic_load_explicit(&counts, memory_order_relaxed)) {
        atomic_store_explicit(&recorder_least, least, memory_order_seq_cst);
    }
    if (atomic_load_explicit(&counts, memory_order_seq_cst)) {
        atomic_store_explicit(&recorder_least, 0, memory_order_relaxed);
    }
}

static bool is_still_there(struct recorder_call call)
{
    atomic_thread_fence(memory_order_acquire);
    return atomic_load_explicit(&call.entry->number, memory_order_relaxed) == call.number;
}

/* The file's `bytes` are 0 where nobody reads it. Threads that make 1024 calls meanwhile may write
 * over the entry, which then has another number. Where the clocks of two cores differ, a call may
 * end before it begins. */
int recorder_keep(struct recorder_call call, int error)
{
    struct strata_record *record = recorder_record;
    const struct strata_record_entry *e = call.entry;
    const uint64_t begin = e->begin, end = e->end, what = e->what;
    const uint32_t served = e->served;
    const uint64_t length = end > begin ? end - begin : 0;
    if (!is_still_there(call)) {
        return error;
    }
    if (atomic_load_explicit(&counts, memory_order_relaxed)) {
        recorder_count(what, served, length);
    }
    const bool longer = length > atomic_load_explicit(&shortest, memory_order_relaxed);
    const int at = record->bytes && longer && is_kept(what) ? take(length) : -1;
    if (at < 0) {
        return error;
    }
    struct strata_record_entry *kept = &record->longest[at];
    RECORDER_SET(kept->number, 0);
    atomic_thread_fence(memory_order_release);
    RECORDER_SET(kept->begin, begin);
    RECORDER_SET(kept->end, end);
    RECORDER_SET(kept->site, e->site);
    RECORDER_SET(kept->count, e->count);
    RECORDER_SET(kept->order, e->order);
    RECORDER_SET(kept->what, what);
    RECORDER_SET(kept->root, e->root);
    RECORDER_SET(kept->served, served);
    const bool whole = is_still_there(call);
    atomic_store_explicit(&kept->number, whole ? call.number : 0, memory_order_release);
    atomic_store_explicit(&lengths[at], whole ? length : 0, memory_order_release);
    find_least();
    return error;
}
