/* Searches in the plans of single ranks: actions in their order, messages by their ends, elements
 * of sets. */
#include "sim/sampled/sampled_walk.h"

void strata_look_begin(struct strata_look *look, const struct strata_plan *plan)
{
    look->at = -1;
    strata_actions_begin(&look->actions, plan, false);
}

const struct strata_action *strata_look_next(struct strata_look *look)
{
    const struct strata_action *a = strata_actions_next(&look->actions);
    look->at++;
    return a && a->pass == 0 ? a : NULL;
}

bool strata_find_message(const struct strata_plan *plan, enum strata_action_kind kind, int peer,
                         int ordinal, struct strata_met *met)
{
    struct strata_look look;
    const struct strata_action *a;
    int seen = 0;
    for (strata_look_begin(&look, plan); (a = strata_look_next(&look));) {
        if (a->kind == kind && a->peer == peer && seen++ == ordinal) {
            *met = (struct strata_met){*a, look.at, ordinal};
            return true;
        }
    }
    return false;
}

int strata_message_ordinal(const struct strata_plan *plan, const struct strata_action *message,
                           int64_t at)
{
    struct strata_met met;
    int ordinal = 0;
    while (strata_find_message(plan, message->kind, message->peer, ordinal, &met) && met.at < at) {
        ordinal++;
    }
    return ordinal;
}

bool strata_find_step(const struct strata_plan *plan, int op, struct strata_met *met)
{
    struct strata_look look;
    const struct strata_action *a;
    for (strata_look_begin(&look, plan); (a = strata_look_next(&look));) {
        if (a->step->op == op) {
            *met = (struct strata_met){*a, look.at, 0};
            return true;
        }
    }
    return false;
}

void strata_elements_begin(struct strata_element_walk *walk, struct strata_set set)
{
    strata_set_begin(&walk->it, set);
    walk->run.count = 0;
}

bool strata_elements_next(struct strata_element_walk *walk, struct strata_element *element)
{
    if (walk->run.count == 0 && !strata_set_next(&walk->it, &walk->run)) {
        return false;
    }
    *element = (struct strata_element){walk->run.store, walk->run.first++};
    walk->run.count--;
    return true;
}

int64_t strata_element_find(struct strata_set set, struct strata_element element)
{
    struct strata_set_iterator it;
    struct strata_run run;
    int64_t place = 0;
    if (!strata_set_contains(set, element.index)) {
        return -1;
    }
    for (strata_set_begin(&it, set); strata_set_next(&it, &run); place += run.count) {
        if (run.store == element.store && element.index >= run.first &&
            element.index < run.first + run.count) {
            return place + element.index - run.first;
        }
    }
    return -1;
}

bool strata_element_at(struct strata_set set, int64_t place, struct strata_element *element)
{
    struct strata_set_iterator it;
    struct strata_run run;
    for (strata_set_begin(&it, set); strata_set_next(&it, &run); place -= run.count) {
        if (place < run.count) {
            *element = (struct strata_element){run.store, run.first + (int)place};
            return true;
        }
    }
    return false;
}
