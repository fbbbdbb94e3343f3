/* Blocks of ranks that go through the node's memory in slices: in each pass the sides of the call,
 * and what blocks of the other stores are like, are that slice of each block. So the steps of a
 * plan are the same in all passes, and see short blocks.
 *
 * All slices but the last are equally long, wherever a block lies. So where a reduce_scatter's
 * result lies over its operands a pass writes over none that is not combined yet: what a later pass
 * reads of a block begins further from the first block's beginning than this one writes. */
#include "core/engine/engine_internal.h"

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
