/* Inside a node: the members' slots, and the steps before the exchange: copy in, signal, await. */
#include "core/engine/engine_copying.h"

struct strata_slot strata_slot_of(const struct strata_execution *x, int member)
{
    const struct strata_topology *t = x->plan->topology;
    uint64_t epoch = strata_pass_epoch(x);
    unsigned char *at = strata_node_memory_slot(x->memory, member, epoch);
    struct strata_slot slot = {.header = (void *)at};
    slot.offset = (uint32_t *)(void *)(at + sizeof(struct strata_slot_header));
    slot.expect = slot.offset + (size_t)t->nodes * (size_t)x->plan->exchange.lanes + 1;
    slot.length = slot.expect + t->ranks;
    slot.data = at + strata_slot_tables(t->ranks, t->nodes, x->plan->exchange.lanes);
    return slot;
}

bool strata_slots_filled(const struct strata_execution *x)
{
    uint64_t epoch = strata_pass_epoch(x);
    bool filled = true;
    for (int member = 0; member < x->memory->members; member++) {
        filled = filled && strata_slot_of(x, member).header->stamp == epoch + 1;
    }
    return filled;
}

void strata_merge_slots(struct strata_execution *x)
{
    for (int member = 0; member < x->memory->members; member++) {
        const struct strata_slot_header *header = strata_slot_of(x, member).header;
        strata_merge(x, header->largest, header->busiest);
    }
}

/* Fills a slot's tables for this pass and returns the bytes of data. */
static size_t fill_tables(struct strata_execution *x, const struct strata_slot *slot)
{
    const struct strata_topology *t = x->plan->topology;
    int lanes = x->plan->exchange.lanes, index = 0;
    const struct strata_limits *limits = &x->plan->limits;
    const int me = t->local_of[x->plan->rank];
    uint32_t data = 0;
    for (int node = 0; node < t->nodes; node++) {
        int members = strata_topology_node_size(t, node);
        for (int lane = 0; lane < lanes; lane++) {
            slot->offset[node * lanes + lane] = data;
            for (int local = lane; local < members; local += lanes) {
                size_t bytes = strata_layout_bytes(&x->input, strata_topology_rank(t, node, local));
                slot->length[index] =
                    strata_length_word(limits, bytes, x->cursor.pass, me == 0, local == lane);
                data += slot->length[index++];
            }
        }
    }
    slot->offset[t->nodes * lanes] = data;
    for (int node = 0; node < t->nodes; node++) {
        for (int position = t->first[node]; position < t->first[node + 1]; position++) {
            size_t bytes = strata_layout_bytes(&x->output, t->rank_at[position]);
            slot->expect[position] = strata_length_word(limits, bytes, x->cursor.pass,
                                                        position == t->first[node], me < lanes);
        }
    }
    *slot->header = (struct strata_slot_header){.largest = x->progress.largest,
                                                .busiest = x->progress.busiest,
                                                .stamp = strata_pass_epoch(x) + 1};
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
                uint32_t bytes = strata_word_bytes(c->slot.length[index]);
                int rank = strata_topology_rank(t, node, local);
                if (bytes > 0 && index >= from && index < to && strata_wanted(c, rank)) {
                    strata_layout_pack(&c->x->input, rank, skip, bytes, data);
                }
                data += bytes;
            }
        }
    }
}

int strata_run_copy_in(struct strata_execution *x, const struct strata_step *step)
{
    struct strata_copying c = strata_copying_of(x, step);
    struct strata_slot mine = strata_slot_of(x, x->memory->me);
    size_t bytes = fill_tables(x, &mine);
    c.slot = mine;
    strata_workshare(x, step, bytes, copy_blocks_in, &c);
    x->count.copied += bytes;
    return STRATA_OK;
}

static uint64_t signal_value(const struct strata_execution *x, const struct strata_step *step)
{
    return 4 * strata_pass_epoch(x) + (uint64_t)step->count;
}

int strata_run_signal(struct strata_execution *x, const struct strata_step *step)
{
    const struct strata_topology *t = x->plan->topology;
    int members = x->memory->members;
    if (x->plan->blocks.shared && step->count != STRATA_SIGNAL_DONE) {
        struct strata_slot_header *mine =
            (void *)strata_node_memory_slot(x->memory, x->memory->me, x->progress.epoch);
        *mine = (struct strata_slot_header){.total = strata_shared_total(x),
                                            .stamp = x->progress.epoch + 1};
    }
    if (step->count == STRATA_SIGNAL_DONE) {
        for (int lane = t->local_of[x->plan->rank]; lane < x->plan->exchange.lanes;
             lane += members) {
            struct strata_lane_header *header = (void *)strata_lane_at(x, lane);
            *header = (struct strata_lane_header){.largest = x->progress.largest,
                                                  .busiest = x->progress.busiest,
                                                  .stamp = strata_pass_epoch(x) + 1,
                                                  .status = strata_in_step(x) ? STRATA_OK
                                                                              : x->progress.status};
        }
    }
    strata_node_memory_signal(x->memory, signal_value(x, step));
    return STRATA_OK;
}

/* Whether a member put its block, and has not failed since: its flag may say more than it did. That
 * it has other lengths is noted. */
static bool shared_filled(struct strata_execution *x, int member)
{
    const struct strata_slot_header *header =
        (const void *)strata_node_memory_slot(x->memory, member, x->progress.epoch);
    bool filled = header->stamp == x->progress.epoch + 1 && header->status == STRATA_OK;
    if (filled && header->total != strata_shared_total(x)) {
        strata_record_error(x, STRATA_ERR_TRUNCATE,
                            "rank %d and rank %d disagree about the size of a block", x->plan->rank,
                            strata_topology_rank(x->plan->topology, strata_my_node(x), member));
    }
    return filled;
}

int strata_run_await(struct strata_execution *x, const struct strata_step *step)
{
    uint64_t value = signal_value(x, step);
    struct strata_awaited of = strata_awaited_by(x->plan, step);
    for (int member = of.first; member < of.end; member++) {
        if (!strata_node_memory_reached(x->memory, member, value)) {
            x->pending_member = member;
            x->pending_value = value;
            return STRATA_PENDING;
        }
        if (x->plan->blocks.shared && !shared_filled(x, member)) {
            return STRATA_ERR_TRANSPORT;
        }
    }
    return STRATA_OK;
}
