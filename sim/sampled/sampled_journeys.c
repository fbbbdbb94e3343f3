/* Follows a block's journey back from where it must arrive: which step wrote it there, from which
 * place, which rank sent it, and so on to an input. Only the plans of the ranks on its way are
 * built. */
#include "sim/sampled/sampled_walk.h"

/* The state of the search: the content of `element` on the plan's rank before step `before`. */
struct place {
    struct strata_plan *plan;
    struct strata_element element;
    int64_t before;
};

struct journey {
    struct strata_sampling *s;
    int error;
    struct strata_sampled_proof *proof;
    struct place here;
    int hops;
    int64_t travelled; /* items: nodes */
    int64_t steps;     /* looked at */
    bool given_up;
};

/* The most hops of a journey: some blocks go around a ring of a million ranks, whose plans have as
 * many steps. */
enum { MOST_HOPS = 1024, MOST_STEPS = 20000000 };

static bool lost(struct journey *j, const char *what)
{
    if (!*j->proof->wrong.text) {
        strata_say(&j->proof->wrong, "%d messages back, at rank %d: %s", j->hops,
                   j->here.plan ? j->here.plan->rank : -1, what);
    }
    return false;
}

/* Goes to another rank's plan. */
static bool move_to(struct journey *j, int rank)
{
    struct strata_plan *plan = NULL;
    if ((j->error = j->s->plan(j->s->self, rank, &plan)) != STRATA_OK) {
        return lost(j, "the next rank has no plan");
    }
    strata_plan_destroy(j->here.plan);
    j->here.plan = plan;
    j->here.before = INT64_MAX;
    return true;
}

/* To the sender of a message, unless the way is too long. */
static bool hop(struct journey *j, int sender, int64_t steps)
{
    j->steps += 2 * steps + 1;
    j->given_up = ++j->hops > MOST_HOPS || j->steps > MOST_STEPS;
    return !j->given_up && move_to(j, sender);
}

/* The last action before `before` that writes the element; at = -1: none. `waited`: all messages
 * were waited for between it and there. */
struct writer {
    struct strata_met met;
    int64_t place;
    bool waited;
};

static struct writer find_writer(const struct place *here)
{
    struct strata_look look;
    const struct strata_action *a;
    struct writer w = {.met = {.at = -1}, .place = -1};
    strata_look_begin(&look, here->plan);
    while ((a = strata_look_next(&look)) && look.at < here->before) {
        w.waited = w.waited || strata_action_ends_stage(a);
        int64_t place = strata_action_writes(a) ? strata_element_find(a->set, here->element) : -1;
        if (place >= 0) {
            w = (struct writer){{*a, look.at, 0}, place, false};
        }
    }
    return w;
}

/* Goes on at the sender of the received block, at the time of sending. */
static bool follow_message(struct journey *j, const struct writer *w)
{
    struct strata_met sent;
    int receiver = j->here.plan->rank, sender = w->met.action.peer;
    int ordinal = strata_message_ordinal(j->here.plan, &w->met.action, w->met.at);
    int64_t place = w->place;
    if (!w->waited) {
        return lost(j, "a block is used before the wait for its message");
    }
    if (!hop(j, sender, w->met.at)) {
        return false;
    }
    if (!strata_find_message(j->here.plan, STRATA_ACT_SEND, receiver, ordinal, &sent) ||
        !strata_element_at(sent.action.set, place, &j->here.element)) {
        return lost(j, "it did not send what was received");
    }
    j->here.before = sent.at;
    return true;
}

/* A block in the node's memory that its reader did not write: one of the node's members did. */
static bool find_peer(struct journey *j)
{
    const struct strata_topology *t = j->here.plan->topology;
    int node = t->node_of[j->here.plan->rank], me = t->local_of[j->here.plan->rank], found = -1;
    struct place there = {.element = j->here.element, .before = INT64_MAX};
    for (int m = 0; m < strata_topology_node_size(t, node); m++) {
        int rank = strata_topology_rank(t, node, m);
        if (m == me || (j->error = j->s->plan(j->s->self, rank, &there.plan)) != STRATA_OK) {
            continue;
        }
        if (find_writer(&there).met.at >= 0) {
            found = found >= 0 ? -2 : rank;
        }
        strata_plan_destroy(there.plan);
    }
    return found >= 0 ? move_to(j, found)
                      : lost(j, found == -1 ? "no member of its node wrote this"
                                            : "several members of its node wrote this");
}

