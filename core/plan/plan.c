#include "core/plan/plan.h"

#include <assert.h>

#include "core/base/memory.h"

static const char *const step_word[] = {
#define STRATA_STEP_TEXT(id, word) [STRATA_STEP_##id] = word,
    STRATA_STEP_TABLE(STRATA_STEP_TEXT)
#undef STRATA_STEP_TEXT
};

const char *strata_step_word(enum strata_op op)
{
    unsigned index = (unsigned)op;
    return index < STRATA_STEP_COUNT ? step_word[index] : "unknown";
}

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

void strata_cursor_begin(struct strata_cursor *cursor, const struct strata_plan *plan)
{
    *cursor = (struct strata_cursor){.plan = plan, .label = -1};
}

static void enter_repeat(struct strata_cursor *cursor)
{
    assert(cursor->depth < STRATA_REPEAT_DEPTH);
    cursor->begin[cursor->depth] = cursor->at++;
    cursor->counter[cursor->depth++] = 0;
}

/* At an END: back to the first step of the body, or past it after the last iteration. */
static void next_iteration(struct strata_cursor *cursor)
{
    assert(cursor->depth > 0);
    int top = cursor->depth - 1;
    int count = cursor->plan->steps[cursor->begin[top]].count;
    bool passes = count <= 0;
    bool more = ++cursor->counter[top] < (passes ? cursor->plan->limits.passes : count);
    if (passes) {
        cursor->pass = more ? cursor->counter[top] : 0;
    }
    cursor->at = more ? cursor->begin[top] + 1 : cursor->at + 1;
    cursor->depth -= !more;
}

const struct strata_step *strata_cursor_step(struct strata_cursor *cursor)
{
    while (cursor->at < cursor->plan->nsteps) {
        const struct strata_step *step = &cursor->plan->steps[cursor->at];
        if (step->op == STRATA_STEP_PHASE) {
            cursor->label = step->label;
            cursor->at++;
        } else if (step->op == STRATA_STEP_REPEAT) {
            enter_repeat(cursor);
        } else if (step->op == STRATA_STEP_END) {
            next_iteration(cursor);
        } else {
            return step;
        }
    }
    return NULL;
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
