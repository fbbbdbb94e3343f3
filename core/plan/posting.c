/* Finds the most that a plan posts between two waits for all. */
#include "core/plan/actions.h"

/* Adds a message to the ones posted since the last wait for all. */
static void add_message(struct strata_posting *stage, const struct strata_action *message)
{
    struct strata_set_iterator it;
    struct strata_run run;
    int64_t items = 0;
    int runs = 0;
    for (strata_set_begin(&it, message->set); strata_set_next(&it, &run);) {
        bool by_position = run.store == STRATA_INPUT_AT || run.store == STRATA_OUTPUT_AT;
        items += run.count;
        runs += by_position ? run.count : 1;
    }
    stage->messages++;
    stage->items += items;
    stage->split_items += runs > 1 || message->step->how == STRATA_PACKED ? items : 0;
    if (message->step->how == STRATA_TYPED && items > stage->typed_items) {
        stage->typed_items = items;
    }
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

void strata_posting_find(struct strata_plan *plan)
{
    struct strata_posting stage = {0}, *most = &plan->posting;
    struct strata_actions walk;
    const struct strata_action *a;
    for (strata_actions_begin(&walk, plan, false); (a = strata_actions_next(&walk));) {
        if (strata_action_posts(a)) {
            add_message(&stage, a);
        } else if (strata_action_ends_stage(a)) {
            stage = (struct strata_posting){0};
        }
        most->messages = (int32_t)larger(most->messages, stage.messages);
        most->items = larger(most->items, stage.items);
        most->split_items = larger(most->split_items, stage.split_items);
        most->typed_items = larger(most->typed_items, stage.typed_items);
    }
}

size_t strata_largest_stage(const struct strata_plan *plan, strata_message_size *size,
                            const void *self)
{
    /* Passes differ in nothing but their slice. */
    bool alike = plan->blocks.slot == 0 || plan->blocks.slot == plan->blocks.count;
    size_t stage = 0, most = 0;
    struct strata_actions walk;
    const struct strata_action *a;
    strata_actions_begin(&walk, plan, false);
    while ((a = strata_actions_next(&walk)) && (a->pass == 0 || !alike)) {
        if (strata_action_posts(a)) {
            stage += size(self, a);
        } else if (strata_action_ends_stage(a)) {
            stage = 0;
        }
        most = stage > most ? stage : most;
    }
    return most;
}
