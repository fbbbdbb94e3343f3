/* Finds mistakes of a step that can be seen before anything runs, by the row of its kind
 * (core/plan/step_kinds.h). */
#include "core/check/check_internal.h"

static bool has(const struct strata_step *step, enum strata_step_field field)
{
    return strata_step_has(step->op, field);
}

/* The number of blocks in a store; -1: it is no store of blocks. */
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
        return plan->blocks.shared ? plan->topology->ranks : -1;
    case STRATA_SLOT:
        return plan->blocks.slot > 0 ? strata_slot_store(plan) : -1;
    case STRATA_PEER_INPUT:
    case STRATA_PEER_WORK:
        return plan->blocks.exposes ? strata_peer_store(plan, store) : -1;
    default:
        return -1;
    }
}

/* The space that a box of the field's set must have in a plan over items. */
static int32_t space_of(const struct strata_plan *plan, const struct strata_step *step,
                        enum strata_step_field field, int store)
{
    if (field == STRATA_HAS_RANKS) {
        return plan->topology->ranks;
    }
    enum strata_store only = strata_items_store(step, field == STRATA_HAS_FROM);
    return store == (int)only ? strata_items_in(plan, only) : -1;
}

/* Sets of blocks may be empty, sets of items may not. */
static const char *bad_set(const struct strata_plan *plan, const struct strata_step *step,
                           enum strata_step_field field)
{
    static const char *const not_one[] = {
        [STRATA_HAS_RANKS] = "its set is not one of ranks",
        [STRATA_HAS_BLOCKS] = "its set is not one of blocks of the plan's stores",
        [STRATA_HAS_FROM] = "its set is not one of blocks of the plan's stores",
    };
    bool writes = field == STRATA_HAS_BLOCKS && strata_step_act(step) != STRATA_ACT_SEND;
    int index = field == STRATA_HAS_FROM ? step->from : step->set;
    if (index < 0 || index >= plan->nsets) {
        return "names a set that the plan does not have";
    }
    const struct strata_plan_set *s = &plan->sets[index];
    bool blocks = field != STRATA_HAS_RANKS && strata_plan_over_blocks(plan);
    int least = blocks ? 0 : 1;
    if (s->first_box < 0 || s->nboxes < least || s->first_box > plan->nboxes - s->nboxes) {
        return "its set has boxes that the plan does not have";
    }
    for (int i = s->first_box; i < s->first_box + s->nboxes; i++) {
        const struct strata_box *box = &plan->boxes[i];
        if (!strata_box_valid(box)) {
            return "its set has a box out of bounds";
        }
        if (box->space !=
            (blocks ? store_size(plan, box->store) : space_of(plan, step, field, box->store))) {
            return not_one[field];
        }
        if (writes && (box->store == STRATA_INPUT || box->store == STRATA_INPUT_AT)) {
            return "writes the input";
        }
    }
    return NULL;
}

/* The landing belongs to the large ring. */
static const char *bad_landing(const struct strata_plan *plan, const struct strata_step *step)
{
    bool lands = has(step, STRATA_HAS_BLOCKS) &&
                 strata_plan_in_landing(plan, strata_plan_set_of(plan, step, 0));
    lands = lands || (has(step, STRATA_HAS_FROM) &&
                      strata_plan_in_landing(plan, strata_plan_from_of(plan, step, 0)));
    return lands && plan->blocks.ring != STRATA_LARGE_RING
               ? "names blocks in the landing, which belongs to the large ring"
               : NULL;
}

/* Exposed blocks may only be copied and combined. */
static const char *bad_peers(const struct strata_plan *plan, const struct strata_step *step)
{
    return has(step, STRATA_HAS_BLOCKS) && strata_set_is_of_peers(strata_plan_set_of(plan, step, 0))
               ? "writes or sends what another member lends"
               : NULL;
}

