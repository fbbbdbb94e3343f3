/* How much memory a call needs: of plans over items first, then of plans over blocks. */
#include "core/engine/engine_internal.h"
#include "core/plan/actions.h"

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

/* Whose messages are packed. */
struct packing {
    const struct strata_plan *plan;
    bool check;
};

/* What is packed of a message of items: what comes lies in the landing. */
static size_t part_worst(const void *self, const struct strata_action *message)
{
    const struct packing *p = self;
    size_t items = (size_t)strata_set_count(message->set),
           data = items * strata_item_worst(p->plan, p->check);
    if (message->kind != STRATA_ACT_SEND) {
        return 0;
    }
    size_t head = message->step->how == STRATA_DATA ? 0 : strata_message_data(items);
    return strata_align(head + (message->step->how == STRATA_LENGTHS ? 0 : data), 16);
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
    const struct packing packing = {plan, check};
    return strata_bookkeeping_bytes(e, plan->topology->ranks) + landing +
           strata_largest_stage(plan, part_worst, &packing);
}

size_t strata_lending_bytes(int members)
{
    size_t table = (size_t)members * sizeof(struct strata_loan);
    return strata_align(table, STRATA_LINE) + STRATA_LEAST_ASKED;
}

size_t strata_plan_slot_bytes(const struct strata_plan *plan)
{
    const struct strata_topology *t = plan->topology;
    size_t lent = plan->exchange.lends ? strata_lending_bytes(t->largest) : 0;
    return lent +
           strata_slot_bytes_at(t->ranks, t->nodes, plan->exchange.lanes, plan->limits.slice);
}

size_t strata_engine_direct_scratch(const struct strata_execution *x)
{
    const struct strata_plan *plan = x->plan;
    const struct strata_layout *out = strata_direct_out(x);
    size_t sum = 0;
    if (!x->in_place && !plan->exchange.lends) {
        return 0;
    }
    for (int rank = 0; rank < plan->topology->ranks; rank++) {
        bool direct = rank != plan->rank && strata_is_direct(x, out, rank);
        sum += direct && strata_is_saved(x, rank) ? strata_layout_bytes(out, rank) : 0;
    }
    return sum + (strata_direct_lent(x) ? STRATA_FETCH_SCRATCH + strata_direct_lists(x) : 0);
}

size_t strata_engine_scratch(const struct strata_execution *x)
{
    return strata_engine_fixed_scratch(x->plan, x->check) + strata_engine_direct_scratch(x);
}

/* Bytes of block `index` of a store. Which one of a side is this rank's only one follows from the
 * plan: scratch is sized before a call begins. */
static size_t block_length(const struct strata_execution *x, int store, int index)
{
    const struct strata_plan *plan = x->plan;
    const struct strata_layout *l = &x->work;
    index = strata_block_number(plan, store, index);
    if (store == STRATA_INPUT || store == STRATA_INPUT_AT) {
        l = &x->input;
        index = strata_one_input(plan) ? 0 : index;
    } else if (store == STRATA_OUTPUT || store == STRATA_OUTPUT_AT) {
        l = &x->output;
        index = strata_one_output(plan) ? 0 : index;
    }
    return strata_layout_bytes(l, index);
}

/* Packed bytes of a message, block by block. */
static size_t blocks_packed(const void *self, const struct strata_action *message)
{
    struct strata_set_iterator it;
    struct strata_run run;
    size_t bytes = 0;
    for (strata_set_begin(&it, message->set); strata_set_next(&it, &run);) {
        for (int i = run.first; i < run.first + run.count; i++) {
            bytes += block_length(self, run.store, i);
        }
    }
    return strata_align(bytes, 16);
}

/* A side whose blocks lie side by side, so that a run of them is never packed; or that is not
 * there. */
static bool plain(const struct strata_layout *l)
{
    return !l->type || (!l->displs && !l->places && !l->slice && l->type->contiguous);
}

/* Bytes of the longest block of a side that is regular; 0: it is not there. */
static size_t longest(const struct strata_layout *l)
{
    size_t bytes = l->type ? l->count * l->type->size : 0;
    /* a segment is at most one unit longer than the mean */
    return l->segments > 1 ? bytes / l->segments + l->unit
           : l->slice      ? strata_layout_sliced(l, bytes)
                           : bytes;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The sides may disagree about lengths, by a mistake of the caller's: what is packed has room. */
static size_t pack_bytes(const struct strata_execution *x)
{
    const struct strata_posting *p = &x->plan->posting;
    const struct strata_layout *in = &x->input, *out = &x->output, *work = &x->work;
    if (p->messages == 0) {
        return 0;
    }
    if (!strata_layout_regular(in) || !strata_layout_regular(out) || !strata_layout_regular(work)) {
        return strata_largest_stage(x->plan, blocks_packed, x);
    }
    bool all_plain = plain(in) && plain(out) && plain(work) && !x->plan->exchange.staged;
    size_t items = (size_t)(all_plain ? p->split_items : p->items);
    size_t bytes = larger(longest(work), larger(longest(in), longest(out)));
    return items * bytes + 16 * (size_t)p->messages;
}

size_t strata_engine_block_scratch(struct strata_execution *x)
{
    return strata_stores_bytes(x) + pack_bytes(x);
}

/* Of a vector, the segments of a pass, as long as those of any; else the blocks of the longest. */
static size_t pass_bytes(const struct strata_plan *plan, const struct strata_layout *work)
{
    size_t bytes = 0, most = 0, passes = (size_t)plan->limits.passes;
    if (work->segments) {
        size_t units = work->count * work->type->size / work->unit;
        return (units + passes - 1) / passes * work->unit;
    }
    for (int block = 0; block < plan->blocks.count; block++) {
        bytes = block % plan->blocks.slot > 0 ? bytes : 0;
        bytes += strata_layout_bytes(work, strata_block_number(plan, STRATA_SLOT, block));
        most = bytes > most ? bytes : most;
    }
    return most;
}

void strata_engine_node_need(const struct strata_plan *plan, const struct strata_layout *work,
                             size_t *slot, size_t *landing)
{
    const struct strata_topology *t = plan->topology;
    size_t longest = 0;
    *landing = 0;
    if (plan->blocks.once) {
        *slot = STRATA_SHARED_HEAD; /* signals */
        return;
    }
    if (plan->blocks.lends || plan->exchange.lends) {
        *slot = strata_loans_end(plan) + STRATA_LEAST_ASKED;
        return;
    }
    if (plan->limits.threshold > 0) {
        *slot = STRATA_SHARED_HEAD + plan->limits.threshold;
        return;
    }
    if (plan->blocks.slot > 0) {
        *slot = STRATA_SHARED_HEAD + pass_bytes(plan, work);
        return;
    }
    for (int rank = 0; rank < t->ranks; rank++) {
        size_t bytes = strata_layout_bytes(work, rank);
        longest = bytes > longest ? bytes : longest;
        *landing += t->node_of[rank] == t->node_of[plan->rank] ? 0 : bytes;
    }
    *slot = STRATA_SHARED_HEAD + longest;
}
