#include "core/plan/plan_sizes.h"

static size_t item_worst(int blocks, size_t slice, bool check)
{
    return (size_t)blocks * (slice + (check ? sizeof(uint32_t) : 0));
}

/* Most destinations that a lane has on a node. */
static int lane_width(const struct strata_plan *plan)
{
    int lanes = plan->exchange.lanes > 0 ? plan->exchange.lanes : 1;
    return (plan->topology->largest + lanes - 1) / lanes;
}

/* The most blocks that an item of the plan holds. */
static int most_blocks(const struct strata_plan *plan)
{
    return plan->topology->largest * lane_width(plan);
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

double strata_message_bytes(double items, double bytes)
{
    return (double)strata_message_data((size_t)items) + items * bytes;
}

size_t strata_lane_bytes_at(int nodes, int blocks, int64_t items, int64_t messages, size_t slice,
                            bool check)
{
    size_t table = sizeof(struct strata_lane_header) + (size_t)nodes * sizeof(struct strata_entry);
    /* each message has header, lengths and data, with at most 7 + 15 bytes of padding */
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

int strata_table_slot_lines(size_t words, double bytes)
{
    size_t tables = sizeof(struct strata_slot_header) + words * sizeof(uint32_t);
    bool beside = (double)strata_align(tables, 8) + bytes <= STRATA_CACHE_LINE;
    return beside ? 0 : tables <= STRATA_CACHE_LINE ? 1 : 2;
}

int strata_slot_lines(const struct strata_plan *plan, double bytes)
{
    const struct strata_topology *t = plan->topology;
    const struct strata_blocks *blocks = &plan->blocks;
    int lanes = plan->exchange.lanes;
    if (strata_plan_over_blocks(plan)) {
        bool apart = plan->limits.threshold > 0 || blocks->once || strata_plan_root_writes(plan);
        return apart || strata_plain_slot_lines(bytes * (blocks->slot > 0 ? blocks->slot : 1));
    }
    size_t words = (size_t)t->nodes * (size_t)lanes + 1;
    words += lanes < t->largest ? 2 * (size_t)t->ranks : 0;
    return strata_table_slot_lines(words, bytes * t->ranks);
}

size_t strata_slot_bytes_at(int ranks, int nodes, int lanes, size_t slice)
{
    size_t words = (size_t)nodes * (size_t)lanes + 1 + 2 * (size_t)ranks;
    size_t tables = sizeof(struct strata_slot_header) + words * sizeof(uint32_t);
    return strata_align(strata_align(tables, STRATA_CACHE_LINE) + (size_t)ranks * slice,
                        STRATA_LINE);
}

size_t strata_exposed_table_bytes(int members)
{
    size_t table = (size_t)members * sizeof(struct strata_loan);
    return strata_align(table, STRATA_LINE) + STRATA_LEAST_ASKED;
}

size_t strata_plan_slot_bytes(const struct strata_plan *plan)
{
    const struct strata_topology *t = plan->topology;
    size_t exposed = plan->exchange.exposes ? strata_exposed_table_bytes(t->largest) : 0;
    return exposed +
           strata_slot_bytes_at(t->ranks, t->nodes, plan->exchange.lanes, plan->limits.slice);
}

size_t strata_bookkeeping_bytes(const struct strata_exchange *exchange, int ranks)
{
    size_t lanes = (size_t)exchange->lanes;
    size_t open = lanes * (size_t)exchange->lane_messages * STRATA_OPEN_RECV_BYTES;
    size_t lengths = exchange->staged ? 2 * (size_t)ranks * sizeof(uint32_t) : 0;
    return strata_align(lanes * sizeof(size_t), 16) + strata_align(open, 16) +
           strata_align(lengths, 16);
}

static int exposed_sides(const struct strata_plan *plan)
{
    unsigned exposes = plan->blocks.exposes;
    return (exposes & STRATA_EXPOSES_INPUT ? 1 : 0) + (exposes & STRATA_EXPOSES_WORK ? 1 : 0);
}

/* The table of exposed direct blocks lies behind all other blocks: staged ones, or blocks that are
 * not longer than the threshold. */
size_t strata_loans_begin(const struct strata_plan *plan)
{
    const struct strata_topology *t = plan->topology;
    return !strata_plan_over_blocks(plan)
               ? strata_slot_bytes_at(t->ranks, t->nodes, plan->exchange.lanes, plan->limits.slice)
           : plan->exchange.exposes
               ? strata_align(STRATA_SHARED_HEAD + plan->limits.threshold, STRATA_LINE)
               : STRATA_SHARED_HEAD;
}

size_t strata_loans_end(const struct strata_plan *plan)
{
    size_t loans = plan->exchange.exposes
                       ? (size_t)plan->topology->largest
                       : (size_t)plan->blocks.count * (size_t)exposed_sides(plan);
    return strata_align(strata_loans_begin(plan) + loans * sizeof(struct strata_loan),
                        STRATA_CACHE_LINE);
}
