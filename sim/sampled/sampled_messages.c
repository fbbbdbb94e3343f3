/* Messages and counts of sampled ranks: every message has its counterpart in the other end's plan,
 * and their number is that of the closed formula. */
#include <math.h>

#include <string.h>

#include "sim/sampled/sampled_walk.h"

/* Most messages of a rank that are looked at: of plans with as many steps as ranks, few. */
enum { MOST_MESSAGES = 256, LONG_PLAN = 10000, OF_LONG_PLAN = 8 };

/* The same boxes, in stores that number blocks alike. */
static bool same_boxes(const struct strata_plan *a, const struct strata_plan *b,
                       struct strata_set in_a, struct strata_set in_b)
{
    return a->blocks.work_first == b->blocks.work_first &&
           a->blocks.work_alike == b->blocks.work_alike && in_a.nboxes == in_b.nboxes &&
           in_a.shift == in_b.shift &&
           (in_a.nboxes == 0 ||
            memcmp(in_a.boxes, in_b.boxes, (size_t)in_a.nboxes * sizeof *in_a.boxes) == 0);
}

static bool same_elements(const struct strata_plan *a, const struct strata_plan *b,
                          struct strata_set in_a, struct strata_set in_b)
{
    struct strata_element_walk walk_a, walk_b;
    struct strata_element x, y;
    bool named = !strata_plan_over_blocks(a) || !strata_collective_transposes(a->collective);
    if (same_boxes(a, b, in_a, in_b)) {
        return true;
    }
    if (strata_set_count(in_a) != strata_set_count(in_b)) {
        return false;
    }
    strata_elements_begin(&walk_a, in_a);
    strata_elements_begin(&walk_b, in_b);
    while (named && strata_elements_next(&walk_a, &x) && strata_elements_next(&walk_b, &y)) {
        if (strata_block_number(a, x.store, x.index) != strata_block_number(b, y.store, y.index)) {
            return false;
        }
    }
    return true;
}

static bool meets(const struct strata_plan *a, const struct strata_plan *b,
                  const struct strata_met *met)
{
    struct strata_met other;
    const struct strata_action *mine = &met->action, *theirs = &other.action;
    return strata_find_message(b, mine->kind == STRATA_ACT_SEND ? STRATA_ACT_RECV : STRATA_ACT_SEND,
                               a->rank, met->ordinal, &other) &&
           mine->step->lane == theirs->step->lane &&
           (mine->unit != STRATA_UNIT_ITEMS || mine->step->how == theirs->step->how) &&
           same_elements(a, b, mine->set, theirs->set);
}

/* A message against the other end's plan. */
static int one_message(struct strata_sampling *s, const struct strata_plan *plan,
                       const struct strata_met *met, struct strata_sampled_proof *proof)
{
    struct strata_plan *other = NULL;
    int peer = met->action.peer, error = s->plan(s->self, peer, &other);
    if (error) {
        return error;
    }
    bool right = meets(plan, other, met);
    strata_plan_destroy(other);
    proof->messages += right;
    return right ? STRATA_OK
                 : strata_fail(&proof->wrong, STRATA_ERR_PLAN,
                               "message %d of rank %d %s rank %d does not meet its like there",
                               met->ordinal, plan->rank,
                               met->action.kind == STRATA_ACT_SEND ? "for" : "from", peer);
}

static int64_t count_messages(const struct strata_plan *plan)
{
    struct strata_look look;
    const struct strata_action *a;
    int64_t messages = 0;
    for (strata_look_begin(&look, plan); (a = strata_look_next(&look));) {
        messages += strata_action_posts(a);
    }
    return messages;
}

static int match_rank(struct strata_sampling *s, const struct strata_plan *plan,
                      struct strata_sampled_proof *proof)
{
    struct strata_look look;
    const struct strata_action *a;
    int64_t all = count_messages(plan);
    int most = plan->nsteps > LONG_PLAN || all > LONG_PLAN ? OF_LONG_PLAN : MOST_MESSAGES;
    int error = STRATA_OK;
    strata_look_begin(&look, plan);
    while (!error && (a = strata_look_next(&look))) {
        if (strata_action_posts(a) &&
            (all <= most || strata_draw(&s->state, (int)(all / most) + 1) == 0)) {
            struct strata_met met = {*a, look.at, strata_message_ordinal(plan, a, look.at)};
            error = one_message(s, plan, &met, proof);
        }
    }
    return error;
}

int strata_sampled_messages(struct strata_sampling *s, struct strata_sampled_proof *proof)
{
    int error = STRATA_OK;
    for (int i = 0; i < s->ranks && !error; i++) {
        struct strata_plan *plan = NULL;
        error = s->plan(s->self, s->rank[i], &plan);
        if (!error) {
            error = match_rank(s, plan, proof);
            strata_plan_destroy(plan);
        }
    }
    return error;
}

/* The messages that a rank sends in the first pass. */
struct sent {
    int64_t messages, blocks; /* lengths that go ahead of their items are not counted */
};

static struct sent count_sent(const struct strata_plan *plan)
{
    struct strata_look look;
    const struct strata_action *a;
    struct sent sent = {0, 0};
    for (strata_look_begin(&look, plan); (a = strata_look_next(&look));) {
        if (a->kind == STRATA_ACT_SEND && a->step->how != STRATA_LENGTHS) {
            sent.blocks += strata_set_count(a->set);
            sent.messages++;
        }
    }
    return sent;
}

/* On lanes: the counts of the exchange, for each lane that the rank leads. */
static bool lanes_agree(const struct strata_plan *plan, struct sent sent)
{
    const struct strata_topology *t = plan->topology;
    const struct strata_exchange *e = &plan->exchange;
    int turn = t->turn_of[plan->rank];
    int size = strata_topology_node_size(t, t->node_of[plan->rank]);
    int led = turn < e->lanes ? (e->lanes - turn + size - 1) / size : 0;
    return sent.blocks == led * e->lane_items && sent.messages == led * e->lane_messages;
}

/* Plans over blocks: no more than the busiest rank. Volumes of vectors are in vectors. */
static bool formula_agrees(const struct strata_plan *plan, struct sent sent,
                           const struct strata_formula *formula)
{
    bool ranked = strata_collective_info[plan->collective].ranked;
    double blocks = (double)sent.blocks / (ranked ? 1 : plan->blocks.count);
    return (double)sent.messages <= formula->messages + 1e-6 &&
           blocks <= formula->blocks * (1 + 1e-9) + 1e-6;
}

int strata_sampled_counts(struct strata_sampling *s, struct strata_sampled_proof *proof)
{
    for (int i = 0; i < s->ranks; i++) {
        struct strata_plan *plan = NULL;
        int error = s->plan(s->self, s->rank[i], &plan);
        if (error) {
            return error;
        }
        bool items = !strata_plan_over_blocks(plan), right = true;
        if (items && plan->exchange.lane_messages > 0) {
            proof->counted = true;
            right = lanes_agree(plan, count_sent(plan));
        } else if (!items && s->formula) {
            proof->counted = true;
            right = formula_agrees(plan, count_sent(plan), s->formula);
        }
        strata_plan_destroy(plan);
        if (!right) {
            return strata_fail(&proof->wrong, STRATA_ERR_PLAN,
                               "rank %d sends other messages than the formula says", s->rank[i]);
        }
    }
    return STRATA_OK;
}