/* The root of a bcast has one buffer, which is both. */
static bool is_input(const struct place *here)
{
    int store = here->element.store;
    bool root = here->plan->collective == STRATA_BCAST && here->plan->rank == here->plan->root;
    return store == STRATA_INPUT || store == STRATA_INPUT_AT || (root && store == STRATA_OUTPUT);
}

/* Back to an input. Where operands are combined, one of the two sides is followed, by lot. */
static bool follow_block(struct journey *j)
{
    for (;;) {
        struct writer w = find_writer(&j->here);
        if (w.met.at < 0 && is_input(&j->here)) {
            return true;
        }
        if (w.met.at < 0 && strata_store_of_node(j->here.element.store)) {
            if (!find_peer(j)) {
                return false;
            }
            continue;
        }
        if (w.met.at < 0) {
            return lost(j, "nothing was written there");
        }
        if (w.met.action.kind == STRATA_ACT_RECV) {
            if (!follow_message(j, &w)) {
                return false;
            }
            continue;
        }
        j->here.before = w.met.at;
        bool stays = w.met.action.kind == STRATA_ACT_COMBINE && strata_draw(&j->s->state, 2);
        if (!stays && !strata_element_at(w.met.action.from, w.place, &j->here.element)) {
            return lost(j, "a copy has fewer blocks to read than to write");
        }
    }
}

/* Whether the input that was found is one that the output may come from. */
static bool right_origin(const struct journey *j, int rank, int block)
{
    const struct strata_plan *plan = j->here.plan;
    const struct strata_collective_info *info = &strata_collective_info[plan->collective];
    int number = strata_block_number(plan, j->here.element.store, j->here.element.index);
    if (strata_collective_transposes(plan->collective)) {
        return plan->rank == block && number == rank;
    }
    bool owner = info->input == STRATA_ONE ? plan->rank == block
                 : info->root == 'i'       ? plan->rank == plan->root
                                           : true;
    bool before = info->result == STRATA_UP_TO_ME    ? plan->rank <= rank
                  : info->result == STRATA_BEFORE_ME ? plan->rank < rank
                                                     : true;
    return number == block && owner && before;
}

/* The output block of the rank that is followed; -1: it has none. */
static int draw_block(struct strata_sampling *s, const struct strata_plan *plan)
{
    enum strata_held held = strata_output_of(plan->collective, plan->rank, plan->root);
    bool none =
        held == STRATA_NONE ||
        (strata_collective_info[plan->collective].result == STRATA_BEFORE_ME && plan->rank == 0);
    return none ? -1 : held == STRATA_ONE ? plan->rank : strata_draw(&s->state, plan->blocks.count);
}

/* For a result that lies once in the node, the place where the rank reads it: a vector in the slot
 * of the member that it waits for, or else in its own. */
static struct strata_element read_once(const struct strata_plan *plan, int block)
{
    const struct strata_topology *t = plan->topology;
    int member = t->local_of[plan->rank];
    if (plan->blocks.shared) {
        return (struct strata_element){STRATA_SHARED, strata_topology_position(t, block)};
    }
    for (int i = 0; i < plan->nsteps; i++) {
        member = plan->steps[i].op == STRATA_STEP_AWAIT ? plan->steps[i].peer : member;
    }
    return (struct strata_element){STRATA_SLOT, member * plan->blocks.count + block};
}

/* Begins at the output block, which the plan writes by number or, in a node-aware plan, by
 * position. The block that the root of a bcast has is not written. */
static void begin_at_output(struct journey *j, int block)
{
    const struct strata_topology *t = j->here.plan->topology;
    struct place at = j->here;
    if (j->here.plan->blocks.once) {
        j->here.element = read_once(j->here.plan, block);
        return;
    }
    if (strata_collective_info[j->here.plan->collective].ranked) {
        at.element = (struct strata_element){STRATA_OUTPUT_AT, strata_topology_position(t, block)};
        if (find_writer(&at).met.at >= 0) {
            j->here.element = at.element;
            return;
        }
    }
    j->here.element = (struct strata_element){STRATA_OUTPUT, block};
}

static bool prove_block(struct journey *j, int rank)
{
    int block = draw_block(j->s, j->here.plan);
    if (block < 0) {
        return true;
    }
    begin_at_output(j, block);
    if (!follow_block(j)) {
        return false;
    }
    j->proof->journeys++;
    return right_origin(j, rank, block) || lost(j, "this is not the block that must arrive");
}

/* Items: the last receive on the lane that brings the entry and was waited for before `before`:
 * until then the table has the entry's former item. */
