/* Runs each kind of step on symbols. */
#include "core/check/check_blocks.h"

static int run_direct(struct checker *k, struct check_rank *me, const struct strata_step *step,
                      int distance)
{
    int32_t message;
    int from = (me->rank - distance + k->ranks) % k->ranks, to = (me->rank + distance) % k->ranks;
    int status = strata_check_deliver_distance(k, me, distance);
    if (!status && distance > 0 && distance < me->direct_last) {
        status = strata_check_fail(k, me,
                                   "moves direct blocks at distance %d after those at %d: in place "
                                   "they are saved in the order of distances",
                                   distance, me->direct_last);
    }
    me->direct_last = distance > me->direct_last ? distance : me->direct_last;
    if (status || distance == 0) {
        return status;
    }
    me->unwaited[STRATA_DIRECT_TRAFFIC] = true;
    bool receives = !strata_plan_exposes_to(plan_of(me), from);
    if (receives && strata_check_block_direct(k, me->call, from, me->rank)) {
        status = strata_check_message_new(k, me, step, false, &message);
        status = status ? status
                        : strata_check_message_post(k, me, STRATA_DIRECT_TRAFFIC, from, message);
    }
    bool sends = !strata_plan_exposes_to(plan_of(me), to);
    if (!status && sends && strata_check_block_direct(k, me->call, me->rank, to)) {
        status = strata_check_message_new(k, me, step, true, &message);
        status =
            status ? status : strata_check_message_post(k, me, STRATA_DIRECT_TRAFFIC, to, message);
    }
    return status;
}

int strata_check_direct(struct checker *k, struct check_rank *me, const struct strata_step *step)
{
    struct strata_set_iterator it;
    struct strata_run run;
    int status = STRATA_OK;
    for (strata_set_begin(&it, strata_cursor_set(&me->cursor)); strata_set_next(&it, &run);) {
        for (int d = run.first; d < run.first + run.count && !status; d++) {
            status = run_direct(k, me, step, d);
        }
    }
    return status;
}

static int fill_position(struct checker *k, struct check_rank *me, struct check_slot *slot,
                         int position)
{
    if (slot->holds[position]) {
        return strata_check_fail(k, me, "copies in the block for rank %d for the second time",
                                 k->nodes->rank_at[position]);
    }
    slot->holds[position] = 1;
    slot->filled++;
    return STRATA_OK;
}

/* In place a direct block that is taken lies over one that goes out, and a member may take blocks
 * whenever it waits for a signal. The first direct step saves all blocks that go out. */
static int must_have_saved(const struct checker *k, const struct check_rank *me, const char *what)
{
    return over_blocks(me) || !plan_of(me)->exchange.exposes || me->direct_last >= 0
               ? STRATA_OK
               : strata_check_fail(k, me, "%s before a direct step has saved them", what);
}

static int copy_in(struct checker *k, struct check_rank *me, const struct strata_step *step)
{
    struct strata_set set = strata_cursor_set(&me->cursor);
    struct strata_set_iterator it;
    struct strata_run run;
    struct check_slot *slot = strata_check_slot(k, me, me->position);
    int status = must_have_saved(k, me, "lends direct blocks");
    status = status ? status : strata_check_slot_open(k, me);
    (void)step;
    if (status) {
        return status;
    }
    if (!strata_check_same_items(strata_cursor_from(&me->cursor), set)) {
        return strata_check_fail(k, me, "copies blocks in to the places of other ones");
    }
    strata_check_expose(me);
    status = strata_check_slot_write(k, me, me->position);
    if (slot->call != me->call || slot->pass != me->cursor.pass) {
        slot->call = me->call;
        slot->pass = me->cursor.pass;
        slot->filled = 0;
        for (int p = 0; p < k->ranks; p++) {
            slot->holds[p] = 0;
        }
    }
    for (strata_set_begin(&it, set); strata_set_next(&it, &run);) {
        for (int p = run.first; p < run.first + run.count && !status; p++) {
            status = fill_position(k, me, slot, p);
        }
    }
    return status;
}

int strata_check_copy(struct checker *k, struct check_rank *me, const struct strata_step *step)
{
    return (over_blocks(me) ? strata_check_blocks_copy : copy_in)(k, me, step);
}

static bool of_items(const struct check_rank *me)
{
    return strata_set_is_of_items(strata_cursor_set(&me->cursor));
}

int strata_check_send_blocks(struct checker *k, struct check_rank *me,
                             const struct strata_step *step)
{
    return (of_items(me) ? strata_check_send_items : strata_check_blocks_send)(k, me, step);
}

int strata_check_recv_blocks(struct checker *k, struct check_rank *me,
                             const struct strata_step *step)
{
    return (of_items(me) ? strata_check_recv_items : strata_check_blocks_recv)(k, me, step);
}

/* Notes the writes that go with a leader's DONE: the agreed sizes and its status, in each of its
 * lanes. */
