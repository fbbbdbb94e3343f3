/* Runs steps on lane tables: which entry holds which item. */
#include "core/check/check_internal.h"

static int my_node(const struct check_rank *me)
{
    return topology_of(me)->node_of[me->rank];
}

static struct check_table *table_at(struct checker *k, const struct check_rank *me, int lane)
{
    return is_staged(me) ? &k->staged[my_node(me) * k->staged_lanes + lane] : &k->flat[me->rank];
}

int strata_check_table_find(struct checker *k, struct check_rank *me, int lane,
                            struct check_table **table)
{
    *table = table_at(k, me, lane);
    if ((*table)->call == me->call && (*table)->pass == me->cursor.pass) {
        return STRATA_OK;
    }
    return strata_check_fail(k, me, "the table of lane %d is not indexed in pass %d", lane,
                             me->cursor.pass);
}

static int must_lead(const struct checker *k, const struct check_rank *me, int lane)
{
    const struct strata_topology *t = topology_of(me);
    int leader = strata_lane_leader(t, my_node(me), lane);
    return leader == t->local_of[me->rank]
               ? STRATA_OK
               : strata_check_fail(k, me,
                                   "lane %d is led by member %d of the node, not by member %d",
                                   lane, leader, t->local_of[me->rank]);
}

int strata_check_slot_holds(struct checker *k, struct check_rank *me, int owner,
                            struct strata_set set)
{
    struct check_slot *slot = strata_check_slot(k, me, owner);
    struct strata_set_iterator it;
    struct strata_run run;
    if (slot->call != me->call || slot->pass != me->cursor.pass) {
        return strata_check_fail(k, me, "rank %d has not filled its slot for pass %d of this call",
                                 k->nodes->rank_at[owner], me->cursor.pass);
    }
    if (slot->filled == k->ranks) {
        return STRATA_OK;
    }
    for (strata_set_begin(&it, set); strata_set_next(&it, &run);) {
        for (int p = run.first; p < run.first + run.count; p++) {
            if (!slot->holds[p]) {
                return strata_check_fail(k, me,
                                         "the slot of rank %d does not hold the block of rank %d",
                                         k->nodes->rank_at[owner], k->nodes->rank_at[p]);
            }
        }
    }
    return STRATA_OK;
}

/* Whether the slot holds the blocks for the lane's destinations. */
static int slot_holds_lane(struct checker *k, struct check_rank *me, int owner, int lane)
{
    const struct strata_topology *t = topology_of(me);
    int lanes = plan_of(me)->exchange.lanes;
    int status = strata_check_slot_holds(k, me, owner, (struct strata_set){0});
    if (status || strata_check_slot(k, me, owner)->filled == k->ranks) {
        return status;
    }
    for (int node = 0; node < t->nodes; node++) {
        for (int turn = lane; turn < strata_topology_node_size(t, node); turn += lanes) {
            struct strata_box box =
                strata_box_item(t->ranks, t->first[node] + strata_topology_in_turn(t, node, turn));
            if ((status = strata_check_slot_holds(k, me, owner, (struct strata_set){&box, 1, 0}))) {
                return status;
            }
        }
    }
    return STRATA_OK;
}

/* Reads items by reference, which lie in the slots of my node's members. */
static int read_slots(struct checker *k, struct check_rank *me, int lane)
{
    const struct strata_topology *t = topology_of(me);
    int node = my_node(me), status = STRATA_OK;
    for (int owner = t->first[node]; owner < t->first[node + 1] && !status; owner++) {
        status = strata_check_slot_read(k, me, owner);
        status = status ? status : slot_holds_lane(k, me, owner, lane);
    }
    return status;
}

int strata_check_index(struct checker *k, struct check_rank *me, const struct strata_step *step)
{
    struct check_table *table = table_at(k, me, step->lane);
    int nodes = topology_of(me)->nodes, node = my_node(me);
    int status = must_lead(k, me, step->lane);
    if (!status && me->open_head >= 0) {
        status = strata_check_fail(k, me, "indexes a table while messages are open");
    }
    status = status ? status : strata_check_landing_open(k, me);
    if (!status && is_staged(me)) {
        status = read_slots(k, me, step->lane);
    }
    if (status || (status = strata_check_landing_write(k, me, step->lane))) {
        return status;
    }
    table->call = me->call;
    table->pass = me->cursor.pass;
    table->items = table->messages = 0;
    for (int distance = 0; distance < nodes; distance++) {
        int symbol = node * nodes + (node + distance) % nodes;
        table->entry[distance] = symbol << ENTRY_BITS | ENTRY_REFERENCE;
    }
    return STRATA_OK;
}

/* Takes the symbols of a message's items. A message of lengths leaves the items where they are. */
static int take_symbols(const struct checker *k, const struct check_rank *me, int32_t *entry,
                        const struct check_message *m, int *seen)
{
    int mark = strata_check_part(k, m) == STRATA_LENGTHS ? 0 : ENTRY_SENT;
    struct strata_set_iterator it;
    struct strata_run run;
    int32_t *to = m->symbols;
    for (strata_set_begin(&it, m->set); strata_set_next(&it, &run);) {
        for (int i = run.first; i < run.first + run.count; i++) {
            int32_t value = entry[i];
            if ((value & (ENTRY_PENDING | ENTRY_SENT)) == (ENTRY_PENDING | ENTRY_SENT)) {
                return strata_check_fail(k, me,
                                         "sends item %d before the message that brings it was "
                                         "waited for",
                                         i);
            }
            *seen |= value;
            *to++ = value >> ENTRY_BITS;
            entry[i] = value | mark;
        }
    }
    return STRATA_OK;
}