static struct strata_met find_receive(const struct place *here, int lane, int entry)
{
    struct strata_look look;
    const struct strata_action *a;
    struct strata_met open = {.at = -1}, there = {.at = -1};
    strata_look_begin(&look, here->plan);
    while ((a = strata_look_next(&look)) && look.at < here->before) {
        if (strata_action_ends_stage(a) && open.at >= 0) {
            there = open;
        }
        if (a->kind == STRATA_ACT_RECV && a->step->lane == lane && a->step->how != STRATA_LENGTHS &&
            strata_set_contains(a->set, entry)) {
            open = (struct strata_met){*a, look.at, 0};
        }
    }
    return there;
}

static int distance(const struct strata_topology *t, int from, int to)
{
    return (int)(((int64_t)t->node_of[to] - t->node_of[from] + t->nodes) % t->nodes);
}

static bool follow_item(struct journey *j, int lane, int entry)
{
    for (;;) {
        struct strata_met sent;
        struct strata_met received = find_receive(&j->here, lane, entry);
        if (received.at < 0) {
            return true;
        }
        int receiver = j->here.plan->rank, sender = received.action.peer;
        int ordinal = strata_message_ordinal(j->here.plan, &received.action, received.at);
        j->travelled += distance(j->here.plan->topology, sender, receiver);
        if (!hop(j, sender, received.at)) {
            return false;
        }
        if (!strata_find_message(j->here.plan, STRATA_ACT_SEND, receiver, ordinal, &sent) ||
            sent.action.step->lane != lane || !strata_set_contains(sent.action.set, entry)) {
            return lost(j, "it did not send what was received");
        }
        j->here.before = sent.at;
    }
}

static bool takes_in(struct journey *j, int source, int rank)
{
    struct strata_met copied;
    if (!move_to(j, source)) {
        return false;
    }
    const struct strata_topology *t = j->here.plan->topology;
    return !j->here.plan->exchange.staged ||
           (strata_find_step(j->here.plan, STRATA_STEP_COPY, &copied) &&
            strata_set_contains(copied.action.set, strata_topology_position(t, rank))) ||
           lost(j, "the source does not put its block into its slot");
}

/* From the copy out of the destination to the copy in of the source. */
static bool prove_item(struct journey *j, int rank)
{
    const struct strata_topology *t = j->here.plan->topology;
    int source = strata_draw(&j->s->state, t->ranks), entry = distance(t, source, rank);
    struct strata_met out;
    if (!strata_find_step(j->here.plan, STRATA_STEP_COPY_OUT, &out) ||
        !strata_set_contains(out.action.set, strata_topology_position(t, source))) {
        return lost(j, "it does not copy the block of the source out");
    }
    int lane = out.action.step->lane;
    int leader = strata_topology_rank(t, t->node_of[rank], out.action.step->peer);
    bool right = leader == rank || move_to(j, leader);
    right = right && (entry == 0 || follow_item(j, lane, entry));
    if (right &&
        (j->travelled != entry || (entry > 0 && distance(t, source, j->here.plan->rank)))) {
        right = lost(j, "the item did not begin at the node of its source");
    }
    j->proof->journeys += right;
    return right && takes_in(j, source, rank);
}

/* Nothing is stored by a barrier, and direct blocks go straight from rank to rank: all of them in
 * plans without lanes. */
static bool has_journeys(const struct strata_sampling *s, const struct strata_plan *plan)
{
    bool staged = plan->exchange.lanes > 0 && !s->direct;
    return plan->collective != STRATA_BARRIER && (strata_plan_over_blocks(plan) || staged);
}

static bool one_journey(struct journey *j, int rank)
{
    if (!move_to(j, rank)) {
        return false;
    }
    if (!has_journeys(j->s, j->here.plan)) {
        return true;
    }
    return strata_plan_over_blocks(j->here.plan) ? prove_block(j, rank) : prove_item(j, rank);
}

int strata_sampled_journeys(struct strata_sampling *s, struct strata_sampled_proof *proof)
{
    for (int i = 0; i < s->ranks; i++) {
        struct journey j = {.s = s, .proof = proof};
        bool right = one_journey(&j, s->rank[i]);
        proof->hops += j.hops;
        strata_plan_destroy(j.here.plan);
        proof->given_up += j.given_up;
        if (!right && !j.given_up) {
            return j.error ? j.error : STRATA_ERR_PLAN;
        }
    }
    return STRATA_OK;
}
