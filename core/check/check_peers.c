/* Blocks that members of a node expose to each other. Local peers read them where they lie, from
 * the owner's first signal on. The owner ends its call when all members have left it, so that none
 * reads the blocks any more. Before that, it may write an exposed block that lies under its output,
 * or in its work store, when the members that read the block have done so. */
#include "core/base/memory.h"
#include "core/check/check_blocks.h"

/* When each member last read a block that the owner exposes: by store, block and member. */
static int32_t *reads_of(const struct checker *k, const struct check_rank *owner, int store,
                         int block)
{
    int blocks = plan_of(owner)->blocks.count;
    int row = (store == STRATA_PEER_WORK ? blocks : 0) + block;
    return owner->peer_read + (ptrdiff_t)row * k->nodes->largest;
}

int strata_check_peers_begin(struct checker *k, struct check_rank *me)
{
    const struct strata_blocks *blocks = &plan_of(me)->blocks;
    me->exposed = -1;
    me->peer_read = NULL;
    if (blocks->exposes) {
        size_t rows = 2 * (size_t)blocks->count;
        me->peer_read = strata_allocate(rows * (size_t)k->nodes->largest, sizeof(*me->peer_read));
        return me->peer_read ? STRATA_OK : STRATA_ERR_MEMORY;
    }
    return STRATA_OK;
}

void strata_check_expose_nothing(const struct checker *k, struct check_rank *me)
{
    me->exposed = -1;
    me->departed = false;
    for (int m = 0; k->nodes && m < k->nodes->largest; m++) {
        me->lent_read[m] = me->told[m] = me->took[m] = 0;
    }
}

void strata_check_expose(struct check_rank *me)
{
    if ((plan_of(me)->blocks.exposes || plan_of(me)->exchange.exposes) && me->exposed < 0) {
        me->exposed = me->clock[me->position];
    }
}

/* Finds the owner's block; NULL: an input block that is not kept. */
static int exposed_block(struct checker *k, struct check_rank *me, struct check_rank *owner,
                         struct check_location exposed, struct check_block **block)
{
    const struct strata_plan *plan = plan_of(owner);
    enum strata_held held = strata_input_of(plan->collective, owner->rank, plan->root);
    int first = plan->blocks.work_first, count = plan->blocks.count;
    int work = (exposed.index - first + count) % count;
    if (exposed.store == STRATA_PEER_WORK && work < plan->blocks.work) {
        *block = &owner->work[work];
        return STRATA_OK;
    }
    if (exposed.store == STRATA_PEER_INPUT && check_has(held, owner->rank, exposed.index)) {
        *block = strata_check_block(k, owner, (struct check_location){STRATA_INPUT, exposed.index});
        return STRATA_OK;
    }
    return strata_check_fail(k, me, "reads block %d of %s of rank %d, which has none",
                             exposed.index, strata_store_word((enum strata_store)exposed.store),
                             owner->rank);
}

static int read_block(struct checker *k, struct check_rank *me, struct check_rank *owner,
                      struct check_location exposed, struct check_value *value)
{
    struct check_block *block = NULL;
    int status = exposed_block(k, me, owner, exposed, &block);
    if (status) {
        return status;
    }
    if (block && block->written > me->clock[owner->position]) {
        return strata_check_race(k, me, "reads what is lent", owner->position, block->written);
    }
    if (block && block->received == owner->stage) {
        return strata_check_fail(k, me, "reads block %d of rank %d while it is received there",
                                 exposed.index, owner->rank);
    }
    *value = block ? block->value : strata_check_leaf(k, owner->call, owner->rank, exposed.index);
    return value->a ? STRATA_OK
                    : strata_check_fail(k, me,
                                        "reads block %d of %s of rank %d, where nothing was "
                                        "written",
                                        exposed.index,
                                        strata_store_word((enum strata_store)exposed.store),
                                        owner->rank);
}

/* Notes my read of an exposed block. The owner must have said where it lies before. */
int strata_check_read_exposed(struct checker *k, struct check_rank *me, struct check_rank *owner)
{
    if (owner->call != me->call || owner->exposed < 0) {
        return strata_check_fail(k, me, "rank %d has not lent anything in this call", owner->rank);
    }
    owner->lent_read[k->nodes->local_of[me->rank]] = me->clock[me->position];
    return owner->exposed > me->clock[owner->position]
               ? strata_check_race(k, me, "reads what is lent", owner->position, owner->exposed)
               : STRATA_OK;
}

int strata_check_peer_read(struct checker *k, struct check_rank *me, struct check_location place,
                           struct check_value *value)
{
    const struct strata_topology *t = k->nodes;
    int count = plan_of(me)->blocks.count, node = t->node_of[me->rank];
    struct check_rank *owner = &k->rank[strata_topology_rank(t, node, place.index / count)];
    struct check_location exposed = {place.store, place.index % count};
    int status = strata_check_read_exposed(k, me, owner);
    if (status || owner == me) {
        return status ? status : strata_check_fail(k, me, "borrows from itself");
    }
    reads_of(k, owner, place.store, exposed.index)[t->local_of[me->rank]] = me->clock[me->position];
    return read_block(k, me, owner, exposed, value);
}

int strata_check_exposed_write(struct checker *k, struct check_rank *me,
                               struct check_location place)
{
    const struct strata_blocks *blocks = &plan_of(me)->blocks;
    bool work = place.store == STRATA_WORK;
    if (!blocks->exposes || (!work && !(place.store == STRATA_OUTPUT && me->in_place))) {
        return STRATA_OK;
    }
    int block = work ? (blocks->work_first + place.index) % blocks->count : place.index;
    return strata_check_all_before(
        k, me, "writes what it lends",
        reads_of(k, me, work ? STRATA_PEER_WORK : STRATA_PEER_INPUT, block));
}

int strata_check_exposed_end(struct checker *k, struct check_rank *me)
{
    return is_staged(me)
               ? strata_check_all_before(k, me, "ends a call in which it lends", me->lent_read)
               : STRATA_OK;
}
