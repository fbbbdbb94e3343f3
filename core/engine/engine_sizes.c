/* How much memory a call needs: of plans over items first, then of plans over blocks. */
#include "core/engine/engine_internal.h"
#include "core/plan/actions.h"

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

size_t strata_engine_fixed_scratch(const struct strata_plan *plan, bool check)
{
    const struct strata_exchange *e = &plan->exchange;
    size_t landing = e->staged ? 0 : (size_t)e->lanes * strata_lane_bytes(plan, check);
    const struct packing packing = {plan, check};
    return strata_bookkeeping_bytes(e, plan->topology->ranks) + landing +
           strata_largest_stage(plan, part_worst, &packing);
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
