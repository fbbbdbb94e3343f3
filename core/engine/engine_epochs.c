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
        uint64_t seen = member == r->me ? least : atomic_load_explicit(left, memory_order_acquire);
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

void strata_merge_slots(struct strata_execution *x)
{
    uint64_t epoch = strata_pass_epoch(x);
    for (int member = 0; member < x->ring->members; member++) {
        const struct strata_slot_header *header =
            (const void *)strata_ring_slot(x->ring, member, epoch);
        strata_merge(x, header->largest, header->busiest);
    }
}
