/* Where blocks of plans over blocks lie, in as few places as can be. */
#include "core/engine/engine_spots.h"

#include "core/engine/engine_stacks.h"

/* A member's block in its slot, others behind each other in the landing. */
static void shared_spot(const struct strata_execution *x, int position, struct strata_spot *spot)
{
    int first = x->progress.first_mate, end = first + x->ring->members;
    const size_t *at = x->progress.shared_at;
    if (x->plan->blocks.once) {
        *spot = strata_layout_spot(&x->output, x->plan->topology->rank_at[position]);
        return;
    }
    int block = x->plan->blocks.count > 1 ? x->plan->topology->rank_at[position] : 0;
    spot->type = strata_collective_reduces(x->plan->collective) ? x->work.type : &strata_byte_type;
    spot->bytes = strata_layout_bytes(&x->work, block);
    spot->origin = x->memory->landing;
    if (position >= first && position < end) {
        bool beside = spot->bytes <= STRATA_SHARED_HEAD - STRATA_SHARED_FIRST;
        spot->origin = strata_ring_slot(x->ring, position - first, strata_pass_use(x)) +
                       (beside ? STRATA_SHARED_FIRST : STRATA_SHARED_HEAD);
        spot->skip = 0; /* which is of whole elements */
    } else if (at) {
        spot->skip = at[position] - (position < first ? 0 : at[end] - at[first]);
    } else {
        spot->skip = (size_t)(position < first ? position : position - (end - first)) * spot->bytes;
    }
}

/* Takes in the blocks behind the first one that lie one after another; returns how many there are.
 */
static int follow(const struct strata_layout *l, int first, int count, struct strata_spot *spot)
{
    unsigned char *end = spot->origin;
    int taken = 0;
    while (taken < count && strata_layout_at(l, first + taken) == end) {
        spot->bytes += taken > 0 ? strata_layout_bytes(l, first + taken) : 0;
        end += (ptrdiff_t)strata_layout_elements(l, first + taken) * l->type->extent;
        taken++;
    }
    return taken;
}

/* Blocks first .. first+count-1 of a side in one spot, where that can be; returns how many. */
static int side_spot(const struct strata_layout *l, bool one, int first, int count,
                     struct strata_spot *spot)
{
    *spot = strata_layout_spot(l, one ? 0 : first);
    if (one || count == 1 || l->types || l->slice) {
        return 1;
    }
    if (!strata_layout_regular(l) || l->displs || l->places) {
        return follow(l, first, count, spot);
    }
    if (l->segments) {
        spot->bytes = strata_layout_cut(l, (size_t)first + (size_t)count) - spot->skip;
    } else {
        spot->bytes *= (size_t)count;
    }
    return count;
}

/* Blocks in a member's slot, those of this pass one after another; returns how many are in the
 * spot. Operands lie there as in any memory: side by side, without gaps. */
static int slot_spot(const struct strata_execution *x, int number, int count,
                     struct strata_spot *spot)
{
    const struct strata_blocks *b = &x->plan->blocks;
    const struct strata_stack *slots = &x->progress.slot_stack;
    int member = number / b->count, first = number % b->count, place = first % b->slot;
    int end = first + (count < b->slot - place ? count : b->slot - place);
    unsigned char *slot = strata_ring_slot(x->ring, member, strata_pass_use(x));
    if (b->once) {
        return side_spot(&x->output, false, first, end - first, spot);
    }
    size_t before = strata_stack_elements_before(slots, first);
    size_t skip = before - strata_stack_elements_before(slots, first - place);
    *spot = (struct strata_spot){.origin = slot + x->progress.slot_first + skip * slots->type->size,
                                 .type = slots->type,
                                 .bytes = (strata_stack_elements_before(slots, end) - before) *
                                          slots->type->size};
    return end - first;
}

void strata_spots_begin(struct strata_spot_walk *walk, const struct strata_execution *x,
                        struct strata_set set)
{
    walk->x = x;
    walk->run.count = 0;
    strata_set_begin(&walk->it, set);
}

static int input_spot(const struct strata_execution *x, int first, int count,
                      struct strata_spot *spot)
{
    const struct strata_stack *saved = &x->progress.input_stack;
    if (!saved->origin) {
        return side_spot(&x->input, x->progress.one_input, first, count, spot);
    }
    *spot = x->progress.one_input ? strata_stack_spot(saved, 0, 1)
                                  : strata_stack_spot(saved, first, count);
    return x->progress.one_input ? 1 : count;
}

void strata_spot_of(const struct strata_execution *x, enum strata_store store, int number,
                    struct strata_spot *spot)
{
    if (store == STRATA_WORK) {
        *spot = strata_stack_spot(&x->progress.work_stack, number, 1);
    } else {
        (void)input_spot(x, number, 1, spot);
    }
}

struct strata_loan *strata_loans_of(const struct strata_execution *x, int member, int side)
{
    unsigned char *slot = strata_ring_slot(x->ring, member, strata_pass_use(x));
    struct strata_loan *table = (struct strata_loan *)(void *)(slot + STRATA_SHARED_HEAD);
    bool second = side == STRATA_LENDS_WORK && x->plan->blocks.lends & STRATA_LENDS_INPUT;
    return table + (second ? x->plan->blocks.count : 0);
}

const struct strata_loan *strata_loan_of(const struct strata_execution *x, int store, int number)
{
    const int blocks = x->plan->blocks.count;
    int side = store == STRATA_MATE_INPUT ? STRATA_LENDS_INPUT : STRATA_LENDS_WORK;
    return &strata_loans_of(x, number / blocks, side)[number % blocks];
}

/* Only its reader needs to know where it lies. */
static void mate_spot(const struct strata_execution *x, int store, int number,
                      struct strata_spot *spot)
{
    *spot = (struct strata_spot){.type = x->progress.input_stack.type,
                                 .bytes = strata_loan_of(x, store, number)->bytes};
}

void strata_spots_take(struct strata_spot_walk *walk, struct strata_spot *spot)
{
    const struct strata_execution *x = walk->x;
    struct strata_run *run = &walk->run;
    bool by_position = run->store == STRATA_INPUT_AT || run->store == STRATA_OUTPUT_AT;
    int first = by_position ? x->plan->topology->rank_at[run->first] : run->first;
    int count = by_position ? 1 : run->count;
    if (strata_store_of_mate(run->store)) {
        mate_spot(x, run->store, first, spot);
        count = 1;
    } else if (run->store == STRATA_WORK) {
        *spot = strata_stack_spot(&x->progress.work_stack, first, count);
    } else if (run->store == STRATA_SHARED) {
        shared_spot(x, first, spot);
        count = 1;
    } else if (run->store == STRATA_SLOT) {
        count = slot_spot(x, first, count, spot);
    } else if (run->store == STRATA_OUTPUT || run->store == STRATA_OUTPUT_AT) {
        count = side_spot(&x->output, x->progress.one_output, first, count, spot);
    } else {
        count = input_spot(x, first, count, spot);
    }
    run->first += count;
    run->count -= count;
}
