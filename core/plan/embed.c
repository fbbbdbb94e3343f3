#include "core/plan/embed.h"

#include "core/base/memory.h"

/* The boxes of the embedded set, so far. */
struct list {
    struct strata_box *boxes;
    int count, capacity;
    bool failed;
};

static void add(struct list *list, struct strata_box box)
{
    if (list->count == list->capacity && !list->failed) {
        int capacity = 2 * list->capacity + 4;
        void *boxes = strata_reallocate(list->boxes, (size_t)capacity, sizeof *list->boxes);
        list->failed = !boxes;
        list->boxes = boxes ? boxes : list->boxes;
        list->capacity = boxes ? capacity : list->capacity;
    }
    if (!list->failed) {
        list->boxes[list->count++] = box;
    }
}

int strata_build_embedded_set(struct strata_builder *b, const struct strata_embedding *e,
                              struct strata_set set)
{
    struct list list = {0};
    struct strata_set_iterator it;
    struct strata_run run;
    for (strata_set_begin(&it, set); strata_set_next(&it, &run) && !list.failed;) {
        for (int taken; run.count > 0; run.first += taken, run.count -= taken) {
            add(&list, e->box(e->self, run, &taken));
        }
    }
    int index =
        list.failed ? strata_build_no_memory(b) : strata_build_set_of(b, list.boxes, list.count);
    strata_release(list.boxes);
    return index;
}

/* Appends the current step. Its phase is appended before the first step of the phase that is
 * kept. */
static void embed_step(struct strata_builder *b, const struct strata_cursor *cursor,
                       const struct strata_embedding *e, int *label)
{
    struct strata_step step = cursor->plan->steps[cursor->at];
    if (strata_step_has(step.op, STRATA_HAS_PEER)) {
        step.peer = e->rank(e->self, step.peer);
    }
    if (strata_step_has(step.op, STRATA_HAS_FROM)) {
        step.from = strata_build_embedded_set(b, e, strata_cursor_from(cursor));
    }
    if (strata_step_has(step.op, STRATA_HAS_BLOCKS)) {
        step.set = strata_build_embedded_set(b, e, strata_cursor_set(cursor));
        step.set_step = e->set_step;
    }
    if (step.op == STRATA_STEP_COPY && step.from == step.set) { /* equal sets have one index */
        return;
    }
    if (cursor->label != *label) {
        *label = cursor->label;
        strata_build_phase(b, "%s", strata_cursor_label(cursor));
    }
    strata_build_step(b, step);
}

void strata_build_embedded(struct strata_builder *b, const struct strata_plan *plan,
                           const struct strata_embedding *e)
{
    struct strata_cursor cursor;
    int label = -1;
    strata_cursor_begin(&cursor, plan);
    while (strata_cursor_step(&cursor) && b->error == STRATA_OK) {
        embed_step(b, &cursor, e, &label);
        strata_cursor_advance(&cursor);
    }
}