static int write_led_lanes(struct checker *k, struct check_rank *me)
{
    const struct strata_topology *t = topology_of(me);
    int turn = t->turn_of[me->rank], status = STRATA_OK;
    int members = strata_topology_node_size(t, t->node_of[me->rank]);
    for (int lane = turn; lane < plan_of(me)->exchange.lanes && !status; lane += members) {
        status = strata_check_landing_write(k, me, lane);
    }
    return status;
}

int strata_check_signal(struct checker *k, struct check_rank *me, const struct strata_step *step)
{
    uint64_t stamp = strata_stamp(strata_check_epoch(me), (unsigned)step->count);
    const struct check_ring *ring = &me->ring[strata_check_ring(me)];
    if (ring->npublished && ring->published[ring->npublished - 1].stamp >= stamp) {
        return strata_check_fail(k, me, "publishes signal %d again or after a later one",
                                 step->count);
    }
    int status = strata_check_slot_open(k, me);
    if (!status && step->count == STRATA_SIGNAL_DONE) {
        status = write_led_lanes(k, me);
    }
    if (!status && step->count != STRATA_SIGNAL_ARRIVED) {
        status = strata_check_hear_all(k, me);
    }
    if (!status && over_blocks(me)) {
        strata_check_expose(me);
        status = strata_check_say_lengths(k, me);
    }
    return status ? status : strata_check_publish(k, me, stamp);
}

int strata_check_await(struct checker *k, struct check_rank *me, const struct strata_step *step)
{
    const struct strata_topology *t = topology_of(me);
    int node = t->node_of[me->rank];
    struct strata_awaited of = strata_awaited_by(plan_of(me), step);
    uint64_t stamp = strata_stamp(strata_check_epoch(me), (unsigned)step->count);
    int status = must_have_saved(k, me, "may take direct blocks over its own");
    if (status) {
        return status;
    }
    for (int m = of.first; m < of.end; m++) {
        if (!strata_check_published(me, &k->rank[strata_topology_rank(t, node, m)], stamp)) {
            return over_blocks(me) ? CHECK_BLOCKED : strata_check_take_early(k, me);
        }
    }
    for (int m = of.first; m < of.end; m++) {
        strata_check_join(
            k, me,
            strata_check_published(me, &k->rank[strata_topology_rank(t, node, m)], stamp)->clock);
    }
    bool all = strata_await_hears_all(step);
    if (!all && step->peer != t->local_of[me->rank]) {
        strata_check_hear_one(me);
    }
    return all ? strata_check_hear_all(k, me) : STRATA_OK;
}

/* A wait that lets some messages stay open bounds how many are open, but does not say that any
 * particular message is complete. Entries change for certain, and order is gained, only by a wait
 * that lets none stay open. */
int strata_check_wait(struct checker *k, struct check_rank *me, const struct strata_step *step)
{
    enum strata_traffic kind = step->direct ? STRATA_DIRECT_TRAFFIC : STRATA_LANE_TRAFFIC;
    if (me->incomplete[kind] > step->count) {
        return CHECK_BLOCKED;
    }
    if (kind == STRATA_LANE_TRAFFIC && me->requests > step->count) {
        me->requests = step->count;
    }
    if (step->count > 0) {
        if (kind == STRATA_LANE_TRAFFIC && !over_blocks(me)) {
            strata_check_uncertain(k, me);
        }
        return STRATA_OK;
    }
    me->unwaited[kind] = false;
    if (kind == STRATA_DIRECT_TRAFFIC) {
        return strata_check_direct_taken(k, me);
    }
    return over_blocks(me) ? strata_check_blocks_arrived(k, me) : strata_check_items_arrived(k, me);
}

/* Reads the entry that must hold the item from the source's node to mine. */
static int read_entry(struct checker *k, struct check_rank *me, const struct check_table *table,
                      int source)
{
    const struct strata_topology *t = topology_of(me);
    int from = t->node_of[source], to = t->node_of[me->rank];
    int distance = (to - from + t->nodes) % t->nodes;
    int32_t value = table->entry[distance];
    int symbol = value >> ENTRY_BITS;
    if (value & ENTRY_PENDING) {
        return strata_check_fail(
            k, me, "reads item %d before the message that brings it was waited for", distance);
    }
    return symbol == from * t->nodes + to
               ? STRATA_OK
               : strata_check_fail(
                     k, me,
                     "expects in entry %d the item from node %d to node %d, finds the one "
                     "from node %d to node %d",
                     distance, from, to, symbol / t->nodes, symbol % t->nodes);
}

/* Reads the slots of my lane's members, whose expected lengths give my place in an item. */
static int read_lane_peers(struct checker *k, struct check_rank *me, const struct strata_step *step)
{
    const struct strata_topology *t = topology_of(me);
    int node = t->node_of[me->rank], lanes = plan_of(me)->exchange.lanes, status = STRATA_OK;
    for (int i = step->lane; i < strata_topology_node_size(t, node) && !status; i += lanes) {
        int position = t->first[node] + strata_topology_in_turn(t, node, i);
        status = strata_check_slot_read(k, me, position);
        status = status ? status
                        : strata_check_slot_holds(k, me, position, strata_cursor_set(&me->cursor));
    }
    return status;
}

