/* The lengths of blocks that members say in slots, beside their signals. Where a rank knows only
 * the lengths of blocks that it moves, the header of a block's slot says the block's length. The
 * rank that writes the block writes its length too, and every reader compares it with the length
 * that it expects. So no rank needs to be told lengths ahead where blocks go from slots straight to
 * their destination.
 *
 * The slot says the block's whole length, whether the block lies in the slot or, above the
 * threshold, is exposed outside the plan. So ranks that disagree about the threshold notice it,
 * too. */
#include "core/base/seldom.h"
#include "core/engine/broadcast_lengths.h"
#include "core/engine/engine_blocks.h"
#include "core/engine/engine_epochs.h"
#include "core/engine/single_copy.h"

/* Bytes of a rank's block, in the plan and outside it. Outside the plan, side 0 has the blocks by
 * rank that I expose, and side 1 those that I read. */
static uint64_t whole(const struct strata_execution *x, int rank, int side, int other)
{
    size_t exposed = x->long_blocks ? strata_layout_bytes(&x->long_blocks[side], other) : 0;
    return strata_layout_bytes(&x->work, rank) + exposed;
}

uint64_t strata_said_of(const struct strata_execution *x, int position)
{
    int rank = x->plan->topology->rank_at[position];
    return whole(x, rank, 0, strata_says_of_all(x->plan) ? rank : x->plan->root);
}

uint64_t strata_said_of_longest(const struct strata_execution *x)
{
    const struct strata_topology *t = x->plan->topology;
    const int node = strata_my_node(x);
    uint64_t most = 0;
    if (!strata_says_of_all(x->plan)) {
        return strata_said_of(x, strata_topology_position(t, x->plan->rank));
    }
    for (int position = t->first[node]; position < t->first[node + 1]; position++) {
        uint64_t bytes = strata_said_of(x, position);
        most = bytes > most ? bytes : most;
    }
    return most;
}

uint64_t strata_expected_of(const struct strata_execution *x, int member)
{
    int peer = strata_topology_rank(x->plan->topology, strata_my_node(x), member);
    return strata_says_of_all(x->plan) ? whole(x, x->plan->rank, 1, x->plan->root)
                                       : whole(x, peer, 1, peer);
}

/* Writes into each member's slot the length of the block that I wrote there. */
static void say_of_all(struct strata_execution *x)
{
    const int first = x->plan->topology->first[strata_my_node(x)];
    for (int member = 0; member < x->ring->members; member++) {
        struct strata_slot_header *header =
            (void *)strata_ring_slot(x->ring, member, strata_pass_epoch(x));
        header->total = strata_said_of(x, first + member);
    }
}

void strata_describe_blocks(struct strata_execution *x, struct strata_slot_header *header)
{
    if (strata_says_of_all(x->plan)) {
        say_of_all(x);
    }
    if (strata_agrees_on_sizes(x->plan)) {
        header->largest = x->progress.largest;
        header->load = x->progress.load;
    } else {
        header->total = strata_lacks_vector(x) ? STRATA_NO_VECTOR : x->progress.blocks_total;
    }
    if (x->progress.exposes) {
        strata_expose(x);
    }
}

static STRATA_SELDOM void note_other_lengths(struct strata_execution *x, int member, uint64_t said,
                                             uint64_t expected)
{
    int other = strata_topology_rank(x->plan->topology, strata_my_node(x), member);
    if (x->plan->collective == STRATA_BCAST) {
        strata_note_other_vector(x, other, said);
        return;
    }
    strata_record_error(x, STRATA_ERR_TRUNCATE,
                        "rank %d and rank %d disagree about the size of a block: rank %d has %llu "
                        "bytes, where rank %d has or expects %llu",
                        x->plan->rank, other, other, (unsigned long long)said, x->plan->rank,
                        (unsigned long long)expected);
}

/* The same for the one block that I read, where I know no other lengths. */
static void compare_said(struct strata_execution *x, int member, uint64_t epoch)
{
    const struct strata_slot_header *header =
        (const void *)strata_ring_slot(x->ring, strata_said_in(x, member), epoch);
    uint64_t expected = strata_expected_of(x, member);
    if (header->total != expected) {
        note_other_lengths(x, member, header->total, expected);
    }
}

void strata_compare_blocks(struct strata_execution *x, int member, uint64_t epoch)
{
    const struct strata_slot_header *header =
        (const void *)strata_ring_slot(x->ring, member, epoch);
    if (x->progress.peer_failed) {
        return;
    }
    if (strata_agrees_on_sizes(x->plan)) {
        strata_merge(x, header->largest, header->load);
    } else if (strata_lengths_told(x->plan)) {
        compare_said(x, member, epoch);
    } else if (header->total != x->progress.blocks_total) {
        note_other_lengths(x, member, header->total, x->progress.blocks_total);
    }
}
