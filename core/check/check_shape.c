/* What can be seen to be wrong before anything runs: plans that do not belong together, and steps
 * that name what is not there. The rest of the checker indexes by what was looked at here. */
#include "core/check/check_internal.h"

/* Everything about a step kind that its shape depends on. */
enum space { NO_SET, RANKS, NODES };

struct shape {
    bool staged; /* needs node memory */
    bool lane;   /* names a lane */
    bool rank;   /* its peer is a rank */
    bool member; /* its peer is a member of my node */
    bool blocks; /* of plans over blocks only */
    enum space space;
};

static const struct shape shape_of[STRATA_STEP_COUNT] = {
    [STRATA_STEP_DIRECT] = {.space = RANKS},
    [STRATA_STEP_COPY_IN] = {.staged = true, .space = RANKS},
    [STRATA_STEP_SIGNAL] = {.staged = true},
    [STRATA_STEP_AWAIT] = {.staged = true, .member = true},
    [STRATA_STEP_INDEX] = {.lane = true},
    [STRATA_STEP_RECV] = {.lane = true, .rank = true, .space = NODES},
    [STRATA_STEP_SEND] = {.lane = true, .rank = true, .space = NODES},
    [STRATA_STEP_SEND_BLOCKS] = {.blocks = true},
    [STRATA_STEP_RECV_BLOCKS] = {.blocks = true},
    [STRATA_STEP_COPY] = {.blocks = true},
    [STRATA_STEP_REDUCE] = {.blocks = true},
    [STRATA_STEP_COPY_OUT] = {.lane = true, .member = true, .space = RANKS},
};

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

static const char *bad_set(const struct strata_plan *plan, int set, enum space space)
{
    const struct strata_topology *t = plan->topology;
    if (set < 0 || set >= plan->nsets) {
        return "names a set that the plan does not have";
    }
    const struct strata_plan_set *s = &plan->sets[set];
    if (s->first_box < 0 || s->nboxes < 1 || s->first_box > plan->nboxes - s->nboxes) {
        return "its set has boxes that the plan does not have";
    }
    for (int i = s->first_box; i < s->first_box + s->nboxes; i++) {
        if (!strata_box_valid(&plan->boxes[i])) {
            return "its set has a box out of bounds";
        }
        if (plan->boxes[i].space != (space == NODES ? t->nodes : t->ranks)) {
            return space == NODES ? "its set is not one of nodes" : "its set is not one of ranks";
        }
    }
    return NULL;
}

static const char *bad_peer(const struct strata_plan *plan, const struct strata_step *step)
{
    const struct strata_topology *t = plan->topology;
    const struct shape *s = &shape_of[step->op];
    if (s->rank && (step->peer < 0 || step->peer >= t->ranks)) {
        return "its peer is no rank";
    }
    int members = strata_topology_node_size(t, t->node_of[plan->rank]);
    bool all = step->op == STRATA_STEP_AWAIT && step->peer == STRATA_ALL_MEMBERS;
    return s->member && !all && (step->peer < 0 || step->peer >= members)
               ? "its peer is no member of the node"
               : NULL;
}

static const char *bad_fields(const struct strata_plan *plan, const struct strata_step *step)
{
    const struct shape *s = &shape_of[step->op];
    bool signal = step->op == STRATA_STEP_SIGNAL || step->op == STRATA_STEP_AWAIT;
    if (strata_plan_over_blocks(plan)) {
        const char *what = strata_check_bad_block_step(plan, step);
        if (what) {
            return what;
        }
    } else if (s->blocks) {
        return "a plan over items has no such step";
    }
    if (s->staged && !plan->exchange.staged) {
        return "needs node memory, but the plan is not staged";
    }
    if (s->lane && (step->lane < 0 || step->lane >= plan->exchange.lanes)) {
        return "its lane is none of the exchange";
    }
    if (signal && (step->count < STRATA_SIGNAL_ARRIVED || step->count > STRATA_SIGNAL_DONE)) {
        return "its signal is unknown";
    }
    if (step->op == STRATA_STEP_WAIT && step->count < 0) {
        return "waits until less than none are open";
    }
    const char *peer = bad_peer(plan, step);
    return peer || s->space == NO_SET ? peer : bad_set(plan, step->set, s->space);
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
        const char *what = bad_fields(plan, step);
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
        same = a->node_of[r] == b->node_of[r] && a->local_of[r] == b->local_of[r];
    }
    return same;
}

static bool same_figures(const struct strata_plan *a, const struct strata_plan *b)
{
    return a->collective == b->collective && a->limits.threshold == b->limits.threshold &&
           a->limits.slice == b->limits.slice && a->limits.passes == b->limits.passes &&
           a->exchange.lanes == b->exchange.lanes && a->exchange.staged == b->exchange.staged &&
           a->exchange.lane_items == b->exchange.lane_items &&
           a->exchange.lane_messages == b->exchange.lane_messages && a->root == b->root &&
           a->blocks.count == b->blocks.count && a->blocks.shared == b->blocks.shared &&
           a->keeps_order == b->keeps_order;
}

static const char *bad_plan(const struct strata_plan *plan)
{
    const struct strata_limits *l = &plan->limits;
    const struct strata_exchange *x = &plan->exchange;
    if (strata_plan_over_blocks(plan)) {
        return strata_check_bad_blocks(plan);
    }
    if (l->passes < 1 || x->lanes < 0 || (x->staged && x->lanes == 0)) {
        return "no pass, or no lane where there must be one";
    }
    if (l->threshold > 0 && (l->slice == 0 || (l->threshold - 1) / l->slice >= (size_t)l->passes)) {
        return "its passes do not carry blocks up to the threshold";
    }
    if (!x->staged && x->lanes > 0 &&
        (x->lanes > 1 || plan->topology->nodes < plan->topology->ranks)) {
        return "a plan that is not staged has one lane, and each rank is a node";
    }
    return NULL;
}

static int check_call_shape(const struct checker *k, int call)
{
    for (int r = 0; r < k->ranks; r++) {
        const struct strata_plan *plan = k->calls[call].plans[r];
        if (!plan || plan->rank != r || !plan->topology || plan->topology->ranks != k->ranks) {
            return bad(k, call, r, "no plan of this rank among so many ranks");
        }
        if (!same_figures(plan, k->calls[call].plans[0]) ||
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