static int must_be_mine(const struct checker *k, const struct check_rank *me,
                        const struct strata_step *step)
{
    const struct strata_topology *t = topology_of(me);
    int node = t->node_of[me->rank], lane = t->turn_of[me->rank] % plan_of(me)->exchange.lanes;
    int leader = strata_lane_leader(t, node, step->lane);
    return step->lane == lane && step->peer == leader
               ? STRATA_OK
               : strata_check_fail(k, me,
                                   "copies out of lane %d of member %d; its own lane is %d, which "
                                   "member %d leads",
                                   step->lane, step->peer, lane, strata_lane_leader(t, node, lane));
}

/* In place, the block from `source` overwrites the block for it, which must have been packed
 * before. In staged plans it was, when the slots of my lane's members were filled. */
static int must_have_left(const struct checker *k, const struct check_rank *me,
                          const struct check_table *table, int source)
{
    int32_t value = table->entry[(source - me->rank + k->ranks) % k->ranks];
    return source == me->rank || !(value & ENTRY_REFERENCE) || (value & ENTRY_SENT)
               ? STRATA_OK
               : strata_check_fail(k, me,
                                   "copies out the block from rank %d before the one for it was "
                                   "sent: in place it would be lost",
                                   source);
}

static int copy_out_one(struct checker *k, struct check_rank *me, const struct check_table *table,
                        int position)
{
    const struct strata_topology *t = topology_of(me);
    int source = t->rank_at[position], status;
    if (!table || (is_staged(me) && t->node_of[source] == t->node_of[me->rank])) {
        struct strata_box mine = strata_box_item(t->ranks, me->position);
        status = strata_check_slot_read(k, me, position);
        status = status
                     ? status
                     : strata_check_slot_holds(k, me, position, (struct strata_set){&mine, 1, 0});
    } else {
        status = is_staged(me) ? STRATA_OK : must_have_left(k, me, table, source);
        status = status ? status : read_entry(k, me, table, source);
    }
    return status ? status : strata_check_deliver_slice(k, me, source);
}

/* A leader writes the agreed sizes and its status into its lanes when it signals DONE. */
static int must_be_done(const struct checker *k, const struct check_rank *me, int lane)
{
    const struct strata_topology *t = topology_of(me);
    int node = t->node_of[me->rank];
    int leader = strata_topology_rank(t, node, strata_lane_leader(t, node, lane));
    const struct check_publication *done = strata_check_published(
        me, &k->rank[leader], strata_stamp(strata_check_epoch(me), STRATA_SIGNAL_DONE));
    int position = k->rank[leader].position;
    return done && done->clock[position] <= me->clock[position]
               ? STRATA_OK
               : strata_check_fail(k, me,
                                   "copies out of lane %d, whose leader has not said that it is "
                                   "done, as far as is known here",
                                   lane);
}

/* Reads what every copy_out of a staged plan reads, whatever its set: the lengths that my lane's
 * members expect, and the agreed sizes, which lie in my lane's table or else in the slots. */
static int read_shared(struct checker *k, struct check_rank *me, const struct strata_step *step)
{
    const struct strata_topology *t = topology_of(me);
    int node = t->node_of[me->rank];
    int status = read_lane_peers(k, me, step);
    if (status || t->nodes > 1) {
        status = status ? status : strata_check_landing_read(k, me, step->lane);
        return status ? status : must_be_done(k, me, step->lane);
    }
    for (int p = t->first[node]; p < t->first[node + 1] && !status; p++) {
        status = strata_check_slot_read(k, me, p);
    }
    return status;
}

int strata_check_copy_out(struct checker *k, struct check_rank *me, const struct strata_step *step)
{
    struct strata_set_iterator it;
    struct strata_run run;
    struct check_table *table = NULL;
    bool alone = is_staged(me) && topology_of(me)->nodes == 1; /* all blocks come from slots */
    int status = must_be_mine(k, me, step);
    status = status || !is_staged(me) ? status : read_shared(k, me, step);
    status = status || alone ? status : strata_check_table_find(k, me, step->lane, &table);
    for (strata_set_begin(&it, strata_cursor_set(&me->cursor)); strata_set_next(&it, &run);) {
        for (int p = run.first; p < run.first + run.count && !status; p++) {
            status = copy_out_one(k, me, table, p);
        }
    }
    return status;
}

int strata_check_step(struct checker *k, struct check_rank *me, const struct strata_step *step)
{
    static strata_check_one_step *const check[STRATA_STEP_COUNT] = {
#define STRATA_CHECK_ROW(id, word, ...) [STRATA_STEP_##id] = strata_check_##word,
        STRATA_RUN_STEP_TABLE(STRATA_CHECK_ROW)
#undef STRATA_CHECK_ROW
    };
    return check[step->op](k, me, step);
}
