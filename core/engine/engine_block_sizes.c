/* The memory that calls of plans over blocks need. */
#include "core/engine/engine_blocks.h"
#include "core/plan/actions.h"

/* Bytes of block `index` of a store. The function takes from the plan whether a side has this
 * rank's block alone, because scratch is sized before the call begins. */
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

/* Packed bytes of a message, summed up block by block. */
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

/* Whether the blocks of a side lie side by side, so that a run of them is never packed, or the side
 * is not there. */
static bool plain(const struct strata_layout *l)
{
    return !l->type || (!l->displs && !l->displacements && !l->slice && l->type->contiguous);
}

/* Bytes of the longest block of a regular side; 0: the side is not there. */
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

/* Bytes of scratch for packed messages. The two sides may disagree about lengths if the caller
 * makes a mistake, and even then packed messages must fit. */
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

size_t strata_blocks_scratch(struct strata_execution *x)
{
    return strata_stores_bytes(x) + pack_bytes(x);
}

/* The most bytes of a slot's blocks in one pass. The segments of a vector differ by at most a unit,
 * so all passes are equally long; blocks of ranks are added up for each pass. */
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

void strata_blocks_node_need(const struct strata_plan *plan, const struct strata_layout *work,
                             bool check, size_t *slot, size_t *landing)
{
    const struct strata_topology *t = plan->topology;
    const int *node_of = t->node_of;
    bool lands = plan->blocks.ring == STRATA_LARGE_RING;
    size_t longest = 0;
    (void)check; /* blocks travel without their lengths */
    *landing = 0;
    if (plan->blocks.once) {
        *slot = STRATA_SHARED_HEAD; /* a slot holds its signal alone */
        return;
    }
    if (plan->blocks.exposes || plan->exchange.exposes) {
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
        *landing += lands && node_of[rank] != node_of[plan->rank] ? bytes : 0;
    }
    *slot = STRATA_SHARED_HEAD + longest;
}

void strata_blocks_requests(const struct strata_plan *plan, int requests[STRATA_TRAFFIC_KINDS])
{
    requests[STRATA_LANE_TRAFFIC] = plan->posting.messages;
    requests[STRATA_DIRECT_TRAFFIC] = 0;
}
