#include "core/plan/plan.h"

#include <assert.h>
#include <string.h>

#include "core/base/memory.h"

void strata_plan_destroy(struct strata_plan *plan)
{
    if (!plan) {
        return;
    }
    strata_release(plan->steps);
    strata_release(plan->sets);
    strata_release(plan->boxes);
    strata_release(plan->labels);
    strata_release(plan);
}

struct strata_awaited strata_awaited_by(const struct strata_plan *plan,
                                        const struct strata_step *step)
{
    const struct strata_topology *t = plan->topology;
    bool all = step->peer == STRATA_ALL_MEMBERS;
    return (struct strata_awaited){all ? 0 : step->peer,
                                   all ? strata_topology_node_size(t, t->node_of[plan->rank])
                                       : step->peer + 1};
}

/* Whether the plan writes slots before it hears anybody, and never hears of all members, so that it
 * must wait until they have left an earlier epoch of the slot. */
static bool waits_for_room(const struct strata_plan *plan)
{
    bool writes = false, hears = false, hears_all = false;
    for (int i = 0; i < plan->nsteps; i++) {
        const struct strata_step *step = &plan->steps[i];
        enum strata_action_kind act = strata_step_act(step);
        writes = writes || (!hears && act != STRATA_ACT_SEND && step->set >= 0 &&
                            strata_set_is_of_node(strata_plan_set_of(plan, step, 0)));
        hears = hears || act == STRATA_ACT_AWAIT;
        hears_all = hears_all || (act == STRATA_ACT_AWAIT && strata_await_hears_all(step));
    }
    return writes && !hears_all;
}

void strata_plan_awaits(const struct strata_plan *plan, unsigned char *awaited)
{
    const struct strata_topology *t = plan->topology;
    int members = strata_topology_node_size(t, t->node_of[plan->rank]);
    memset(awaited, waits_for_room(plan), (size_t)members);
    awaited[t->local_of[plan->rank]] = 0;
    for (int i = 0; i < plan->nsteps; i++) {
        const struct strata_step *step = &plan->steps[i];
        bool awaits = strata_step_act(step) == STRATA_ACT_AWAIT;
        struct strata_awaited of =
            awaits ? strata_awaited_by(plan, step) : (struct strata_awaited){0, 0};
        for (int m = of.first; m < of.end; m++) {
            bool first = m != t->local_of[plan->rank] && awaited[m] >> step->count == 0;
            awaited[m] |= (unsigned char)((unsigned)first << step->count);
        }
    }
}

bool strata_plan_in_landing(const struct strata_plan *plan, struct strata_set set)
{
    const struct strata_topology *t = plan->topology;
    int node = t->node_of[plan->rank];
    struct strata_set_iterator it;
    struct strata_run run;
    bool landed = false;
    for (strata_set_begin(&it, set); !landed && strata_set_next(&it, &run);) {
        landed = run.store == STRATA_SHARED &&
                 (run.first < t->first[node] || run.first + run.count > t->first[node + 1]);
    }
    return landed;
}

static int number_at(const struct strata_plan *plan, int64_t index)
{
    int number = (int)(index % plan->blocks.count);
    return plan->blocks.by_position ? plan->topology->rank_at[number] : number;
}

int strata_block_number(const struct strata_plan *plan, int store, int index)
{
    switch (store) {
    case STRATA_WORK:
        return number_at(plan,
                         (int64_t)plan->blocks.work_first + (plan->blocks.work_alike ? 0 : index));
    case STRATA_SLOT:
        return number_at(plan, index);
    case STRATA_PEER_INPUT:
    case STRATA_PEER_WORK:
        return index % plan->blocks.count;
    case STRATA_SHARED:
        return plan->blocks.count > 1 ? plan->topology->rank_at[index] : 0;
    case STRATA_INPUT_AT:
    case STRATA_OUTPUT_AT:
        return plan->topology->rank_at[index];
    default:
        return index;
    }
}

static void enter_repeat(struct strata_cursor *cursor)
{
    assert(cursor->depth < STRATA_REPEAT_DEPTH);
    cursor->pass = cursor->plan->steps[cursor->at].count > 0 ? cursor->pass : 0;
    cursor->begin[cursor->depth] = cursor->at++;
    cursor->counter[cursor->depth++] = 0;
}

/* At an END: goes back to the first step of the body, or past the END after the last iteration. */
static void next_iteration(struct strata_cursor *cursor)
{
    assert(cursor->depth > 0);
    int top = cursor->depth - 1;
    int count = cursor->plan->steps[cursor->begin[top]].count;
    bool passes = count <= 0;
    bool more = ++cursor->counter[top] < (passes ? cursor->plan->limits.passes : count);
    if (passes && more) {
        cursor->pass = cursor->counter[top];
    }
    cursor->at = more ? cursor->begin[top] + 1 : cursor->at + 1;
    cursor->depth -= !more;
}

void strata_cursor_repeat(struct strata_cursor *cursor)
{
    if (cursor->plan->steps[cursor->at].op == STRATA_STEP_REPEAT) {
        enter_repeat(cursor);
    } else {
        next_iteration(cursor);
    }
}

void strata_cursor_advance(struct strata_cursor *cursor)
{
    if (strata_cursor_step(cursor)) {
        cursor->at++;
    }
}

const char *strata_cursor_label(const struct strata_cursor *cursor)
{
    return cursor->label < 0 ? "" : cursor->plan->labels + cursor->label;
}
