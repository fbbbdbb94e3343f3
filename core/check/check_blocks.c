/* The steps of plans over blocks, on symbols. */
#include "core/check/check_blocks.h"

#include "core/base/memory.h"

/* Keeps a message whose blocks are in use until the next wait for all. */
static int keep_open(struct check_rank *me, struct strata_set set, int32_t message)
{
    if (me->nopen == me->open_capacity) {
        int more = 2 * me->open_capacity + 8;
        struct check_open *open = strata_reallocate(me->open, (size_t)more, sizeof(*open));
        if (!open) {
            return STRATA_ERR_MEMORY;
        }
        me->open = open;
        me->open_capacity = more;
    }
    me->open[me->nopen++] = (struct check_open){set, message};
    return STRATA_OK;
}

/* Marks blocks that are sent from where they lie. They are in use too. */
static int mark_sent(struct checker *k, struct check_rank *me, struct strata_set set)
{
    struct check_walk walk;
    struct check_location place;
    for (check_walk_begin(&walk, set); check_walk_next(&walk, &place);) {
        strata_check_mark_sent(k, me, place);
    }
    return strata_set_is_of_node(set) ? keep_open(me, set, -1) : STRATA_OK;
}

int strata_check_blocks_send(struct checker *k, struct check_rank *me,
                             const struct strata_step *step)
{
    struct strata_set set = strata_cursor_set(&me->cursor);
    struct check_walk walk;
    struct check_location place;
    int32_t message;
    int64_t i = 0;
    int status = strata_check_message_new(k, me, step, true, &message);
    if (status || (status = strata_check_message_values(k, message, strata_set_count(set)))) {
        return status;
    }
    struct check_message *m = &k->messages[message];
    m->set = set;
    for (check_walk_begin(&walk, set); check_walk_next(&walk, &place) && !status;) {
        status = strata_check_read(k, me, place, &m->values[i++]);
    }
    if (!status && step->how != STRATA_PACKED) {
        status = mark_sent(k, me, set);
    }
    return status ? status
                  : strata_check_message_post(k, me, STRATA_LANE_TRAFFIC, step->peer, message);
}

/* Whether the set's blocks in my slot may be written. */
static int set_open(struct checker *k, struct check_rank *me, struct strata_set set)
{
    return strata_set_is_of_node(set) ? strata_check_slot_open(k, me) : STRATA_OK;
}

int strata_check_blocks_recv(struct checker *k, struct check_rank *me,
                             const struct strata_step *step)
{
    struct strata_set set = strata_cursor_set(&me->cursor);
    struct check_walk walk;
    struct check_location place;
    int32_t message;
    bool lands = strata_set_is_in(set, STRATA_SHARED);
    int status = lands ? strata_check_landing_open(k, me) : set_open(k, me, set);
    status = status ? status : strata_check_message_new(k, me, step, false, &message);
    if (status) {
        return status;
    }
    k->messages[message].set = set;
    for (check_walk_begin(&walk, set); check_walk_next(&walk, &place) && !status;) {
        status = strata_check_expect(k, me, place);
    }
    status = status ? status : keep_open(me, set, message);
    return status ? status
                  : strata_check_message_post(k, me, STRATA_LANE_TRAFFIC, step->peer, message);
}

/* Accesses a message's blocks in the node memory, which are in use up to this wait. */
static int touch_node(struct checker *k, struct check_rank *me, const struct check_open *open)
{
    struct check_walk walk;
    struct check_location place;
    struct check_block *block;
    int status = STRATA_OK;
    for (check_walk_begin(&walk, open->set); !status && check_walk_next(&walk, &place);) {
        if (strata_store_of_node(place.store)) {
            status = open->message < 0 ? strata_check_node_read(k, me, place, &block)
                                       : strata_check_node_write(k, me, place, &block);
        }
    }
    return status;
}

int strata_check_blocks_arrived(struct checker *k, struct check_rank *me)
{
    int status = STRATA_OK;
    for (int i = 0; i < me->nopen && !status; i++) {
        const struct check_open *open = &me->open[i];
        if (open->message >= 0) {
            strata_check_join(k, me, k->messages[open->message].clock);
        }
        status = strata_set_is_of_node(open->set) ? touch_node(k, me, open) : STRATA_OK;
        if (open->message >= 0) {
            strata_check_message_free(k, open->message);
        }
    }
    me->nopen = 0;
    me->stage = ++k->stages;
    return status;
}

/* Whether the two sets may share memory, as far as their stores tell. */
static bool may_overlap(const struct check_rank *me, struct strata_set a, struct strata_set b)
{
    static const int memory_of[STRATA_STORE_COUNT] = {
        [STRATA_INPUT] = 1, [STRATA_INPUT_AT] = 1, [STRATA_OUTPUT] = 2, [STRATA_OUTPUT_AT] = 2,
        [STRATA_WORK] = 3,  [STRATA_SHARED] = 4,   [STRATA_SLOT] = 4,
    };
    for (int i = 0; i < a.nboxes; i++) {
        for (int j = 0; j < b.nboxes; j++) {
            int one = memory_of[a.boxes[i].store], other = memory_of[b.boxes[j].store];
            if (one == other || (me->in_place && one + other == 3)) {
                return true;
            }
        }
    }
    return false;
}

