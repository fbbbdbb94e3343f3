/* Blocks of ranks that go through the node memory in slices. In each pass the sides of the call,
 * and the layouts of the other stores, describe one slice of each block. So the steps of a plan are
 * the same in all passes, and see short blocks.
 *
 * All slices but the last are equally long, wherever a block lies. So where the result of a
 * reduce_scatter lies over its operands, a pass overwrites no operand that is not combined yet:
 * data of a block that a later pass reads begin further from the beginning of the first block than
 * this pass writes. */
#include "core/engine/engine_blocks.h"

void strata_engine_slice(struct strata_execution *x, int pass)
{
    struct strata_layout *const layouts[] = {&x->input, &x->output, &x->work};
    size_t unit = strata_collective_reduces(x->plan->collective) ? x->work.type->size : 1;
    if (!strata_plan_slices(x->plan)) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        layouts[i]->slice = x->plan->limits.slice / unit * unit;
        layouts[i]->skip = (size_t)pass * layouts[i]->slice;
    }
}

/* Bytes of a block of the side that is longer than its slices up to this pass; 0: there is none. */
static size_t longer_block(const struct strata_layout *l, enum strata_held held, int count)
{
    const size_t end = l->skip + l->slice;
    struct strata_layout whole = *l;
    size_t bytes = 0;
    count = held == STRATA_ALL && !strata_layout_regular(l) ? count : held != STRATA_NONE;
    whole.slice = 0;
    for (int i = 0; i < count && bytes <= end; i++) {
        bytes = strata_layout_bytes(&whole, i);
    }
    return bytes > end ? bytes : 0;
}

/* Notes blocks with bytes that no pass moves, because no step can find that they are too long. */
static void find_longer_blocks(struct strata_execution *x)
{
    const struct strata_plan *plan = x->plan;
    enum strata_held held = strata_input_of(plan->collective, plan->rank, plan->root);
    size_t sent = longer_block(&x->input, held, plan->blocks.count);
    held = strata_output_of(plan->collective, plan->rank, plan->root);
    size_t expected = longer_block(&x->output, held, plan->blocks.count);
    if (sent + expected > 0) {
        strata_record_error(x, STRATA_ERR_TRUNCATE,
                            "rank %d has a block of %zu bytes, where all ranks know of none longer "
                            "than %zu",
                            plan->rank, sent > 0 ? sent : expected, x->input.skip + x->input.slice);
    }
}

void strata_next_slice(struct strata_execution *x)
{
    strata_engine_slice(x, x->cursor.pass);
    if (x->cursor.pass == x->plan->limits.passes - 1) {
        find_longer_blocks(x);
    }
    strata_stores_begin(x);
}
