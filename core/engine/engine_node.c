/* Inside a node: the members' slots, and the steps before the exchange: copy in, signal, await. */
#include <stdio.h>
#include <string.h>

#include "core/base/seldom.h"
#include "core/engine/engine_copying.h"

/* Its tables, which begin at `at`; where its data begin is not known before these are filled. */
static struct strata_slot slot_at(const struct strata_execution *x, unsigned char *at)
{
    const struct strata_topology *t = x->plan->topology;
    struct strata_slot slot = {.header = (void *)at};
    size_t groups = (size_t)t->nodes * (size_t)x->plan->exchange.lanes;
    slot.offset = (uint32_t *)(void *)(slot.header + 1);
    uint32_t *end = slot.offset + groups + 1;
    if (strata_slot_has_lengths(x)) {
        slot.expect = end;
        slot.length = slot.expect + t->ranks;
        end = slot.length + t->ranks;
    }
    slot.tables = (size_t)((unsigned char *)end - at);
    return slot;
}

struct strata_slot strata_slot_of(const struct strata_execution *x, int member)
{
    const size_t groups = (size_t)x->plan->topology->nodes * (size_t)x->plan->exchange.lanes;
    unsigned char *at = strata_ring_slot(x->ring, member, strata_pass_use(x));
    struct strata_slot slot = slot_at(x, at);
    slot.data = at + strata_slot_data(slot.tables, strata_word_bytes(slot.offset[groups]));
    return slot;
}

/* Before which use all members have left all others, as far as they say now: that one or a later
 * one; 0: not that one yet. */
static uint64_t look_who_left(struct strata_execution *x, uint64_t use)
{
    const struct strata_ring *r = x->ring;
    uint64_t wanted = strata_moment(use, 0), least = UINT64_MAX;
    for (int member = 0; member < r->members; member++) {
        const _Atomic uint64_t *left = &r->member[member].left;
        uint64_t seen = member == r->me ? least : atomic_load_explicit(left, memory_order_acquire);
        if (seen < wanted && strata_ring_lost(r, member, use)) {
            seen = wanted;
        }
        if (seen < wanted) {
            strata_pend(x, member, left, wanted, NULL);
            return 0;
        }
        least = seen < least ? seen : least;
    }
    return strata_moment_use(least);
}

int strata_wait_until_left(struct strata_execution *x, uint64_t use)
{
    uint64_t left = look_who_left(x, use);
    if (left == 0) {
        return STRATA_PENDING;
    }
    x->ring->all_left = left;
    return STRATA_OK;
}

int strata_set_open(struct strata_execution *x, struct strata_set set)
{
    return strata_set_is_of_node(set) ? strata_slot_open(x) : STRATA_OK;
}

/* I have heard of every member in this use: so it has left the ones before. Who has heard of a
 * failure knows nothing of the kind. */
static void hear_all(const struct strata_execution *x)
{
    if (!x->progress.mate_failed) {
        x->ring->all_left = strata_pass_use(x);
    }
}

void strata_merge_slots(struct strata_execution *x)
{
    uint64_t use = strata_pass_use(x);
    for (int member = 0; member < x->ring->members; member++) {
        const struct strata_slot_header *header =
            (const void *)strata_ring_slot(x->ring, member, use);
        strata_merge(x, header->largest, header->busiest);
    }
}

void strata_expected_words(const struct strata_execution *x, uint32_t *word)
{
    const struct strata_topology *t = x->plan->topology;
    bool first_destination = t->local_of[x->plan->rank] < x->plan->exchange.lanes;
    for (int node = 0; node < t->nodes; node++) {
        for (int position = t->first[node]; position < t->first[node + 1]; position++) {
            word[position] = strata_block_word(x, &x->output, t->rank_at[position],
                                               position == t->first[node], first_destination);
        }
    }
}

/* Fills a slot's tables for this pass, finds where its data begin, and returns their bytes. */
static size_t fill_tables(struct strata_execution *x, struct strata_slot *slot)
{
    const struct strata_topology *t = x->plan->topology;
    int lanes = x->plan->exchange.lanes, index = 0;
    const int me = t->local_of[x->plan->rank];
    uint32_t data = 0;
    for (int node = 0; node < t->nodes; node++) {
        int members = strata_topology_node_size(t, node);
        for (int lane = 0; lane < lanes; lane++) {
            slot->offset[node * lanes + lane] = data;
            for (int local = lane; local < members; local += lanes) {
                uint32_t word = strata_block_word(
                    x, &x->input, strata_topology_rank(t, node, local), me == 0, local == lane);
                if (slot->length) {
                    slot->length[index++] = word;
                }
                data += word;
            }
        }
    }
    slot->offset[t->nodes * lanes] = data;
    if (strata_slot_has_lengths(x)) {
        strata_expected_words(x, slot->expect);
    }
    slot->header->largest = x->progress.largest;
    slot->header->busiest = x->progress.busiest;
    slot->data =
        (unsigned char *)slot->header + strata_slot_data(slot->tables, strata_word_bytes(data));
    return strata_word_bytes(data);
}

