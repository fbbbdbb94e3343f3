#include "core/engine/broadcast_lengths.h"

#include "core/base/buckets.h"
#include "core/base/seldom.h"

STRATA_SELDOM void strata_note_other_vector(struct strata_execution *x, int rank, uint64_t said)
{
    const uint64_t mine = x->progress.blocks_total;
    if (said == STRATA_NO_VECTOR) {
        strata_record_error(x, STRATA_ERR_TRUNCATE,
                            "rank %d: rank %d has no vector to pass on, for ranks disagree about "
                            "the size of the vector",
                            x->plan->rank, rank);
        return;
    }
    strata_record_error(x, STRATA_ERR_TRUNCATE,
                        "rank %d and rank %d disagree about the size of the vector: rank %d has "
                        "%llu bytes, where rank %d expects %llu",
                        x->plan->rank, rank, rank, (unsigned long long)said, x->plan->rank,
                        (unsigned long long)mine);
    x->progress.parted = x->by_buckets && strata_bucket_of_bytes((size_t)said) !=
                                              strata_bucket_of_bytes((size_t)mine);
}

void strata_tell_other_vector(struct strata_execution *x)
{
    const struct strata_plan *plan = x->plan;
    for (int peer = 0; x->transport->tell && peer < plan->topology->ranks; peer++) {
        if (peer != plan->rank) {
            x->transport->tell(x->transport_self, peer);
        }
    }
}

/* The next epoch of a ring, as far as this rank has come. */
static uint64_t next_epoch(const struct strata_execution *x, const struct strata_ring *r)
{
    const uint64_t here = x->progress.epoch + (uint64_t)x->plan->limits.passes;
    return r == x->ring ? here : r->epoch;
}

/* Whether the member has signalled in an epoch of the ring that this rank has not come to. */
static bool is_ahead_in(const struct strata_execution *x, const struct strata_ring *r, int member)
{
    const uint64_t next = next_epoch(x, r);
    bool ahead = false;
    for (uint64_t i = 0; r->member && i < r->depth && !ahead; i++) {
        const _Atomic uint64_t *at = strata_ring_signal(r, member, next + i);
        ahead = strata_stamp_epoch(atomic_load_explicit(at, memory_order_acquire)) >= next;
    }
    return ahead;
}

/* Whether this rank waits for a signal of a member that has signalled in a later call. The member
 * makes its calls in their order, so its signal of this call can be seen by now, if there is
 * one. */
static bool has_passed(const struct strata_execution *x, int member)
{
    const uint64_t epoch = strata_stamp_epoch(x->pending_stamp);
    bool ahead = false;
    if (member < 0 || x->pending_at != strata_ring_signal(x->ring, member, epoch)) {
        return false;
    }
    for (int kind = 0; kind < STRATA_RINGS && !ahead; kind++) {
        ahead = is_ahead_in(x, &x->memory->ring[kind], member);
    }
    return ahead && !strata_engine_come(x);
}

/* A peer that has told that messages differ, or behind whose messages that was seen; or -1. */
static int telling_peer(const struct strata_execution *x)
{
    for (int peer = 0; x->transport->told && peer < x->plan->topology->ranks; peer++) {
        if (x->transport->told(x->transport_self, peer)) {
            return peer;
        }
    }
    return -1;
}

bool strata_broadcast_differs(struct strata_execution *x)
{
    if (x->plan->collective != STRATA_BCAST) {
        return false;
    }
    if (x->progress.status == STRATA_OK) {
        const int member = x->pending_member;
        const int other = has_passed(x, member)
                              ? strata_topology_rank(x->plan->topology, strata_my_node(x), member)
                              : telling_peer(x);
        if (other >= 0) {
            strata_record_error(x, STRATA_ERR_TRUNCATE,
                                "rank %d: rank %d is in another plan of this broadcast, or has "
                                "passed it, so ranks disagree about the size of the vector",
                                x->plan->rank, other);
        }
    }
    return x->progress.status == STRATA_ERR_TRUNCATE;
}
