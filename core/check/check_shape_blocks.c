/* What can be seen to be wrong in plans over blocks before anything runs. */
#include "core/check/check_blocks.h"

/* The steps that such plans have, and whether they write their set. */
static const struct shape {
    bool known, set, writes, from, rank;
} shape_of[STRATA_STEP_COUNT] = {
    [STRATA_STEP_PHASE] = {.known = true},
    [STRATA_STEP_REPEAT] = {.known = true},
    [STRATA_STEP_END] = {.known = true},
    [STRATA_STEP_SIGNAL] = {.known = true},
    [STRATA_STEP_AWAIT] = {.known = true},
    [STRATA_STEP_WAIT] = {.known = true},
    [STRATA_STEP_SEND_BLOCKS] = {.known = true, .set = true, .rank = true},
    [STRATA_STEP_RECV_BLOCKS] = {.known = true, .set = true, .rank = true, .writes = true},
    [STRATA_STEP_COPY] = {.known = true, .set = true, .writes = true, .from = true},
    [STRATA_STEP_REDUCE] = {.known = true, .set = true, .writes = true, .from = true},
};

/* How many blocks a store has; -1: it is none of theirs. */
static int32_t store_size(const struct strata_plan *plan, int store)
{
    bool ranked = strata_collective_info[plan->collective].ranked;
    switch (store) {
    case STRATA_INPUT:
    case STRATA_OUTPUT:
        return plan->blocks.count;
    case STRATA_INPUT_AT:
    case STRATA_OUTPUT_AT:
        return ranked ? plan->blocks.count : -1;
    case STRATA_WORK:
        return plan->blocks.work;
    case STRATA_SHARED:
        return ranked && plan->blocks.shared ? plan->blocks.count : -1;
    default:
        return -1;
    }
}

static const char *bad_set(const struct strata_plan *plan, int index, bool writes)
{
    if (index < 0 || index >= plan->nsets) {
        return "names a set that the plan does not have";
    }
    const struct strata_plan_set *s = &plan->sets[index];
    if (s->first_box < 0 || s->nboxes < 0 || s->first_box > plan->nboxes - s->nboxes) {
        return "its set has boxes that the plan does not have";
    }
    for (int i = s->first_box; i < s->first_box + s->nboxes; i++) {
        const struct strata_box *box = &plan->boxes[i];
        if (!strata_box_valid(box)) {
            return "its set has a box out of bounds";
        }
        if (box->space != store_size(plan, box->store)) {
            return "its set is not one of blocks of the plan's stores";
        }
        if (writes && (box->store == STRATA_INPUT || box->store == STRATA_INPUT_AT)) {
            return "writes the input";
        }
    }
    return NULL;
}

static bool same_count(const struct strata_plan *plan, const struct strata_step *step)
{
    return strata_set_count(strata_plan_set_of(plan, step, 0)) ==
           strata_set_count(strata_plan_from_of(plan, step, 0));
}

const char *strata_check_bad_block_step(const struct strata_plan *plan,
                                        const struct strata_step *step)
{
    const struct shape *s = &shape_of[step->op];
    if (!s->known) {
        return "a plan over blocks has no such step";
    }
    if (s->rank && (step->peer < 0 || step->peer >= plan->topology->ranks)) {
        return "its peer is no rank";
    }
    if (step->op == STRATA_STEP_REDUCE && !strata_collective_reduces(plan->collective)) {
        return "the collective has no operator";
    }
    const char *what = s->set ? bad_set(plan, step->set, s->writes) : NULL;
    what = s->from && !what ? bad_set(plan, step->from, false) : what;
    return what || !s->from || same_count(plan, step)
               ? what
               : "reads more blocks than it writes, or fewer";
}

const char *strata_check_bad_blocks(const struct strata_plan *plan)
{
    const struct strata_blocks *b = &plan->blocks;
    const struct strata_collective_info *info = &strata_collective_info[plan->collective];
    if (b->count < 1 || b->work < 0 || b->work_first < 0 || b->work_first >= b->count) {
        return "no block, or work that begins at none";
    }
    if (info->ranked && b->count != plan->topology->ranks) {
        return "not one block for each rank";
    }
    if (plan->root < 0 || plan->root >= plan->topology->ranks) {
        return "its root is no rank";
    }
    if (plan->exchange.lanes > 0 || plan->exchange.staged != b->shared || plan->limits.passes > 1) {
        return "a plan over blocks has no lanes and one pass, and is staged where it shares";
    }
    return NULL;
}
