/* Direct blocks that members of a node expose to each other.
 *
 * In plans over items a rank takes a block as soon as its owner is there, at the latest where
 * direct messages are waited for, and says so. The owner ends the call when all of its own blocks
 * have been taken, or the members that they are for have left.
 *
 * In plans over blocks only the root has such blocks, or gets them. They are taken when the steps
 * are done, and their owner ends the call when all members have left it. */
#include "core/check/check_blocks.h"

/* Whether the block is drawn to be direct in my call, and is exposed. */
static bool is_direct(const struct checker *k, const struct check_rank *me, int source,
                      int destination)
{
    const struct strata_plan *plan = plan_of(me);
    bool gathers = strata_collective_info[plan->collective].root == 'o';
    bool can_be = !over_blocks(me) || (gathers ? destination : source) == plan->root;
    return can_be && strata_plan_exposes_to(plan, source == me->rank ? destination : source) &&
           strata_check_block_direct(k, me->call, source, destination);
}

/* The owner looks for the note in the slot of its last pass. The note gives no other order, because
 * the counts decide which blocks are direct, and a plan may not build on that. */
int strata_check_say_taken(struct checker *k, struct check_rank *me, struct check_rank *owner)
{
    int32_t *told = &owner->told[k->nodes->local_of[me->rank]];
    if (me->cursor.pass + 1 == plan_of(me)->limits.passes && *told == 0) {
        *told = me->clock[me->position];
    }
    return strata_check_tick(k, me);
}

/* Takes a block. The plan must be ready for it whether it is drawn to be direct or not. */
static int take_from(struct checker *k, struct check_rank *me, struct check_rank *owner)
{
    struct strata_box mine = strata_box_item(k->ranks, me->position);
    int p = owner->position, status = strata_check_slot_read(k, me, p);
    status = status ? status : strata_check_slot_holds(k, me, p, (struct strata_set){&mine, 1, 0});
    if (status || !is_direct(k, me, owner->rank, me->rank)) {
        return status;
    }
    me->took[k->nodes->local_of[owner->rank]] = 1;
    status = strata_check_read_exposed(k, me, owner);
    return status ? status : strata_check_say_taken(k, me, owner);
}

int strata_check_direct_taken(struct checker *k, struct check_rank *me)
{
    const struct strata_topology *t = plan_of(me)->topology;
    int node = t->node_of[me->rank], status = STRATA_OK;
    int end = plan_of(me)->exchange.exposes ? t->first[node + 1] : 0;
    for (int p = t->first[node]; p < end && !status; p++) {
        if (!me->took[p - t->first[node]]) {
            status = take_from(k, me, &k->rank[t->rank_at[p]]);
        }
    }
    return status;
}

/* Takes a block early. The order that the owner's signal gives counts for this read alone: a plan
 * may not build on it, because there may be no such block. */
static int take_early(struct checker *k, struct check_rank *me, struct check_rank *owner,
                      const struct check_publication *here)
{
    int32_t *known = &me->clock[owner->position], before = *known;
    *known = here->clock[owner->position] > before ? here->clock[owner->position] : before;
    int status = take_from(k, me, owner);
    *known = before;
    return status ? status : CHECK_TOOK;
}

int strata_check_take_early(struct checker *k, struct check_rank *me)
{
    const struct strata_topology *t = plan_of(me)->topology;
    uint64_t stamp = strata_stamp(strata_check_epoch(me), STRATA_SIGNAL_ARRIVED);
    int node = t->node_of[me->rank], status = CHECK_BLOCKED;
    int end = plan_of(me)->exchange.exposes ? t->first[node + 1] : 0;
    for (int p = t->first[node]; p < end && status < STRATA_OK; p++) {
        struct check_rank *owner = &k->rank[t->rank_at[p]];
        const struct check_publication *here = strata_check_published(me, owner, stamp);
        if (here && !me->took[p - t->first[node]] && is_direct(k, me, owner->rank, me->rank)) {
            status = take_early(k, me, owner, here);
        }
    }
    return status;
}

int strata_check_long_taken(struct checker *k, struct check_rank *me)
{
    int status = STRATA_OK;
    for (int rank = 0; plan_of(me)->exchange.exposes && rank < k->ranks && !status; rank++) {
        if (is_direct(k, me, rank, me->rank)) {
            status = strata_check_read_exposed(k, me, &k->rank[rank]);
            status = status ? status : strata_check_slot_read(k, me, k->rank[rank].position);
        }
    }
    return status;
}

bool strata_check_direct_exposed(const struct checker *k, const struct check_rank *me)
{
    bool exposed = false;
    for (int rank = 0; plan_of(me)->exchange.exposes && rank < k->ranks && !exposed; rank++) {
        exposed = is_direct(k, me, me->rank, rank);
    }
    return exposed;
}

/* The time until which the member may have read its direct block, for all that I know; 0: it may
 * still read. */
static int32_t done_at(const struct checker *k, const struct check_rank *me, int m)
{
    const struct strata_topology *t = k->nodes;
    int position = t->first[t->node_of[me->rank]] + m;
    uint64_t epoch = me->ring[strata_check_ring(me)].epoch;
    const struct check_publication *left =
        strata_check_published(me, &k->rank[t->rank_at[position]], strata_stamp(epoch, 0));
    return me->told[m] ? me->told[m] : left ? left->clock[position] : 0;
}

int strata_check_told(struct checker *k, struct check_rank *me)
{
    const struct strata_topology *t = k->nodes;
    int node = is_staged(me) ? t->node_of[me->rank] : 0;
    int end = plan_of(me)->exchange.exposes ? strata_topology_node_size(t, node) : 0;
    for (int m = 0; m < end; m++) {
        if (is_direct(k, me, me->rank, strata_topology_rank(t, node, m)) &&
            done_at(k, me, m) == 0) {
            return CHECK_BLOCKED;
        }
    }
    for (int m = 0; m < end; m++) {
        if (me->lent_read[m] > done_at(k, me, m)) {
            return strata_check_race(k, me, "ends a call in which it lends", t->first[node] + m,
                                     me->lent_read[m]);
        }
    }
    return STRATA_OK;
}
