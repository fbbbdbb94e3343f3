/* Finds where the blocks of plans over blocks lie, in as few spans as possible. */
#include "core/engine/engine_spans.h"

#include "core/engine/engine_stacks.h"

/* The span of a block of the shared store: a member's block lies in its slot, the others one behind
 * another in the landing. */
static void shared_span(const struct strata_execution *x, int position, struct strata_span *span)
{
    int first = x->progress.first_peer, end = first + x->ring->members;
    const size_t *at = x->progress.shared_at;
    if (x->plan->blocks.once) {
        *span = strata_layout_span(&x->output, x->plan->topology->rank_at[position]);
        return;
    }
    int block = x->plan->blocks.count > 1 ? x->plan->topology->rank_at[position] : 0;
    span->type = strata_collective_reduces(x->plan->collective) ? x->work.type : &strata_byte_type;
    span->bytes = strata_layout_bytes(&x->work, block);
    span->origin = x->memory->landing;
    if (position >= first && position < end) {
        bool beside = span->bytes <= STRATA_SHARED_HEAD - STRATA_SHARED_FIRST;
        span->origin = strata_ring_slot(x->ring, position - first, strata_pass_epoch(x)) +
                       (beside ? STRATA_SHARED_FIRST : STRATA_SHARED_HEAD);
        span->skip = 0; /* a slot's block has whole elements */
    } else if (at) {
        span->skip = at[position] - (position < first ? 0 : at[end] - at[first]);
    } else {
        span->skip = (size_t)(position < first ? position : position - (end - first)) * span->bytes;
    }
}

/* Lengthens a span by the blocks that follow the first one without a gap; returns the number of
 * blocks in it. */
static int follow(const struct strata_layout *l, int first, int count, struct strata_span *span)
{
    unsigned char *end = span->origin;
    int taken = 0;
    while (taken < count && strata_layout_at(l, first + taken) == end) {
        span->bytes += taken > 0 ? strata_layout_bytes(l, first + taken) : 0;
        end += (ptrdiff_t)strata_layout_elements(l, first + taken) * l->type->extent;
        taken++;
    }
    return taken;
}

/* Puts blocks first .. first+count-1 of a side into one span, as many as possible; returns how
 * many. */
static int side_span(const struct strata_layout *l, bool one, int first, int count,
                     struct strata_span *span)
{
    *span = strata_layout_span(l, one ? 0 : first);
    if (one || count == 1 || l->types || l->slice) {
        return 1;
    }
    if (!strata_layout_regular(l) || l->displs || l->displacements) {
        return follow(l, first, count, span);
    }
    if (l->segments) {
        span->bytes = strata_layout_cut(l, (size_t)first + (size_t)count) - span->skip;
    } else {
        span->bytes *= (size_t)count;
    }
    return count;
}

/* Puts blocks of this pass in a member's slot into one span; returns how many. Operands lie there
 * as in any memory: side by side, without gaps. */
static int slot_span(const struct strata_execution *x, int number, int count,
                     struct strata_span *span)
{
    const struct strata_blocks *b = &x->plan->blocks;
    const struct strata_stack *slots = &x->progress.slot_stack;
    int member = number / b->count, first = number % b->count, place = first % b->slot;
    int end = first + (count < b->slot - place ? count : b->slot - place);
    unsigned char *slot = strata_ring_slot(x->ring, member, strata_pass_epoch(x));
    if (b->once) {
        return side_span(&x->output, false, first, end - first, span);
    }
    size_t before = strata_stack_elements_before(slots, first);
    size_t skip = before - strata_stack_elements_before(slots, first - place);
    *span = (struct strata_span){.origin = slot + x->progress.slot_first + skip * slots->type->size,
                                 .type = slots->type,
                                 .bytes = (strata_stack_elements_before(slots, end) - before) *
                                          slots->type->size};
    return end - first;
}

void strata_spans_begin(struct strata_span_walk *walk, const struct strata_execution *x,
                        struct strata_set set)
{
    walk->x = x;
    walk->run.count = 0;
    strata_set_begin(&walk->it, set);
}

static int input_span(const struct strata_execution *x, int first, int count,
                      struct strata_span *span)
{
    const struct strata_stack *saved = &x->progress.input_stack;
    if (!saved->origin) {
        return side_span(&x->input, x->progress.one_input, first, count, span);
    }
    *span = x->progress.one_input ? strata_stack_span(saved, 0, 1)
                                  : strata_stack_span(saved, first, count);
    return x->progress.one_input ? 1 : count;
}

void strata_span_of(const struct strata_execution *x, enum strata_store store, int number,
                    struct strata_span *span)
{
    if (store == STRATA_WORK) {
        *span = strata_stack_span(&x->progress.work_stack, number, 1);
    } else {
        (void)input_span(x, number, 1, span);
    }
}

struct strata_loan *strata_loans_of(const struct strata_execution *x, int member, int side)
{
    unsigned char *slot = strata_ring_slot(x->ring, member, strata_pass_epoch(x));
    struct strata_loan *table = (struct strata_loan *)(void *)(slot + STRATA_SHARED_HEAD);
    bool second = side == STRATA_EXPOSES_WORK && x->plan->blocks.exposes & STRATA_EXPOSES_INPUT;
    return table + (second ? x->plan->blocks.count : 0);
}

const struct strata_loan *strata_loan_of(const struct strata_execution *x, int store, int number)
{
    const int blocks = x->plan->blocks.count;
    int side = store == STRATA_PEER_INPUT ? STRATA_EXPOSES_INPUT : STRATA_EXPOSES_WORK;
    return &strata_loans_of(x, number / blocks, side)[number % blocks];
}

/* The span of a block that a local peer exposes. It has no address, which only the code that reads
 * the block needs. */
static void peer_span(const struct strata_execution *x, int store, int number,
                      struct strata_span *span)
{
    *span = (struct strata_span){.type = x->progress.input_stack.type,
                                 .bytes = strata_loan_of(x, store, number)->bytes};
}

void strata_spans_take(struct strata_span_walk *walk, struct strata_span *span)
{
    const struct strata_execution *x = walk->x;
    struct strata_run *run = &walk->run;
    bool by_position = run->store == STRATA_INPUT_AT || run->store == STRATA_OUTPUT_AT;
    int first = by_position ? x->plan->topology->rank_at[run->first] : run->first;
    int count = by_position ? 1 : run->count;
    if (strata_store_of_peer(run->store)) {
        peer_span(x, run->store, first, span);
        count = 1;
    } else if (run->store == STRATA_WORK) {
        *span = strata_stack_span(&x->progress.work_stack, first, count);
    } else if (run->store == STRATA_SHARED) {
        shared_span(x, first, span);
        count = 1;
    } else if (run->store == STRATA_SLOT) {
        count = slot_span(x, first, count, span);
    } else if (run->store == STRATA_OUTPUT || run->store == STRATA_OUTPUT_AT) {
        count = side_span(&x->output, x->progress.one_output, first, count, span);
    } else {
        count = input_span(x, first, count, span);
    }
    run->first += count;
    run->count -= count;
}
