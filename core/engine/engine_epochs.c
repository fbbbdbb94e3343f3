/* Epochs of the node memory. */
#include "core/engine/engine_epochs.h"

#include "core/engine/engine_format.h"

/* The epoch before which all other members have left all epochs, as far as they have said so:
 * `epoch` or a later one; 0: some have not left the epochs before `epoch` yet. */
static uint64_t look_who_left(struct strata_execution *x, uint64_t epoch)
{
    const struct strata_ring *r = x->ring;
    uint64_t wanted = strata_stamp(epoch, 0), least = UINT64_MAX;
    for (int member = 0; member < r->members; member++) {
        const _Atomic uint64_t *left = &r->member[member].departed;
        if (member == r->me) {
            continue;
        }
        uint64_t seen = atomic_load_explicit(left, memory_order_acquire);
        if (seen < wanted && strata_ring_lost(r, member, epoch)) {
            seen = wanted;
        }
        if (seen < wanted) {
            strata_pend(x, member, left, wanted, NULL);
            return 0;
        }
        least = seen < least ? seen : least;
    }
    return strata_stamp_epoch(least);
}

int strata_wait_until_departed(struct strata_execution *x, uint64_t epoch)
{
    uint64_t left = look_who_left(x, epoch);
    if (left == 0) {
        return STRATA_PENDING;
    }
    x->ring->all_departed = left;
    return STRATA_OK;
}

/* Where so many members or fewer share a node, each looks for itself: it reads few lines. */
enum { FEW = 8 };

/* How many epochs this member takes off what it learns, so that it looks that much sooner than it
 * must. The last members take off different numbers, and the others none. So one member looks, and
 * the others find what it saw. */
static uint64_t sooner(const struct strata_ring *r)
{
    int last = (int)r->leaves - (r->members - 1 - r->me);
    return last > 0 ? (uint64_t)last : 0;
}

/* The epoch before which all members have left all epochs, I myself among them. The others may be
 * far ahead of me, where nobody awaits me. */
static uint64_t before_me_too(const struct strata_ring *r)
{
    const uint64_t mine =
        strata_stamp_epoch(atomic_load_explicit(&r->member[r->me].departed, memory_order_relaxed));
    return mine < r->all_departed ? mine : r->all_departed;
}

static int learn(struct strata_execution *x, uint64_t epoch)
{
    struct strata_ring *r = x->ring;
    _Atomic uint64_t *looked = &r->member[0].looked;
    uint64_t left = atomic_load_explicit(looked, memory_order_acquire);
    if (left < epoch + sooner(r)) {
        if (strata_wait_until_departed(x, epoch) == STRATA_PENDING) {
            return STRATA_PENDING;
        }
        left = before_me_too(r);
        /* pairs with the acquire above: who finds it here has seen what I have seen */
        atomic_store_explicit(looked, left, memory_order_release);
    }
    r->all_departed = left > epoch + sooner(r) ? left - sooner(r) : epoch;
    return STRATA_OK;
}

int strata_wait_until_open(struct strata_execution *x, uint64_t epoch)
{
    return x->ring->members > FEW ? learn(x, epoch) : strata_wait_until_departed(x, epoch);
}

/* Returns the bytes of all members' loads. */
static inline uint64_t merge_slots(struct strata_execution *x)
{
    const uint64_t epoch = strata_pass_epoch(x);
    uint64_t bytes = 0;
    for (int member = 0; member < x->ring->members; member++) {
        const struct strata_slot_header *header =
            (const void *)strata_ring_slot(x->ring, member, epoch);
        strata_merge(x, header->largest, header->load);
        bytes += strata_load_bytes(header->load);
    }
    return bytes;
}

void strata_merge_slots(struct strata_execution *x)
{
    (void)merge_slots(x);
}

void strata_measure_node(struct strata_execution *x)
{
    const uint64_t bytes = merge_slots(x) / (uint64_t)x->plan->topology->largest;
    x->progress.load = strata_load(bytes, strata_load_degree(x->progress.load));
}
