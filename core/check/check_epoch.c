/* Epochs of the node memory (docs/slots.md). A member publishes which epochs it has left. A rank
 * that writes its slot, or the landing, knows this of all members or waits for it. The vector
 * clocks show whether that is enough. */
#include "core/check/check_blocks.h"

/* The publication by which member `m` of my node had left all epochs before `epoch`; NULL: it has
 * not. */
static const struct check_publication *
left_before(const struct checker *k, const struct check_rank *me, int m, uint64_t epoch)
{
    const struct strata_topology *t = k->nodes;
    int rank = strata_topology_rank(t, t->node_of[me->rank], m);
    return strata_check_published(me, &k->rank[rank], strata_stamp(epoch, 0));
}

static int members_of(const struct checker *k, const struct check_rank *me)
{
    return strata_topology_node_size(k->nodes, k->nodes->node_of[me->rank]);
}

/* Waits until all members have left the epochs before `epoch`. */
static int all_departed(struct checker *k, struct check_rank *me, uint64_t epoch)
{
    struct check_ring *ring = &me->ring[strata_check_ring(me)];
    if (!is_staged(me) || ring->all_departed >= epoch) {
        return STRATA_OK;
    }
    for (int m = 0; m < members_of(k, me); m++) {
        if (!left_before(k, me, m, epoch)) {
            return CHECK_BLOCKED;
        }
    }
    for (int m = 0; m < members_of(k, me); m++) {
        strata_check_join(k, me, left_before(k, me, m, epoch)->clock);
    }
    ring->all_departed = epoch;
    return STRATA_OK;
}

/* The epoch before which all must have left before my slot is written. */
static uint64_t slot_epoch(const struct check_rank *me)
{
    return strata_check_epoch(me) + 1 - strata_check_depth(strata_check_ring(me));
}

int strata_check_slot_open(struct checker *k, struct check_rank *me)
{
    return all_departed(k, me, slot_epoch(me));
}

void strata_check_hear_one(struct check_rank *me)
{
    struct check_ring *ring = &me->ring[strata_check_ring(me)];
    ring->all_departed = ring->all_departed > slot_epoch(me) ? ring->all_departed : slot_epoch(me);
}

int strata_check_landing_open(struct checker *k, struct check_rank *me)
{
    return all_departed(k, me, strata_check_epoch(me));
}

int strata_check_call_departed(struct checker *k, struct check_rank *me)
{
    return all_departed(k, me, me->ring[strata_check_ring(me)].epoch);
}

/* Publishes that I have left the epoch. Later actions of mine do not belong to it. */
int strata_check_leave(struct checker *k, struct check_rank *me, uint64_t epoch)
{
    int status = strata_check_publish(k, me, strata_stamp(epoch + 1, 0));
    return status ? status : strata_check_tick(k, me);
}

int strata_check_hear_all(struct checker *k, struct check_rank *me)
{
    const enum strata_ring_kind ring = strata_check_ring(me);
    uint64_t epoch = strata_check_epoch(me), depth = strata_check_depth(ring);
    const struct strata_topology *t = k->nodes;
    int first = t->first[t->node_of[me->rank]];
    for (int m = 0; m < members_of(k, me) && epoch > depth; m++) {
        const struct check_publication *left = left_before(k, me, m, epoch);
        if (!left || left->clock[first + m] > me->clock[first + m]) {
            return strata_check_fail(k, me,
                                     "has not heard of member %d, but says or takes for "
                                     "granted that all members have come",
                                     m);
        }
    }
    me->ring[ring].all_departed = epoch;
    return STRATA_OK;
}
