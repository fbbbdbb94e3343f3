/* Blocks in the node's memory: a member's in its slot, written by itself; those of other nodes in
 * the landing, written by whoever receives them. */
#include "core/base/memory.h"
#include "core/check/check_blocks.h"

static bool is_mate(const struct checker *k, const struct check_rank *me, int position)
{
    int node = k->nodes->node_of[me->rank];
    return position >= k->nodes->first[node] && position < k->nodes->first[node + 1];
}

static struct check_landing *landing_of(struct checker *k, const struct check_rank *me)
{
    return &k->landing[k->nodes->node_of[me->rank]];
}

/* The landing's memory, when a block of it is first touched. */
static int open_landing(struct checker *k, const struct check_rank *me)
{
    struct check_landing *landing = landing_of(k, me);
    int members = strata_topology_node_size(k->nodes, k->nodes->node_of[me->rank]);
    if (!landing->block) {
        landing->block = strata_allocate((size_t)k->ranks, sizeof(*landing->block));
        for (int p = 0; landing->block && p < k->ranks; p++) {
            landing->block[p].call = -1;
        }
    }
    if (!landing->read) {
        landing->read = strata_allocate((size_t)k->ranks * (size_t)members, sizeof(*landing->read));
    }
    return landing->block && landing->read ? STRATA_OK : STRATA_ERR_MEMORY;
}

struct check_block *strata_check_shared_block(struct checker *k, struct check_rank *me,
                                              int position)
{
    return is_mate(k, me, position) ? &strata_check_slot(k, me, position)->block
                                    : &landing_of(k, me)->block[position].block;
}

static int read_slot(struct checker *k, struct check_rank *me, int position)
{
    struct check_slot *slot = strata_check_slot(k, me, position);
    int status = strata_check_slot_read(k, me, position);
    if (!status && (slot->call != me->call || slot->pass != me->cursor.pass)) {
        status = strata_check_fail(k, me, "rank %d has not filled its slot in this call",
                                   k->nodes->rank_at[position]);
    }
    return status;
}

static int read_landing(struct checker *k, struct check_rank *me, int position)
{
    int status = open_landing(k, me);
    status = status ? status : strata_check_landing_block(k, me, position, false);
    if (!status && landing_of(k, me)->block[position].call != me->call) {
        status = strata_check_fail(k, me, "nobody has received the block of rank %d in this call",
                                   k->nodes->rank_at[position]);
    }
    return status;
}

int strata_check_shared_read(struct checker *k, struct check_rank *me, int position,
                             struct check_block **block)
{
    int status =
        is_mate(k, me, position) ? read_slot(k, me, position) : read_landing(k, me, position);
    *block = status ? NULL : strata_check_shared_block(k, me, position);
    return status;
}

static int write_slot(struct checker *k, struct check_rank *me, int position)
{
    struct check_slot *slot = strata_check_slot(k, me, me->position);
    if (position != me->position) {
        return strata_check_fail(k, me, "writes into the slot of rank %d",
                                 k->nodes->rank_at[position]);
    }
    if (slot->call != me->call || slot->pass != me->cursor.pass) {
        slot->call = me->call;
        slot->pass = me->cursor.pass;
        slot->filled = 0;
        slot->block = (struct check_block){.value = {0, 0}};
    }
    return strata_check_slot_write(k, me);
}

static int write_landing(struct checker *k, struct check_rank *me, int position)
{
    int status = open_landing(k, me);
    return status ? status : strata_check_landing_block(k, me, position, true);
}

int strata_check_shared_write(struct checker *k, struct check_rank *me, int position,
                              struct check_block **block)
{
    int status =
        is_mate(k, me, position) ? write_slot(k, me, position) : write_landing(k, me, position);
    *block = status ? NULL : strata_check_shared_block(k, me, position);
    return status;
}