static const char *bad_how(const struct strata_plan *plan, const struct strata_step *step)
{
    bool items = strata_set_is_of_items(strata_plan_set_of(plan, step, 0));
    return has(step, STRATA_HAS_HOW) && !strata_how_fits(step->how, items)
               ? "its blocks cannot travel so"
               : NULL;
}

static bool same_count(const struct strata_plan *plan, const struct strata_step *step)
{
    return strata_set_count(strata_plan_set_of(plan, step, 0)) ==
           strata_set_count(strata_plan_from_of(plan, step, 0));
}

static const char *bad_sets(const struct strata_plan *plan, const struct strata_step *step)
{
    static const enum strata_step_field fields[] = {STRATA_HAS_RANKS, STRATA_HAS_BLOCKS,
                                                    STRATA_HAS_FROM};
    const char *what = NULL;
    for (size_t i = 0; !what && i < sizeof fields / sizeof *fields; i++) {
        what = has(step, fields[i]) ? bad_set(plan, step, fields[i]) : NULL;
    }
    what = what ? what : bad_landing(plan, step);
    what = what ? what : bad_how(plan, step);
    what = what ? what : bad_peers(plan, step);
    return what || !has(step, STRATA_HAS_FROM) || same_count(plan, step)
               ? what
               : "reads more blocks than it writes, or fewer";
}

static const char *bad_peer(const struct strata_plan *plan, const struct strata_step *step)
{
    const struct strata_topology *t = plan->topology;
    int members = strata_topology_node_size(t, t->node_of[plan->rank]);
    bool all = has(step, STRATA_HAS_MEMBERS) && step->peer == STRATA_ALL_MEMBERS;
    bool member = has(step, STRATA_HAS_MEMBER) || has(step, STRATA_HAS_MEMBERS);
    if (has(step, STRATA_HAS_PEER) && (step->peer < 0 || step->peer >= t->ranks)) {
        return "its peer is no rank";
    }
    return member && !all && (step->peer < 0 || step->peer >= members)
               ? "its peer is no member of the node"
               : NULL;
}

/* Finds wrong numbers: lanes, signals, how many messages may stay open. */
static const char *bad_number(const struct strata_plan *plan, const struct strata_step *step)
{
    bool none = plan->exchange.lanes == 0 && has(step, STRATA_HAS_PEER) && step->lane == 0;
    if (has(step, STRATA_HAS_LANE) && !none &&
        (step->lane < 0 || step->lane >= plan->exchange.lanes)) {
        return "its lane is none of the exchange";
    }
    if (has(step, STRATA_HAS_SIGNAL) &&
        (step->count < STRATA_SIGNAL_ARRIVED || step->count > STRATA_SIGNAL_DONE)) {
        return "its signal is unknown";
    }
    if (has(step, STRATA_HAS_DIRECT) && step->direct && strata_plan_over_blocks(plan)) {
        return "a plan over blocks has no direct messages";
    }
    return has(step, STRATA_HAS_OPEN) && step->count < 0 ? "waits until less than none are open"
                                                         : NULL;
}

/* Finds steps that the plan cannot have at all. */
static const char *bad_kind(const struct strata_plan *plan, const struct strata_step *step)
{
    unsigned plans = strata_step_kind[step->op].plans;
    bool blocks = strata_plan_over_blocks(plan);
    if (!(plans & (blocks ? STRATA_OF_BLOCKS : STRATA_OF_ITEMS))) {
        return blocks ? "a plan over blocks has no such step"
                      : "a plan over items has no such step";
    }
    if ((plans & STRATA_NEED_STAGED) && !plan->exchange.staged) {
        return "needs node memory, but the plan is not staged";
    }
    return strata_step_act(step) == STRATA_ACT_COMBINE &&
                   !strata_collective_reduces(plan->collective)
               ? "the collective has no operator"
               : NULL;
}

const char *strata_check_bad_step(const struct strata_plan *plan, const struct strata_step *step)
{
    const char *what = bad_kind(plan, step);
    what = what ? what : bad_number(plan, step);
    what = what ? what : bad_peer(plan, step);
    return what ? what : bad_sets(plan, step);
}
