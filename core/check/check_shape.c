/* Finds mistakes that can be seen before anything runs: plans that do not belong together, and
 * steps that name things that are not there. The rest of the checker relies on these checks for its
 * indices. */
#include "core/check/check_internal.h"
#include "core/plan/actions.h"

static int bad(const struct checker *k, int call, int rank, const char *what)
{
    return strata_fail(k->message, STRATA_ERR_PLAN, "call %d, rank %d: %s", call, rank, what);
}

static int bad_step(const struct checker *k, int call, int rank, int at, const char *what)
{
    struct check_text step = strata_check_step_text(k, call, rank, at);
    return strata_fail(k->message, STRATA_ERR_PLAN, "call %d, rank %d, %s: %s", call, rank,
                       step.text, what);
}

static int check_steps(const struct checker *k, int call, int rank)
{
    const struct strata_plan *plan = k->calls[call].plans[rank];
    int depth = 0;
    for (int at = 0; at < plan->nsteps; at++) {
        const struct strata_step *step = &plan->steps[at];
        if (step->op >= STRATA_STEP_COUNT) {
            return bad(k, call, rank, "a step of unknown kind");
        }
        depth += step->op == STRATA_STEP_REPEAT;
        depth -= step->op == STRATA_STEP_END;
        if (depth < 0 || depth > STRATA_REPEAT_DEPTH) {
            return bad_step(k, call, rank, at, "repeats do not match, or are nested too deep");
        }
        const char *what = strata_check_bad_step(plan, step);
        if (what) {
            return bad_step(k, call, rank, at, what);
        }
    }
    return depth ? bad(k, call, rank, "a repeat is not closed") : STRATA_OK;
}

static bool same_nodes(const struct strata_topology *a, const struct strata_topology *b)
{
    bool same = a->ranks == b->ranks && a->nodes == b->nodes;
    for (int r = 0; a != b && same && r < a->ranks; r++) {
        same = a->node_of[r] == b->node_of[r] && a->local_of[r] == b->local_of[r] &&
               a->turn_of[r] == b->turn_of[r];
    }
    return same;
}

static bool same_statistics(const struct strata_plan *a, const struct strata_plan *b)
{
    return a->collective == b->collective && a->mark == b->mark &&
           a->limits.threshold == b->limits.threshold && a->limits.slice == b->limits.slice &&
           a->limits.passes == b->limits.passes && a->exchange.lanes == b->exchange.lanes &&
           a->exchange.staged == b->exchange.staged &&
           a->exchange.lane_items == b->exchange.lane_items &&
           a->exchange.lane_messages == b->exchange.lane_messages &&
           a->exchange.exposes == b->exchange.exposes && a->root == b->root &&
           a->blocks.count == b->blocks.count && a->blocks.shared == b->blocks.shared &&
           a->blocks.slot == b->blocks.slot && a->blocks.ring == b->blocks.ring &&
           a->blocks.exposes == b->blocks.exposes &&
           a->blocks.by_position == b->blocks.by_position &&
           a->blocks.work_alike == b->blocks.work_alike && a->keeps_order == b->keeps_order &&
           a->blocks.once == b->blocks.once && a->left_fold == b->left_fold;
}

static const char *bad_blocks(const struct strata_plan *plan)
{
    const struct strata_blocks *b = &plan->blocks;
    const struct strata_collective_info *info = &strata_collective_info[plan->collective];
    if (b->count < 1 || b->work < 0 || b->work_first < 0 || b->work_first >= b->count) {
        return "no block, or work that begins at none";
    }
    if (info->ranked && (b->count != plan->topology->ranks ||
                         (plan->limits.passes != 1 && !strata_plan_slices(plan) && b->slot == 0))) {
        return "not one block for each rank, or several passes over them, of none in slots";
    }
    if (plan->limits.threshold > 0 &&
        (!info->varying || info->root == '-' || plan->limits.slice < plan->limits.threshold)) {
        return "a threshold where all ranks know all lengths, or blocks below it are cut";
    }
    if (b->slot < 0 || (b->slot > 0 && b->shared)) {
        return "its slots hold less than nothing, or both a shared block and blocks of their own";
    }
    if (b->shared && !info->ranked && b->count != 1) {
        return "vectors in the shared store are in one piece";
    }
    if (b->by_position && !info->ranked) {
        return "its blocks have no positions";
    }
    if (plan->root < 0 || plan->root >= plan->topology->ranks) {
        return "its root is no rank";
    }
    if (plan->exchange.lanes > 0 ||
        plan->exchange.staged != (b->shared || b->slot > 0 || b->exposes)) {
        return "a plan over blocks has no lanes, and is staged where it shares or lends";
    }
    if (strata_plan_slices(plan)
            ? !info->ranked || b->exposes || b->once || (b->slot > 0 && b->slot != b->count)
        : b->slot > 0 ? (int64_t)b->slot * plan->limits.passes != b->count
                      : plan->limits.passes != 1) {
        return "a plan over blocks has passes for blocks in slots, each of which moves once";
    }
    if (b->exposes > (STRATA_EXPOSES_INPUT | STRATA_EXPOSES_WORK) ||
        (b->exposes && (b->shared || b->slot > 0))) {
        return "it lends what there is not, or has blocks in slots besides";
    }
    if (plan->exchange.exposes &&
        (plan->limits.threshold == 0 || info->root == '-' || !b->shared)) {
        return "it lends blocks above a threshold, or to a root, where there is none";
    }
    if (b->once && (info->root == 'o' || (b->slot > 0) == b->shared || info->output != STRATA_ALL ||
                    info->result != STRATA_COPIED || plan->limits.passes != 1)) {
        return "a result that is there once in a node is all of it, copied there in one pass";
    }
    if (b->ring >= STRATA_RINGS || (b->ring != STRATA_LARGE_RING && !b->shared && b->slot == 0)) {
        return "nothing of it lies in slots, but it does not use the large ring";
    }
    return NULL;
}

