/* Inside a node: the steps that signal, and that await signals of others. */
#include <stdio.h>

#include "core/base/seldom.h"
#include "core/engine/engine_epochs.h"
#include "core/engine/engine_family.h"
#include "core/engine/engine_items.h"

/* Notes that all members have left the epochs before this one: I have heard of every member in this
 * epoch. A member that has heard of a failure does not know it. */
static void hear_all(const struct strata_execution *x)
{
    if (!x->progress.peer_failed) {
        x->ring->all_departed = strata_pass_epoch(x);
    }
}

/* Notes that all members have left the epoch that used the slots before: I have heard of one that
 * knows it, for nobody signals before. */
static void hear_one(const struct strata_execution *x)
{
    const uint64_t open = strata_slot_epoch(x);
    if (!x->progress.peer_failed && x->ring->all_departed < open) {
        x->ring->all_departed = open;
    }
}

/* Writes the agreed sizes and the leader's status into each of its lanes, before it signals
 * DONE. */
static void close_lanes(struct strata_execution *x)
{
    int turn = x->plan->topology->turn_of[x->plan->rank];
    for (int lane = turn; lane < x->plan->exchange.lanes; lane += x->ring->members) {
        struct strata_lane_header *header = (void *)strata_lane_at(x, lane);
        *header = (struct strata_lane_header){.largest = x->progress.largest,
                                              .load = x->progress.load,
                                              .status = strata_in_step(x) ? STRATA_OK
                                                                          : x->progress.status};
    }
}

/* A member that has heard of a failure passes it on. The description of blocks comes with the first
 * signal of an epoch, because local peers read it when they see that signal. */
int strata_run_signal(struct strata_execution *x, const struct strata_step *step)
{
    uint64_t epoch = strata_pass_epoch(x);
    unsigned signal = (unsigned)step->count;
    _Atomic uint64_t *mine = strata_ring_signal(x->ring, x->ring->me, epoch);
    if (strata_slot_open(x) == STRATA_PENDING) {
        return STRATA_PENDING;
    }
    uint64_t stamp = strata_stamp(epoch, x->progress.peer_failed ? STRATA_SIGNAL_FAILED : signal);
    bool first = strata_stamp_epoch(atomic_load_explicit(mine, memory_order_relaxed)) < epoch;
    if (signal == STRATA_SIGNAL_DONE) {
        close_lanes(x);
    }
    if (first) {
        strata_family_of(x->plan)->describe(x,
                                            (void *)strata_ring_slot(x->ring, x->ring->me, epoch));
    }
    if (signal != STRATA_SIGNAL_ARRIVED) {
        hear_all(x);
    }
    strata_ring_publish(x->ring, mine, stamp + strata_call_mark(x->plan));
    return STRATA_OK;
}

/* Names the call of a mark, such as "reduce with root 1". A communicator with more ranks than marks
 * can tell apart gets no name. */
static const char *say_call(unsigned mark, int ranks, char text[static 64])
{
    if (ranks > (1 << STRATA_MARK_BITS) / STRATA_COLLECTIVE_COUNT) {
        return "another collective, or with another root";
    }
    const enum strata_collective collective =
        (enum strata_collective)(mark % STRATA_COLLECTIVE_COUNT);
    const char *name = strata_collective_name(collective);
    if (!strata_collective_rooted(collective)) {
        return name;
    }
    snprintf(text, 64, "%s with root %u", name, mark / STRATA_COLLECTIVE_COUNT);
    return text;
}

/* Notes that ranks make their calls in different orders, so that two calls meet in this epoch. */
static STRATA_SELDOM void note_other_call(struct strata_execution *x, int member, unsigned mark)
{
    const struct strata_plan *plan = x->plan;
    char mine[64], others[64];
    strata_record_error(x, STRATA_ERR_TRANSPORT,
                        "this rank calls %s where rank %d calls %s: the calls of a communicator "
                        "must come in one order",
                        say_call(plan->mark, 1, mine),
                        strata_topology_rank(plan->topology, strata_my_node(x), member),
                        say_call(mark, plan->topology->ranks, others));
    x->progress.peer_failed = true;
}

/* Whether the member, which has signalled, is in another call than mine. */
static inline bool in_other_call(uint64_t seen, uint64_t stamp)
{
    return strata_stamp_epoch(seen) == strata_stamp_epoch(stamp) &&
           strata_stamp_mark(seen) != strata_stamp_mark(stamp);
}

/* Whether the wait for a member is over although its signal is not the stamp: the member will never
 * come, or has gone beyond the stamp. */
static STRATA_SELDOM bool settled(struct strata_execution *x, int member, uint64_t stamp,
                                  const _Atomic uint64_t *at)
{
    uint64_t epoch = strata_stamp_epoch(stamp);
    uint64_t seen = atomic_load_explicit(at, memory_order_acquire);
    bool lost = seen < stamp && strata_ring_lost(x->ring, member, epoch);
    if (lost) { /* it may have signalled before it failed */
        seen = atomic_load_explicit(at, memory_order_acquire);
    }
    if (in_other_call(seen, stamp)) {
        note_other_call(x, member, strata_stamp_mark(seen));
        return true;
    }
    if (seen >= stamp) {
        bool failed = strata_stamp_signal(seen) == STRATA_SIGNAL_FAILED;
        x->progress.peer_failed = x->progress.peer_failed || failed;
        return true;
    }
    if (lost) {
        x->progress.peer_failed = true;
        return true;
    }
    strata_pend(x, member, at, stamp, NULL);
    return false;
}

/* Whether the wait for a member is over. Most members have published the stamp itself. */
static inline bool reached(struct strata_execution *x, int member, uint64_t stamp, uint64_t epoch)
{
    const _Atomic uint64_t *at = strata_ring_signal(x->ring, member, epoch);
    return atomic_load_explicit(at, memory_order_acquire) == stamp || settled(x, member, stamp, at);
}

int strata_await_members(struct strata_execution *x, const struct strata_step *step,
                         struct strata_awaited of)
{
    const uint64_t epoch = strata_pass_epoch(x);
    const uint64_t stamp = strata_stamp(epoch, (unsigned)step->count) + strata_call_mark(x->plan);
    const struct strata_family *family = strata_family_of(x->plan);
    for (int member = of.first; member < of.end; member++) {
        if (member == x->ring->me) {
            continue; /* my own signal needs no wait */
        }
        if (!reached(x, member, stamp, epoch)) {
            x->pending_end = of.end;
            return family->meanwhile(x);
        }
        family->hear(x, member, epoch);
    }
    if (strata_await_hears_all(step)) {
        hear_all(x);
    } else if (step->peer != x->ring->me) {
        hear_one(x);
    }
    return family->heard(x);
}

int strata_run_await(struct strata_execution *x, const struct strata_step *step)
{
    return strata_await_members(x, step, strata_awaited_by(x->plan, step));
}
