/* The stores that a member exposes: it says in its slot where each block lies. A member that
 * exposes blocks does not leave the call before all members have left it. For direct blocks
 * core/engine/single_copy_direct.c says when it leaves. */
#include <string.h>

#include "core/engine/engine_blocks.h"
#include "core/engine/engine_spans.h"
#include "core/engine/single_copy.h"
#include "core/engine/single_copy_parts.h"

/* Whether the datatypes put each block of the input into one piece. */
static bool in_one_piece(const struct strata_execution *x)
{
    const struct strata_layout *l = &x->input;
    int blocks = strata_input_blocks(x->plan), types = l->types ? blocks : blocks > 0, first = 0;
    while (first < types && strata_layout_type(l, first)->contiguous) {
        first++;
    }
    return first == types;
}

size_t strata_exposed_pieces(const struct strata_execution *x)
{
    size_t pieces = 0;
    bool exposes = x->plan->blocks.exposes & STRATA_EXPOSES_INPUT && !in_one_piece(x);
    int blocks = exposes ? strata_input_blocks(x->plan) : 0;
    for (int i = 0; i < blocks; i++) {
        struct strata_span span = strata_layout_span(&x->input, i);
        if (!strata_is_exposable(x, &span)) {
            return SIZE_MAX;
        }
        pieces += strata_listed_pieces(&span);
    }
    return pieces;
}

size_t strata_exposing_bytes(size_t pieces)
{
    return STRATA_FETCH_SCRATCH + strata_align(pieces * sizeof(struct strata_range), 16);
}

unsigned char *strata_take_exposing(struct strata_execution *x, size_t pieces, unsigned char *at)
{
    x->progress.lists = (void *)strata_take_fetching(x, at);
    return at + strata_exposing_bytes(pieces);
}

/* Exposes the blocks of a store that this rank has, from entry `first` of the table on. */
static void expose(struct strata_execution *x, enum strata_store store, int side, int first,
                   int count)
{
    const int blocks = x->plan->blocks.count;
    struct strata_loan *table = strata_loans_of(x, x->ring->me, side);
    struct strata_range *list = x->progress.lists;
    memset(table, 0, (size_t)blocks * sizeof *table);
    for (int i = 0; i < count; i++) {
        struct strata_span span;
        strata_span_of(x, store, store == STRATA_INPUT ? first + i : i, &span);
        table[(first + i) % blocks] = strata_expose_span(&span, &list);
    }
}

static void expose_stores(struct strata_execution *x)
{
    const struct strata_plan *plan = x->plan;
    if (plan->blocks.exposes & STRATA_EXPOSES_INPUT) {
        int first = strata_one_input(plan) ? plan->rank : 0;
        expose(x, STRATA_INPUT, STRATA_EXPOSES_INPUT, first, strata_input_blocks(plan));
    }
    if (plan->blocks.exposes & STRATA_EXPOSES_WORK) {
        expose(x, STRATA_WORK, STRATA_EXPOSES_WORK, plan->blocks.work_first, plan->blocks.work);
    }
}

void strata_expose(struct strata_execution *x)
{
    if (x->plan->blocks.exposes && !x->long_blocks) {
        expose_stores(x);
    } else {
        strata_expose_direct(x);
    }
}
