/* Blocks in the node memory. A member's block lies in its slot, and is written by the member itself
 * or by a scatter's root. Blocks of other nodes lie in the landing, and are written by the member
 * that receives them. A slot is opened anew in each epoch: the first write comes after all earlier
 * reads of the slot, and its writer alone writes there. */
#include <string.h>

#include "core/base/memory.h"
#include "core/check/check_blocks.h"

static bool is_peer(const struct checker *k, const struct check_rank *me, int position)
{
    int node = k->nodes->node_of[me->rank];
    return position >= k->nodes->first[node] && position < k->nodes->first[node + 1];
}

static struct check_landing *landing_of(struct checker *k, const struct check_rank *me)
{
    return &k->landing[k->nodes->node_of[me->rank]];
}

/* Allocates the landing's memory when a block of it is first accessed. */
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

/* Where a block lies: in a slot (its position, and which block of the slot it is), or in the
 * landing (its position). */
struct cell_place {
    bool in_slot;
    int position, cell;
};

static struct cell_place cell_place(const struct checker *k, const struct check_rank *me,
                                    struct check_location place)
{
    const struct strata_blocks *blocks = &plan_of(me)->blocks;
    if (place.store == STRATA_SHARED) {
        return (struct cell_place){is_peer(k, me, place.index), place.index, 0};
    }
    int first = k->nodes->first[k->nodes->node_of[me->rank]];
    return (struct cell_place){true, first + place.index / blocks->count,
                               place.index % blocks->count % blocks->slot};
}

static struct check_cell *cell_of(struct checker *k, const struct check_rank *me,
                                  struct cell_place at)
{
    return &strata_check_slot(k, me, at.position)->cell[at.cell];
}

struct check_block *strata_check_node_block(struct checker *k, struct check_rank *me,
                                            struct check_location place)
{
    struct cell_place at = cell_place(k, me, place);
    return at.in_slot ? &cell_of(k, me, at)->block : &landing_of(k, me)->block[at.position].block;
}

/* Checks that a segment is named in the pass that moves it, when it lies in a slot. */
static int must_be_now(const struct checker *k, const struct check_rank *me,
                       struct check_location place)
{
    const struct strata_blocks *blocks = &plan_of(me)->blocks;
    int pass = blocks->slot > 0 ? place.index % blocks->count / blocks->slot : 0;
    return pass == me->cursor.pass || strata_plan_slices(plan_of(me))
               ? STRATA_OK
               : strata_check_fail(k, me, "names segment %d in pass %d, which pass %d moves",
                                   place.index % blocks->count, me->cursor.pass, pass);
}

static int read_slot(struct checker *k, struct check_rank *me, struct cell_place at)
{
    struct check_slot *slot = strata_check_slot(k, me, at.position);
    int status = strata_check_slot_read(k, me, at.position);
    if (!status && (slot->call != me->call || slot->pass != me->cursor.pass)) {
        return strata_check_fail(k, me, "rank %d has not filled its slot in this call",
                                 k->nodes->rank_at[at.position]);
    }
    return status ? status : strata_check_cell_read(k, me, at.position, cell_of(k, me, at));
}

static int read_landing(struct checker *k, struct check_rank *me, int position)
{
    int status = open_landing(k, me);
    status = status ? status : strata_check_landing_block(k, me, position, false);
    const struct check_landed *landed = status ? NULL : &landing_of(k, me)->block[position];
    if (landed && !check_landed_now(landed, me)) {
        status = strata_check_fail(k, me, "nobody has received the block of rank %d in this call",
                                   k->nodes->rank_at[position]);
    }
    return status;
}

int strata_check_node_read(struct checker *k, struct check_rank *me, struct check_location place,
                           struct check_block **block)
{
    struct cell_place at = cell_place(k, me, place);
    int status = must_be_now(k, me, place);
    status = status ? status : at.in_slot ? read_slot(k, me, at) : read_landing(k, me, at.position);
    *block = status ? NULL : strata_check_node_block(k, me, place);
    return status;
}

static int open_slot(struct checker *k, struct check_rank *me, int position)
{
    struct check_slot *slot = strata_check_slot(k, me, position);
    slot->call = me->call;
    slot->pass = me->cursor.pass;
    slot->filled = 0;
    for (int i = 0; i < k->most_cells; i++) {
        struct check_cell *cell = &slot->cell[i];
        cell->block = (struct check_block){.value = {0, 0}};
        cell->written = 0;
        memset(cell->read, 0, (size_t)k->nodes->largest * sizeof(*cell->read));
    }
    return strata_check_slot_write(k, me, position);
}

/* Opens the slot if this is the first write there in this epoch. Its writer must be me. */
static int claim_slot(struct checker *k, struct check_rank *me, int position)
{
    const struct check_slot *slot = strata_check_slot(k, me, position);
    int status = STRATA_OK;
    if (slot->call != me->call || slot->pass != me->cursor.pass) {
        status = open_slot(k, me, position);
    }
    return status || slot->writer == me->position
               ? status
               : strata_check_fail(k, me, "writes into a slot, as rank %d does",
                                   k->nodes->rank_at[slot->writer]);
}

static int write_slot(struct checker *k, struct check_rank *me, struct cell_place at)
{
    if (at.position != me->position && !strata_plan_root_writes(plan_of(me))) {
        return strata_check_fail(k, me, "writes into the slot of rank %d",
                                 k->nodes->rank_at[at.position]);
    }
    int status = claim_slot(k, me, at.position);
    return status ? status : strata_check_cell_write(k, me, cell_of(k, me, at));
}

int strata_check_say_lengths(struct checker *k, struct check_rank *me)
{
    const int node = k->nodes->node_of[me->rank];
    const int end = strata_says_of_all(plan_of(me)) ? k->nodes->first[node + 1] : 0;
    int status = STRATA_OK;
    for (int p = k->nodes->first[node]; p < end && !status; p++) {
        status = claim_slot(k, me, p);
    }
    return status;
}

static int write_landing(struct checker *k, struct check_rank *me, int position)
{
    int status = open_landing(k, me);
    return status ? status : strata_check_landing_block(k, me, position, true);
}

int strata_check_node_write(struct checker *k, struct check_rank *me, struct check_location place,
                            struct check_block **block)
{
    struct cell_place at = cell_place(k, me, place);
    int status = must_be_now(k, me, place);
    status = status       ? status
             : at.in_slot ? write_slot(k, me, at)
                          : write_landing(k, me, at.position);
    *block = status ? NULL : strata_check_node_block(k, me, place);
    return status;
}