/* Copies the blocks of slot order places [from, to) into the slot. */
static void copy_blocks_in(void *argument, int chunk, int chunks)
{
    struct strata_copying *c = argument;
    const struct strata_topology *t = c->x->plan->topology;
    int lanes = c->x->plan->exchange.lanes, index = 0;
    int from = (int)strata_chunk_begin(t->ranks, chunk, chunks);
    int to = (int)strata_chunk_begin(t->ranks, chunk + 1, chunks);
    size_t skip = (size_t)c->x->cursor.pass * c->x->plan->limits.slice;
    unsigned char *data = c->slot.data;
    for (int node = 0; node < t->nodes; node++) {
        int members = strata_topology_node_size(t, node);
        for (int lane = 0; lane < lanes; lane++) {
            for (int local = lane; local < members; local += lanes, index++) {
                const uint32_t *offset = &c->slot.offset[node * lanes + lane];
                uint32_t bytes = strata_word_bytes(c->slot.length ? c->slot.length[index]
                                                                  : offset[1] - offset[0]);
                int rank = strata_topology_rank(t, node, local);
                if (bytes > 0 && index >= from && index < to && strata_wanted(c, rank)) {
                    strata_layout_pack(&c->x->input, rank, skip, bytes, data);
                }
                data += bytes;
            }
        }
    }
}

struct strata_slot strata_slot_tables(struct strata_execution *x, unsigned char *at)
{
    struct strata_slot slot = slot_at(x, at);
    fill_tables(x, &slot);
    return slot;
}

int strata_copy_in(struct strata_execution *x, const struct strata_step *step)
{
    if (strata_slot_open(x) == STRATA_PENDING) {
        return STRATA_PENDING;
    }
    struct strata_copying c = strata_copying_of(x, step);
    struct strata_slot mine = strata_slot_of(x, x->ring->me);
    size_t bytes = fill_tables(x, &mine);
    strata_lend_direct(x);
    c.slot = mine;
    strata_workshare(x, step, bytes, copy_blocks_in, &c);
    x->count.copied += bytes;
    return STRATA_OK;
}

/* A leader's DONE: the agreed figures and its status, in each of its lanes. */
static void close_lanes(struct strata_execution *x)
{
    int me = x->plan->topology->local_of[x->plan->rank];
    for (int lane = me; lane < x->plan->exchange.lanes; lane += x->ring->members) {
        struct strata_lane_header *header = (void *)strata_lane_at(x, lane);
        *header = (struct strata_lane_header){.largest = x->progress.largest,
                                              .busiest = x->progress.busiest,
                                              .status = strata_in_step(x) ? STRATA_OK
                                                                          : x->progress.status};
    }
}

/* How long the block in each mate's slot is, which I wrote there. */
static void say_of_all(struct strata_execution *x)
{
    const int first = x->plan->topology->first[strata_my_node(x)];
    for (int member = 0; member < x->ring->members; member++) {
        struct strata_slot_header *header =
            (void *)strata_ring_slot(x->ring, member, strata_pass_use(x));
        header->total = strata_said_of(x, first + member);
    }
}

/* What is said of a plan's blocks beside the signal. */
static void describe_blocks(struct strata_execution *x, struct strata_slot_header *header)
{
    if (strata_says_of_all(x->plan)) {
        say_of_all(x);
    }
    if (strata_agrees_on_sizes(x->plan)) {
        header->largest = x->progress.largest;
        header->busiest = x->progress.busiest;
    } else {
        header->total = x->progress.blocks_total;
    }
    if (x->progress.lends) {
        x->direct ? strata_lend_direct(x) : strata_lend(x);
    }
}

/* Whoever has heard of a failure passes it on. What is said of blocks comes with the first signal
 * of a use: mates read it when they have seen that. */
int strata_run_signal(struct strata_execution *x, const struct strata_step *step)
{
    uint64_t use = strata_pass_use(x);
    unsigned signal = (unsigned)step->count;
    _Atomic uint64_t *mine = strata_ring_signal(x->ring, x->ring->me, use);
    if (strata_slot_open(x) == STRATA_PENDING) {
        return STRATA_PENDING;
    }
    uint64_t moment = strata_moment(use, x->progress.mate_failed ? STRATA_SIGNAL_FAILED : signal);
    bool first = strata_moment_use(atomic_load_explicit(mine, memory_order_relaxed)) < use;
    if (signal == STRATA_SIGNAL_DONE) {
        close_lanes(x);
    } else if (first && strata_plan_over_blocks(x->plan)) {
        describe_blocks(x, (void *)strata_ring_slot(x->ring, x->ring->me, use));
    }
    if (signal != STRATA_SIGNAL_ARRIVED) {
        hear_all(x);
    }
    strata_ring_publish(x->ring, mine, moment + strata_call_mark(x->plan));
    return STRATA_OK;
}

