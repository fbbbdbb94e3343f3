/* Checks, by fingerprints, what a call over blocks must have left in the output
 * (core/plan/collective.h). */
#include <stdio.h>

#include "core/base/memory.h"
#include "core/check/check_blocks.h"

static const struct strata_collective_info *info_of(const struct check_rank *me)
{
    return &strata_collective_info[plan_of(me)->collective];
}

/* Combines the inputs of ranks 0, 0 .. 1, 0 .. 2, ..., or only those of all ranks. */
static int combine_inputs(struct checker *k, int call, bool prefixes)
{
    struct check_call *c = &k->calls[call];
    int count = c->common->blocks.count;
    size_t rows = prefixes ? (size_t)k->ranks : 1;
    struct check_value *row = strata_allocate(rows * (size_t)count, sizeof(*row));
    if (!row) {
        return STRATA_ERR_MEMORY;
    }
    c->expected = row;
    for (int r = 0; r < k->ranks; r++) {
        const struct check_value *before = row;
        row += r > 0 && prefixes ? count : 0;
        for (int b = 0; b < count; b++) {
            struct check_value mine = strata_check_leaf(k, call, r, b);
            row[b] = r > 0 ? strata_check_combine(c->common, before[b], mine) : mine;
        }
    }
    return STRATA_OK;
}

/* The value that a block of the output must have; nothing where it must stay as it is. */
static struct check_value expected(const struct checker *k, const struct check_rank *me, int block)
{
    const struct strata_plan *plan = plan_of(me);
    const struct check_value *combined = k->calls[me->call].expected;
    ptrdiff_t row = (ptrdiff_t)me->rank * plan->blocks.count;
    switch (info_of(me)->result) {
    case STRATA_REDUCED:
        return combined[block];
    case STRATA_UP_TO_ME:
        return combined[row + block];
    case STRATA_BEFORE_ME:
        return me->rank > 0 ? combined[row - plan->blocks.count + block]
                            : (struct check_value){0, 0};
    default:
        break;
    }
    if (strata_collective_transposes(plan->collective)) {
        return strata_check_leaf(k, me->call, block, me->rank);
    }
    int owner = info_of(me)->root == 'i' ? plan->root : block;
    return strata_check_leaf(k, me->call, owner, block);
}

/* Describes a wrong value: an input, or a combination of neighbours' inputs. */
static void describe(const struct checker *k, const struct check_rank *me, int block,
                     struct check_value value, struct check_text *text)
{
    enum { MOST = 256 };
    int most = k->ranks < MOST ? k->ranks : MOST;
    snprintf(text->text, sizeof(text->text), "something else");
    for (int r = 0; r < most; r++) {
        for (int b = 0; b < plan_of(me)->blocks.count; b++) {
            if (check_same(value, strata_check_leaf(k, me->call, r, b))) {
                snprintf(text->text, sizeof(text->text), "block %d of rank %d", b, r);
                return;
            }
        }
        struct check_value sum = strata_check_leaf(k, me->call, r, block);
        for (int last = r + 1; last < most; last++) {
            struct check_value next = strata_check_leaf(k, me->call, last, block);
            sum = strata_check_combine(plan_of(me), sum, next);
            if (check_same(value, sum)) {
                snprintf(text->text, sizeof(text->text), "what ranks %d to %d have", r, last);
                return;
            }
        }
    }
}

static int wrong(const struct checker *k, const struct check_rank *me, int block,
                 struct check_value value)
{
    struct check_text found;
    if (!value.a) {
        return strata_check_fail(k, me, "block %d of the output was never written", block);
    }
    describe(k, me, block, value, &found);
    return strata_check_fail(k, me, "block %d of the output is not what it must be, but %s", block,
                             found.text);
}

/* Checks of a barrier that no rank ends before all have begun, whatever the interleaving. */
static int all_began(const struct checker *k, const struct check_rank *me)
{
    const int32_t *began = k->calls[me->call].began;
    for (int r = 0; began && r < k->ranks; r++) {
        if (began[r] == 0 || began[r] > me->clock[k->rank[r].position]) {
            return strata_check_fail(k, me, "ends before rank %d is known to have begun", r);
        }
    }
    return STRATA_OK;
}

/* The member of my node whose slot has the result; -1: none; -2: several. */
static int who_has(struct checker *k, const struct check_rank *me)
{
    int node = k->nodes->node_of[me->rank], first = k->nodes->first[node], found = -1;
    for (int p = first; p < k->nodes->first[node + 1]; p++) {
        if (strata_check_slot(k, me, p)->call == me->call) {
            found = found == -1 ? p - first : -2;
        }
    }
    return found;
}

/* Checks that the result lies once in my node, and that I may read all of it now. */
static int once_in_node(struct checker *k, struct check_rank *me)
{
    const struct strata_plan *plan = plan_of(me);
    int member = plan->blocks.shared ? 0 : who_has(k, me);
    if (member < 0) {
        return strata_check_fail(k, me,
                                 member == -1 ? "nobody of its node has the result"
                                              : "several of its node write the result");
    }
    for (int b = 0; b < plan->blocks.count; b++) {
        struct check_location place = {STRATA_SLOT, member * plan->blocks.count + b};
        struct check_value value;
        if (plan->blocks.shared) {
            place = (struct check_location){STRATA_SHARED, k->rank[b].position};
        }
        int status = strata_check_read(k, me, place, &value);
        if (status || !check_same(value, expected(k, me, b))) {
            return status ? status : wrong(k, me, b, value);
        }
    }
    return STRATA_OK;
}

int strata_check_result(struct checker *k, struct check_rank *me)
{
    const struct strata_plan *plan = plan_of(me);
    enum strata_held held = strata_output_of(plan->collective, me->rank, plan->root);
    enum strata_result result = info_of(me)->result;
    if (result != STRATA_COPIED && !k->calls[me->call].expected &&
        combine_inputs(k, me->call, result != STRATA_REDUCED)) {
        return STRATA_ERR_MEMORY;
    }
    if (plan->blocks.once) {
        int status = once_in_node(k, me);
        return status ? status : all_began(k, me);
    }
    for (int b = 0; b < plan->blocks.count; b++) {
        if (check_has(held, me->rank, b)) {
            struct check_location place = {STRATA_OUTPUT, b};
            struct check_value value = strata_check_block(k, me, place)->value;
            struct check_value right = expected(k, me, b);
            bool kept =
                !value.a ||
                (me->in_place && check_same(value, strata_check_leaf(k, me->call, me->rank, b)));
            if (right.a ? !check_same(value, right) : !kept) {
                return wrong(k, me, b, value);
            }
        }
    }
    return all_began(k, me);
}
