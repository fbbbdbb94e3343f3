/* The members' slots in plans over items: their tables, and the copy of my blocks to my slot. */
#include "core/engine/engine_copying.h"
#include "core/engine/engine_epochs.h"
#include "core/engine/single_copy.h"

/* A slot with its tables at `at`. Where the data begin is not known before the tables are
 * filled. */
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
    unsigned char *at = strata_ring_slot(x->ring, member, strata_pass_epoch(x));
    struct strata_slot slot = slot_at(x, at);
    slot.data = at + strata_slot_data(slot.tables, strata_word_bytes(slot.offset[groups]));
    return slot;
}

void strata_expected_words(const struct strata_execution *x, uint32_t *word)
{
    const struct strata_topology *t = x->plan->topology;
    bool first_destination = t->turn_of[x->plan->rank] < x->plan->exchange.lanes;
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
            for (int turn = lane; turn < members; turn += lanes) {
                uint32_t word = strata_block_word(x, &x->input, t->in_turn[t->first[node] + turn],
                                                  me == 0, turn == lane);
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
    slot->header->load = x->progress.load;
    slot->data =
        (unsigned char *)slot->header + strata_slot_data(slot->tables, strata_word_bytes(data));
    return strata_word_bytes(data);
}

/* Copies a part of the slot's bytes into it. One block may be most of them. */
static void copy_blocks_in(void *argument, int chunk, int chunks)
{
    struct strata_copying *c = argument;
    const struct strata_topology *t = c->x->plan->topology;
    int lanes = c->x->plan->exchange.lanes, index = 0;
    const int64_t all = strata_word_bytes(c->slot.offset[t->nodes * lanes]);
    const size_t from = (size_t)strata_chunk_begin(all, chunk, chunks);
    const size_t to = (size_t)strata_chunk_begin(all, chunk + 1, chunks);
    size_t skip = (size_t)c->x->cursor.pass * c->x->plan->limits.slice, at = 0;
    for (int node = 0; node < t->nodes; node++) {
        int members = strata_topology_node_size(t, node);
        for (int lane = 0; lane < lanes; lane++) {
            for (int turn = lane; turn < members; turn += lanes, index++) {
                const uint32_t *offset = &c->slot.offset[node * lanes + lane];
                uint32_t bytes = strata_word_bytes(c->slot.length ? c->slot.length[index]
                                                                  : offset[1] - offset[0]);
                int rank = t->in_turn[t->first[node] + turn];
                size_t begin = at > from ? at : from, end = strata_least(at + bytes, to);
                if (begin < end && strata_wanted(c, rank)) {
                    strata_layout_pack(&c->x->input, rank, skip + begin - at, end - begin,
                                       c->slot.data + begin);
                }
                at += bytes;
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
    strata_expose(x);
    c.slot = mine;
    strata_workshare(x, step, bytes, copy_blocks_in, &c);
    x->count.copied += bytes;
    return STRATA_OK;
}
