/* How much memory a plan needs at its worst: pure figures that all ranks compute alike. */
#include "core/engine/engine_internal.h"

static size_t item_worst(int blocks, size_t slice, bool check)
{
    return (size_t)blocks * (slice + (check ? sizeof(uint32_t) : 0));
}

/* The most blocks that an item of the plan holds. */
static int most_blocks(const struct strata_plan *plan)
{
    return plan->topology->largest * strata_plan_width(plan);
}

size_t strata_item_worst(const struct strata_plan *plan, bool check)
{
    return item_worst(most_blocks(plan), plan->limits.slice, check);
}

size_t strata_message_worst(const struct strata_plan *plan, bool check, int64_t items)
{
    size_t count = (size_t)items;
    return strata_align(strata_message_data(count) + count * strata_item_worst(plan, check), 16);
}

size_t strata_part_worst(const struct strata_plan *plan, bool check, int64_t items, int part)
{
    size_t count = (size_t)items;
    if (part == STRATA_WHOLE) {
        return strata_message_worst(plan, check, items);
    }
    return strata_align(part == STRATA_LENGTHS ? strata_message_data(count)
                                               : count * strata_item_worst(plan, check),
                        16);
}

size_t strata_lane_bytes_at(int nodes, int blocks, int64_t items, int64_t messages, size_t slice,
                            bool check)
{
    size_t table = sizeof(struct strata_lane_header) + (size_t)nodes * sizeof(struct strata_entry);
    /* each message: header, lengths and data, with at most 7 + 15 bytes of padding */
    size_t heads = (size_t)messages * (sizeof(struct strata_message_header) + 24);
    size_t each = sizeof(uint32_t) + item_worst(blocks, slice, check);
    return strata_align(table + heads + (size_t)items * each, STRATA_LINE);
}

size_t strata_lane_bytes(const struct strata_plan *plan, bool check)
{
    const struct strata_exchange *e = &plan->exchange;
    return strata_lane_bytes_at(plan->topology->nodes, most_blocks(plan), e->lane_items,
                                e->lane_messages, plan->limits.slice, check);
}

static size_t slot_tables(int ranks, int nodes, int lanes)
{
    size_t words = (size_t)nodes * (size_t)lanes + 1 + 2 * (size_t)ranks;
    return strata_align(sizeof(struct strata_slot_header) + words * sizeof(uint32_t), 16);
}

size_t strata_slot_bytes_at(int ranks, int nodes, int lanes, size_t slice)
{
    return strata_align(slot_tables(ranks, nodes, lanes) + (size_t)ranks * slice, STRATA_LINE);
}

struct strata_slot strata_slot_of(const struct strata_execution *x, int member)
{
    const struct strata_topology *t = x->plan->topology;
    uint64_t epoch = x->epoch + (uint64_t)x->cursor.pass;
    unsigned char *at = strata_node_memory_slot(x->memory, member, epoch);
    struct strata_slot slot = {.header = (void *)at};
    slot.offset = (uint32_t *)(void *)(at + sizeof(struct strata_slot_header));
    slot.expect = slot.offset + (size_t)t->nodes * (size_t)x->plan->exchange.lanes + 1;
    slot.length = slot.expect + t->ranks;
    slot.data = at + slot_tables(t->ranks, t->nodes, x->plan->exchange.lanes);
    return slot;
}

unsigned char *strata_lane_at(const struct strata_execution *x, int lane)
{
    return x->landing + (size_t)lane * x->lane_bytes;
}

/* The most that is packed between two waits for all: others leave messages open. */
size_t strata_pack_worst(const struct strata_plan *plan, bool check)
{
    struct strata_cursor cursor;
    const struct strata_step *step;
    size_t stage = 0, worst = 0;
    strata_cursor_begin(&cursor, plan);
    for (; cursor.pass == 0 && (step = strata_cursor_step(&cursor));
         strata_cursor_advance(&cursor)) {
        if (step->op == STRATA_STEP_SEND) {
            int64_t items = strata_set_count(strata_cursor_set(&cursor));
            stage += strata_part_worst(plan, check, items, step->part);
        } else if (step->op == STRATA_STEP_WAIT && !step->direct && step->count == 0) {
            stage = 0;
        }
        worst = stage > worst ? stage : worst;
    }
    return worst;
}

size_t strata_bookkeeping_bytes(const struct strata_exchange *exchange, int ranks)
{
    size_t lanes = (size_t)exchange->lanes;
    size_t open = lanes * (size_t)exchange->lane_messages * sizeof(struct strata_open_recv);
    size_t lengths = exchange->staged ? 2 * (size_t)ranks * sizeof(uint32_t) : 0;
    return strata_align(lanes * sizeof(size_t), 16) + strata_align(open, 16) +
           strata_align(lengths, 16);
}

size_t strata_engine_fixed_scratch(const struct strata_plan *plan, bool check)
{
    const struct strata_exchange *e = &plan->exchange;
    size_t landing = e->staged ? 0 : (size_t)e->lanes * strata_lane_bytes(plan, check);
    return strata_bookkeeping_bytes(e, plan->topology->ranks) + landing +
           strata_pack_worst(plan, check);
}

size_t strata_engine_saved_bytes(const struct strata_plan *plan, const struct strata_layout *input)
{
    size_t sum = 0;
    for (int rank = 0; rank < plan->topology->ranks; rank++) {
        size_t bytes = strata_layout_bytes(input, rank);
        sum += bytes > plan->limits.threshold && rank != plan->rank ? bytes : 0;
    }
    return sum;
}

size_t strata_engine_scratch(const struct strata_plan *plan, const struct strata_layout *input,
                             bool in_place, bool check)
{
    return strata_engine_fixed_scratch(plan, check) +
           (in_place ? strata_engine_saved_bytes(plan, input) : 0);
}