/* Sends items. An entry for which a receive is posted still holds its old item, which may leave
 * once, because the rounds of SLOAV post the receive first. */
int strata_check_send_items(struct checker *k, struct check_rank *me,
                            const struct strata_step *step)
{
    struct check_table *table;
    int32_t message;
    int seen = 0, status = must_lead(k, me, step->lane);
    if (status || (status = strata_check_table_find(k, me, step->lane, &table)) ||
        (status = strata_check_landing_read(k, me, step->lane)) ||
        (status = strata_check_message_new(k, me, step, true, &message))) {
        return status;
    }
    struct strata_set set = k->messages[message].set = strata_cursor_set(&me->cursor);
    int64_t count = strata_set_count(set);
    if ((status = strata_check_message_symbols(k, message, count)) ||
        (status = take_symbols(k, me, table->entry, &k->messages[message], &seen))) {
        return status;
    }
    if ((seen & ENTRY_REFERENCE) && is_staged(me) && step->how != STRATA_LENGTHS &&
        (status = read_slots(k, me, step->lane))) {
        return status;
    }
    return strata_check_message_post(k, me, STRATA_LANE_TRAFFIC, step->peer, message);
}

static int mark_pending(const struct checker *k, const struct check_rank *me,
                        struct check_table *table, struct strata_set set)
{
    struct strata_set_iterator it;
    struct strata_run run;
    for (strata_set_begin(&it, set); strata_set_next(&it, &run);) {
        for (int i = run.first; i < run.first + run.count; i++) {
            if (table->entry[i] & ENTRY_PENDING) {
                return strata_check_fail(k, me,
                                         "receives item %d again before the last message that "
                                         "brings it was waited for",
                                         i);
            }
            table->entry[i] |= ENTRY_PENDING;
        }
        table->items += run.count;
    }
    return STRATA_OK;
}

/* Checks that the landing has room for the items and messages of this pass. */
static int must_fit(const struct checker *k, const struct check_rank *me,
                    const struct check_table *table)
{
    const struct strata_exchange *x = &plan_of(me)->exchange;
    return table->items <= x->lane_items && table->messages <= x->lane_messages
               ? STRATA_OK
               : strata_check_fail(
                     k, me,
                     "receives %lld items in %lld messages in a pass; the exchange has "
                     "room for %lld in %lld",
                     (long long)table->items, (long long)table->messages, (long long)x->lane_items,
                     (long long)x->lane_messages);
}

int strata_check_recv_items(struct checker *k, struct check_rank *me,
                            const struct strata_step *step)
{
    struct check_table *table;
    int32_t message;
    int status = must_lead(k, me, step->lane);
    if (status || (status = strata_check_table_find(k, me, step->lane, &table)) ||
        (status = strata_check_landing_write(k, me, step->lane)) ||
        (status = strata_check_message_new(k, me, step, false, &message))) {
        return status;
    }
    struct strata_set set = k->messages[message].set = strata_cursor_set(&me->cursor);
    status = step->how == STRATA_DATA ? strata_check_data(k, me, step, message) : STRATA_OK;
    if (!status && step->how != STRATA_LENGTHS) {
        status = mark_pending(k, me, table, set);
    }
    table->messages += step->how != STRATA_DATA; /* lengths and data count as one */
    if (status || (status = must_fit(k, me, table))) {
        return status;
    }
    if (me->open_head < 0) {
        me->open_head = message;
    } else {
        k->messages[me->open_tail].next_open = message;
    }
    me->open_tail = message;
    return strata_check_message_post(k, me, STRATA_LANE_TRAFFIC, step->peer, message);
}

/* Sets the entries of a received message to the sender's entries. */
static void land(struct check_table *table, const struct check_message *m)
{
    struct strata_set_iterator it;
    struct strata_run run;
    const int32_t *from = m->symbols;
    for (strata_set_begin(&it, m->set); strata_set_next(&it, &run);) {
        for (int i = run.first; i < run.first + run.count; i++) {
            table->entry[i] = *from++ << ENTRY_BITS;
        }
    }
}

/* Processes all my lane receives, which are complete and waited for. */
int strata_check_items_arrived(struct checker *k, struct check_rank *me)
{
    int status = STRATA_OK;
    while (me->open_head >= 0 && !status) {
        int32_t message = me->open_head;
        struct check_message *m = &k->messages[message];
        me->open_head = m->next_open;
        strata_check_join(k, me, m->clock);
        status = strata_check_landing_write(k, me, m->lane);
        if (strata_check_part(k, m) == STRATA_LENGTHS) {
            strata_check_lengths(k, me, message);
            continue;
        }
        status = status ? status : strata_check_data_arrived(k, me, message);
        land(table_at(k, me, m->lane), m);
        strata_check_message_free(k, message);
    }
    return status;
}

/* Some of my lane receives may have completed. The contents of their entries are not certain until
 * all are waited for, so they may not leave any more. */
void strata_check_uncertain(struct checker *k, const struct check_rank *me)
{
    struct strata_set_iterator it;
    struct strata_run run;
    for (int32_t i = me->open_head; i >= 0; i = k->messages[i].next_open) {
        struct check_table *table = table_at(k, me, k->messages[i].lane);
        if (strata_check_part(k, &k->messages[i]) == STRATA_LENGTHS) {
            continue;
        }
        for (strata_set_begin(&it, k->messages[i].set); strata_set_next(&it, &run);) {
            for (int entry = run.first; entry < run.first + run.count; entry++) {
                table->entry[entry] |= ENTRY_SENT;
            }
        }
    }
}