/* Whether the plan has nothing of a plan over blocks. */
static bool no_blocks(const struct strata_blocks *b)
{
    return b->count == 0 && b->work == 0 && b->work_first == 0 && b->slot == 0 && b->ring == 0 &&
           b->exposes == 0 && !b->work_alike && !b->shared && !b->by_position && !b->keeps_input &&
           !b->once;
}

static const char *bad_plan(const struct strata_plan *plan)
{
    const struct strata_limits *l = &plan->limits;
    const struct strata_exchange *x = &plan->exchange;
    if (strata_plan_over_blocks(plan)) {
        return bad_blocks(plan);
    }
    if (!strata_collective_transposes(plan->collective)) {
        return "a plan over items is for an alltoall of some kind";
    }
    if (!no_blocks(&plan->blocks)) {
        return "a plan over items has no stores of blocks";
    }
    if (x->lane_items < 0 || x->lane_messages < 0) {
        return "room for less than no message";
    }
    if (l->passes < 1 || x->lanes < 0 || (x->staged && x->lanes == 0)) {
        return "no pass, or no lane where there must be one";
    }
    if (l->threshold > 0 && (l->slice == 0 || (l->threshold - 1) / l->slice >= (size_t)l->passes)) {
        return "its passes do not carry blocks up to the threshold";
    }
    if (x->exposes && !x->staged) {
        return "it lends blocks without node memory";
    }
    if (!x->staged && x->lanes > 0 &&
        (x->lanes > 1 || plan->topology->nodes < plan->topology->ranks)) {
        return "a plan that is not staged has one lane, and each rank is a node";
    }
    return NULL;
}

/* Whether the engine reserves enough for what the steps post, which must be right. */
static bool reserves_enough(const struct strata_plan *plan)
{
    struct strata_plan again = *plan;
    const struct strata_posting *has = &plan->posting, *needs = &again.posting;
    if (!strata_plan_over_blocks(plan)) {
        return true;
    }
    again.posting = (struct strata_posting){0};
    strata_posting_find(&again);
    return has->messages >= needs->messages && has->items >= needs->items &&
           has->split_items >= needs->split_items && has->typed_items >= needs->typed_items;
}

static int check_call_shape(const struct checker *k, int call)
{
    const bool again = call > 0 && k->calls[call].plans == k->calls[call - 1].plans;
    for (int r = 0; r < k->ranks; r++) {
        const struct strata_plan *plan = k->calls[call].plans[r];
        if (!plan || plan->rank != r || !plan->topology || plan->topology->ranks != k->ranks) {
            return bad(k, call, r, "no plan of this rank among so many ranks");
        }
        if (!same_statistics(plan, k->calls[call].plans[0]) ||
            !same_nodes(plan->topology, k->calls[call].plans[0]->topology)) {
            return bad(k, call, r, "other limits, exchange, blocks or nodes than rank 0");
        }
        const char *what = bad_plan(plan);
        if (what) {
            return bad(k, call, r, what);
        }
        int status = check_steps(k, call, r);
        if (status) {
            return status;
        }
        if (!again && !reserves_enough(plan)) {
            return bad(k, call, r, "posts more than it makes room for");
        }
    }
    return STRATA_OK;
}

int strata_check_shape(const struct checker *k)
{
    for (int c = 0; c < k->ncalls; c++) {
        int status = check_call_shape(k, c);
        if (status) {
            return status;
        }
        if (k->calls[c].plans[0]->exchange.staged &&
            !same_nodes(k->nodes, k->calls[c].plans[0]->topology)) {
            return bad(k, c, 0, "other nodes than in the staged calls before");
        }
    }
    return STRATA_OK;
}