/* Copying may go in chunks. So no block may be both read and written in a step, unless it is read
 * and written at the same index. */
static int must_not_cross(struct checker *k, struct check_rank *me, struct strata_set from,
                          struct strata_set into)
{
    struct check_walk walk;
    struct check_location place;
    int32_t order = 0;
    if (!may_overlap(me, from, into)) {
        return STRATA_OK;
    }
    k->copies++;
    for (check_walk_begin(&walk, from); check_walk_next(&walk, &place); order++) {
        struct check_block *block = strata_check_block(k, me, place);
        if (block) {
            block->step = k->copies;
            block->order = order;
        }
    }
    order = 0;
    for (check_walk_begin(&walk, into); check_walk_next(&walk, &place); order++) {
        struct check_block *block = strata_check_block(k, me, place);
        if (block && block->step == k->copies && block->order != order) {
            return strata_check_fail(k, me, "block %d of %s is read and written in one step",
                                     place.index,
                                     strata_store_word((enum strata_store)place.store));
        }
    }
    return STRATA_OK;
}

/* Whether a local peer's block is for the location that it is copied to. In alltoallv and alltoallw
 * it must be the block for me, and go where the output has the block from its owner. */
static bool exposed_to_me(const struct check_rank *me, struct check_location from,
                          struct check_location into)
{
    const struct strata_plan *plan = plan_of(me);
    const struct strata_topology *t = plan->topology;
    int count = plan->blocks.count, block = from.index % count;
    int owner = strata_topology_rank(t, t->node_of[me->rank], from.index / count);
    return strata_collective_transposes(plan->collective)
               ? block == me->rank && into.store == STRATA_OUTPUT && into.index == owner
               : block == strata_block_number(plan, into.store, into.index);
}

/* Checks that the two blocks have one length. Where all blocks are equally long, nothing is
 * checked. */
static int must_be_as_long(const struct checker *k, const struct check_rank *me,
                           struct check_location from, struct check_location into)
{
    const struct strata_plan *plan = plan_of(me);
    int one = strata_block_number(plan, from.store, from.index),
        other = strata_block_number(plan, into.store, into.index);
    bool varying = plan->collective != STRATA_ALLTOALL;
    if ((varying && from.store == STRATA_PEER_INPUT) ? exposed_to_me(me, from, into)
                                                     : one == other || !varying) {
        return STRATA_OK;
    }
    return strata_check_fail(k, me, "copies block %d (%s) to the place of block %d (%s)", one,
                             strata_store_word((enum strata_store)from.store), other,
                             strata_store_word((enum strata_store)into.store));
}

/* Whether a block would be copied to itself, in place. Then nothing is copied, and exposed blocks
 * stay as they are. */
static bool is_same_block(struct checker *k, struct check_rank *me, struct check_location from,
                          struct check_location into)
{
    const struct check_block *block =
        plan_of(me)->blocks.exposes ? strata_check_block(k, me, from) : NULL;
    return block && block == strata_check_block(k, me, into);
}

static int each_pair(struct checker *k, struct check_rank *me, enum strata_op op)
{
    struct strata_set from_set = strata_cursor_from(&me->cursor);
    struct strata_set into_set = strata_cursor_set(&me->cursor);
    struct check_walk from_walk, into_walk;
    struct check_location from, into;
    bool combines = op != STRATA_STEP_COPY, folds = op == STRATA_STEP_FOLD;
    int status = must_not_cross(k, me, from_set, into_set);
    check_walk_begin(&from_walk, from_set);
    check_walk_begin(&into_walk, into_set);
    while (!status && check_walk_next(&from_walk, &from) && check_walk_next(&into_walk, &into)) {
        struct check_value value, other;
        status = must_be_as_long(k, me, from, into);
        status = status ? status : strata_check_read(k, me, from, &value);
        if (!status && combines && !(status = strata_check_read(k, me, into, &other))) {
            value = strata_check_combine(plan_of(me), folds ? other : value, folds ? value : other);
        }
        if (!status && (combines || !is_same_block(k, me, from, into))) {
            status = strata_check_write(k, me, into, value);
        }
    }
    return status;
}

int strata_check_blocks_copy(struct checker *k, struct check_rank *me,
                             const struct strata_step *step)
{
    (void)step;
    int status = set_open(k, me, strata_cursor_set(&me->cursor));
    return status ? status : each_pair(k, me, STRATA_STEP_COPY);
}

int strata_check_reduce(struct checker *k, struct check_rank *me, const struct strata_step *step)
{
    int status = set_open(k, me, strata_cursor_set(&me->cursor));
    return status ? status : each_pair(k, me, (enum strata_op)step->op);
}

int strata_check_fold(struct checker *k, struct check_rank *me, const struct strata_step *step)
{
    return strata_check_reduce(k, me, step);
}
