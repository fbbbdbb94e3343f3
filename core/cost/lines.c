#include "core/cost/lines.h"

#include "core/plan/plan_sizes.h"

void strata_lines_begin(struct strata_lines *l, const struct strata_plan *plan, double block_bytes)
{
    double left = block_bytes > (double)plan->limits.threshold ? 0 : block_bytes;
    *l = (struct strata_lines){.plan = plan, .bytes = left};
    if (strata_plan_over_blocks(plan)) {
        bool ranked = strata_collective_info[plan->collective].ranked;
        l->bytes = block_bytes / (ranked ? strata_plan_slice_count(plan) : plan->blocks.count);
    } else if (left > (double)plan->limits.slice) {
        l->bytes = (double)plan->limits.slice;
    }
}

void strata_cost_slot(struct strata_cost *cost, double bytes, const struct strata_machine *machine)
{
    strata_cost_lines(cost, strata_plain_slot_lines(bytes), machine);
}

/* Whether the action awaits members other than me. */
static bool awaits_peers(const struct strata_lines *l, const struct strata_action *a)
{
    const struct strata_topology *t = l->plan->topology;
    struct strata_awaited of = strata_awaited_by(l->plan, a->step);
    return of.end - of.first > 1 || of.first != t->local_of[l->plan->rank];
}

/* Lines of blocks in the node memory. For exposed blocks a table in the slot says where they
 * lie. */
static int lines_of_blocks(const struct strata_lines *l, struct strata_set from)
{
    if (strata_set_is_of_peers(from)) {
        return 2;
    }
    return strata_plan_in_landing(l->plan, from) ? 1 : strata_slot_lines(l->plan, l->bytes);
}

/* Lines of a slot's tables; the blocks may lie in the last of them. */
static int lines_of_tables(const struct strata_lines *l)
{
    int lines = strata_slot_lines(l->plan, l->bytes);
    return lines > 0 ? lines - 1 : 0;
}

/* Lines of items. A leader's table says where an item lies. */
static int lines_of_items(const struct strata_lines *l, const struct strata_action *a)
{
    int lines = strata_slot_lines(l->plan, l->bytes);
    if (a->kind == STRATA_ACT_SEND) {
        return lines > 0; /* the tables were read when the lane began */
    }
    return l->plan->topology->nodes > 1 ? 2 : lines;
}

static bool reads_slots(const struct strata_action *a)
{
    return a->kind == STRATA_ACT_SEND ||
           (a->kind == STRATA_ACT_COPY && !strata_step_has(a->step->op, STRATA_HAS_FROM));
}

int strata_lines_of(struct strata_lines *l, const struct strata_action *a)
{
    bool blocks = a->unit == STRATA_UNIT_BLOCKS, sends = a->kind == STRATA_ACT_SEND;
    struct strata_set from = sends ? a->set : a->from;
    int lines = 0;
    if (a->kind == STRATA_ACT_AWAIT) {
        l->come = awaits_peers(l, a);
        return l->come;
    }
    if (!l->come || a->kind == STRATA_ACT_RECV) {
        return 0;
    }
    if (a->kind == STRATA_ACT_INDEX) {
        return lines_of_tables(l);
    }
    if (blocks && (strata_set_is_of_node(from) || strata_set_is_of_peers(from))) {
        lines = lines_of_blocks(l, from);
        l->come = false;
    } else if (!blocks && a->unit != STRATA_UNIT_DIRECT && reads_slots(a)) {
        lines = lines_of_items(l, a);
        l->come = false;
    }
    return lines;
}