static STRATA_SELDOM void note_other_lengths(struct strata_execution *x, int member, uint64_t said,
                                             uint64_t expected)
{
    int other = strata_topology_rank(x->plan->topology, strata_my_node(x), member);
    strata_record_error(x, STRATA_ERR_TRUNCATE,
                        "rank %d and rank %d disagree about the size of a block: rank %d has %llu "
                        "bytes, where rank %d has or expects %llu",
                        x->plan->rank, other, other, (unsigned long long)said, x->plan->rank,
                        (unsigned long long)expected);
}

/* The same of what I read of it, where I know no more. */
static void compare_said(struct strata_execution *x, int member, uint64_t use)
{
    const struct strata_slot_header *header =
        (const void *)strata_ring_slot(x->ring, strata_said_in(x, member), use);
    uint64_t expected = strata_expected_of(x, member);
    if (header->total != expected) {
        note_other_lengths(x, member, header->total, expected);
    }
}

/* What a member says of its blocks beside its signal. That it has other lengths is noted. */
static inline void compare_total(struct strata_execution *x, int member, uint64_t use)
{
    const struct strata_slot_header *header = (const void *)strata_ring_slot(x->ring, member, use);
    if (strata_agrees_on_sizes(x->plan)) {
        strata_merge(x, header->largest, header->busiest);
    } else if (strata_lengths_told(x->plan)) {
        compare_said(x, member, use);
    } else if (header->total != x->progress.blocks_total) {
        note_other_lengths(x, member, header->total, x->progress.blocks_total);
    }
}

/* "reduce with root 1". Of more ranks than marks tell apart it may be another one. */
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

/* Calls of a communicator come in one order; where they do not, this use is of two. */
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
    x->progress.mate_failed = true;
}

/* Whether the member, whose signal is there, is in another call than mine. */
static inline bool in_other_call(uint64_t seen, uint64_t moment)
{
    return strata_moment_use(seen) == strata_moment_use(moment) &&
           strata_moment_mark(seen) != strata_moment_mark(moment);
}

/* Whether the member, whose signal is there, will never come, or went beyond the moment. */
static STRATA_SELDOM bool settled(struct strata_execution *x, int member, uint64_t moment,
                                  const _Atomic uint64_t *at)
{
    uint64_t use = strata_moment_use(moment);
    uint64_t seen = atomic_load_explicit(at, memory_order_acquire);
    bool lost = seen < moment && strata_ring_lost(x->ring, member, use);
    if (lost) { /* after it had signalled, maybe */
        seen = atomic_load_explicit(at, memory_order_acquire);
    }
    if (in_other_call(seen, moment)) {
        note_other_call(x, member, strata_moment_mark(seen));
        return true;
    }
    if (seen >= moment) {
        bool failed = strata_moment_signal(seen) == STRATA_SIGNAL_FAILED;
        x->progress.mate_failed = x->progress.mate_failed || failed;
        return true;
    }
    if (lost) {
        x->progress.mate_failed = true;
        return true;
    }
    strata_pend(x, member, at, moment, NULL);
    return false;
}

/* Most are at the moment itself. */
static inline bool reached(struct strata_execution *x, int member, uint64_t moment, uint64_t use)
{
    const _Atomic uint64_t *at = strata_ring_signal(x->ring, member, use);
    return atomic_load_explicit(at, memory_order_acquire) == moment ||
           settled(x, member, moment, at);
}

int strata_await_members(struct strata_execution *x, const struct strata_step *step,
                         struct strata_awaited of)
{
    const uint64_t use = strata_pass_use(x);
    const uint64_t moment = strata_moment(use, (unsigned)step->count) + strata_call_mark(x->plan);
    const bool blocks = strata_plan_over_blocks(x->plan);
    for (int member = of.first; member < of.end; member++) {
        if (member == x->ring->me) {
            continue; /* I know what I say */
        }
        if (!reached(x, member, moment, use)) {
            x->pending_end = of.end;
            return !blocks && x->progress.lends ? strata_take_early(x) : STRATA_PENDING;
        }
        if (blocks && !x->progress.mate_failed) {
            compare_total(x, member, use);
        }
    }
    if (step->peer == STRATA_ALL_MEMBERS || step->count != STRATA_SIGNAL_ARRIVED) {
        hear_all(x);
    }
    return blocks && x->progress.mate_failed ? STRATA_ERR_TRANSPORT : STRATA_OK;
}

int strata_run_await(struct strata_execution *x, const struct strata_step *step)
{
    return strata_await_members(x, step, strata_awaited_by(x->plan, step));
}
