#include "core/plan/actions.h"

void strata_actions_begin(struct strata_actions *a, const struct strata_plan *plan, bool direct)
{
    *a = (struct strata_actions){.direct = direct};
    strata_cursor_begin(&a->cursor, plan);
}

static enum strata_unit unit_of(const struct strata_plan *plan, const struct strata_step *step)
{
    bool blocks = strata_step_has(step->op, STRATA_HAS_BLOCKS);
    if (blocks && strata_plan_over_blocks(plan)) {
        return STRATA_UNIT_BLOCKS;
    }
    return blocks && strata_step_has(step->op, STRATA_HAS_PEER)    ? STRATA_UNIT_ITEMS
           : blocks || strata_step_has(step->op, STRATA_HAS_RANKS) ? STRATA_UNIT_SLICES
                                                                   : STRATA_UNIT_NONE;
}

/* Takes the next distance; false: all receives and all sends are done. */
static bool next_distance(struct strata_actions *a, int *distance)
{
    while (a->run.count == 0 && !strata_set_next(&a->it, &a->run)) {
        if (a->sending) {
            return false;
        }
        a->sending = true;
        strata_set_begin(&a->it, a->distances);
        a->run.count = 0;
    }
    a->run.count--;
    *distance = a->run.first++;
    return true;
}

/* A copy of my own block stands in place of its send. A copy of a block that a local peer exposes
 * stands in place of its receive. */
static bool next_direct(struct strata_actions *a)
{
    const struct strata_plan *plan = a->cursor.plan;
    int64_t ranks = plan->topology->ranks;
    int distance = 0;
    bool left_out, exposed = false;
    do {
        a->within = next_distance(a, &distance);
        a->action.peer = (int)((plan->rank + (a->sending ? distance : ranks - distance)) % ranks);
        exposed = a->within && strata_plan_exposes_to(plan, a->action.peer);
        left_out = (distance == 0 && !a->sending) || (exposed && a->sending);
    } while (a->within && left_out);
    a->action.kind = distance == 0 || exposed ? STRATA_ACT_COPY
                     : a->sending             ? STRATA_ACT_SEND
                                              : STRATA_ACT_RECV;
    return a->within;
}

static bool begin_direct(struct strata_actions *a)
{
    a->distances = a->action.set;
    a->action.unit = STRATA_UNIT_DIRECT;
    a->action.set = (struct strata_set){.nboxes = 0};
    a->sending = false;
    a->run.count = 0;
    strata_set_begin(&a->it, a->distances);
    return a->direct && next_direct(a);
}

static bool begin_step(struct strata_actions *a, const struct strata_step *step)
{
    a->action = (struct strata_action){.kind = strata_step_act(step),
                                       .unit = unit_of(a->cursor.plan, step),
                                       .step = step,
                                       .peer = step->peer,
                                       .pass = a->cursor.pass,
                                       .set = strata_cursor_set(&a->cursor),
                                       .from = strata_cursor_from(&a->cursor)};
    return a->action.kind != STRATA_ACT_DIRECT || begin_direct(a);
}

const struct strata_action *strata_actions_next(struct strata_actions *a)
{
    const struct strata_step *step;
    bool found = a->within && next_direct(a);
    if (a->begun && !found) {
        strata_cursor_advance(&a->cursor);
    }
    a->begun = true;
    while (!found && (step = strata_cursor_step(&a->cursor))) {
        found = begin_step(a, step);
        if (!found) {
            strata_cursor_advance(&a->cursor);
        }
    }
    return found ? &a->action : NULL;
}

/* My own block does not go through my slot: it is copied from buffer to buffer when blocks are
 * copied out. So the copy to the slot leaves it out. */
int64_t strata_action_units(const struct strata_plan *plan, const struct strata_action *a)
{
    if (a->unit == STRATA_UNIT_DIRECT) {
        return 1;
    }
    bool mine = a->unit == STRATA_UNIT_SLICES && a->step->op == STRATA_STEP_COPY &&
                strata_set_contains(a->set, strata_topology_position(plan->topology, plan->rank));
    return strata_set_count(a->set) - mine;
}
