/* Epochs of the node memory: when this rank may write there, and the sizes that the slots say. */
#ifndef STRATA_CORE_ENGINE_ENGINE_EPOCHS_H
#define STRATA_CORE_ENGINE_ENGINE_EPOCHS_H

#include "core/engine/engine_common.h"

/* Finds the plan's ring, whose next epoch is the call's. */
static inline void strata_find_epoch(struct strata_execution *x)
{
    struct strata_ring *ring = &x->memory->ring[x->plan->blocks.ring];
    x->ring = ring;
    x->progress.epoch = ring->epoch;
}

/* STRATA_PENDING until all members have left the epochs before `epoch`. The first function looks at
 * the members; the second one does so only if the ring does not know it yet. */
int strata_wait_until_departed(struct strata_execution *x, uint64_t epoch);
/* The same where the epoch is one that a slot was used in. One member looks for all others. */
int strata_wait_until_open(struct strata_execution *x, uint64_t epoch);
static inline int strata_until_departed(struct strata_execution *x, uint64_t epoch)
{
    return x->ring->all_departed >= epoch ? STRATA_OK : strata_wait_until_departed(x, epoch);
}
/* The same until all members have left the epoch that used my slot before, or the epochs that used
 * the landing before. A rank that writes there calls this first. */
static inline uint64_t strata_slot_epoch(const struct strata_execution *x)
{
    return strata_pass_epoch(x) - x->ring->depth_mask;
}
static inline int strata_slot_open(struct strata_execution *x)
{
    uint64_t epoch = strata_slot_epoch(x);
    return x->ring->all_departed >= epoch ? STRATA_OK : strata_wait_until_open(x, epoch);
}
static inline int strata_landing_open(struct strata_execution *x)
{
    return strata_until_departed(x, strata_pass_epoch(x));
}
/* The same for the slot, if the set has blocks in the node memory. */
static inline int strata_set_open(struct strata_execution *x, struct strata_set set)
{
    return strata_set_is_of_node(set) ? strata_slot_open(x) : STRATA_OK;
}
/* The same until all members have left all epochs of this call. */
static inline int strata_call_departed(struct strata_execution *x)
{
    return strata_until_departed(x, x->ring->epoch);
}
/* I read nothing of this epoch any more. Members that expose blocks wait until all others have said
 * so, so plans that expose say it in every epoch. */
static inline void strata_leave_epoch(const struct strata_execution *x, struct strata_ring *r,
                                      uint64_t epoch)
{
    if (((epoch + 1) & r->leaves) == 0 || x->plan->exchange.exposes) {
        strata_ring_publish(r, &r->member[r->me].departed, strata_stamp(epoch + 1, 0));
    }
}

/* Merges sizes that came with a message, or lie in a slot, into this rank's maxima. */
static inline void strata_merge(struct strata_execution *x, uint64_t largest, uint64_t load)
{
    x->progress.largest = largest > x->progress.largest ? largest : x->progress.largest;
    x->progress.load = strata_load_most(x->progress.load, load);
}
/* The same for all members' slots. */
void strata_merge_slots(struct strata_execution *x);
/* The same, but for bytes: the load becomes the node's. In a later pass the slots have what all
 * agreed on in the first, which the load of the largest node then is, too. */
void strata_measure_node(struct strata_execution *x);

#endif
