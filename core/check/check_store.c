/* Blocks of a rank's stores: which blocks exist, and which accesses are allowed when.
 *
 * Blocks of the input are kept only where the output overwrites them block by block (in_place). The
 * value of any other input follows from its name. */
#include "core/base/memory.h"
#include "core/check/check_blocks.h"

static bool is_bcast(const struct check_rank *me)
{
    return plan_of(me)->collective == STRATA_BCAST;
}

/* Decides how input and output of this call lie in memory. */
static void lay_out(const struct checker *k, struct check_rank *me)
{
    bool one_memory = is_bcast(me) || (k->options->in_place && !plan_of(me)->blocks.keeps_input);
    bool both =
        strata_check_input_held(me) != STRATA_NONE && strata_check_output_held(me) != STRATA_NONE;
    bool to_the_front = strata_check_input_held(me) == STRATA_ALL &&
                        strata_check_output_held(me) == STRATA_ONE &&
                        !strata_collective_rooted(plan_of(me)->collective);
    me->overlaid = one_memory && both && to_the_front;
    me->in_place = one_memory && both && !to_the_front;
    me->input_lost = false;
    me->input_sent = 0;
}

static size_t blocks_of(const struct check_rank *me, enum strata_held held)
{
    return held == STRATA_ALL ? (size_t)plan_of(me)->blocks.count : held == STRATA_ONE ? 1 : 0;
}

int strata_check_stores_begin(struct checker *k, struct check_rank *me)
{
    const struct strata_blocks *blocks = &plan_of(me)->blocks;
    lay_out(k, me);
    me->stage = ++k->stages;
    me->output = strata_allocate(blocks_of(me, strata_check_output_held(me)), sizeof(*me->output));
    me->work = strata_allocate((size_t)blocks->work, sizeof(*me->work));
    if (!me->output || !me->work) {
        return STRATA_ERR_MEMORY;
    }
    if (strata_check_peers_begin(k, me)) {
        return STRATA_ERR_MEMORY;
    }
    for (int b = 0; me->in_place && b < blocks->count; b++) {
        struct check_block *block = strata_check_output_block(me, b);
        if (block && check_has(strata_check_input_held(me), me->rank, b)) {
            block->value = strata_check_leaf(k, me->call, me->rank, b);
        }
    }
    return STRATA_OK;
}

void strata_check_stores_end(struct check_rank *me)
{
    strata_release(me->output);
    strata_release(me->work);
    strata_release(me->peer_read);
    me->peer_read = NULL;
    me->output = me->work = NULL;
}

static const char *word_of(struct check_location place)
{
    return strata_store_word((enum strata_store)place.store);
}

static int unwaited(const struct checker *k, const struct check_rank *me, const char *what,
                    struct check_location place)
{
    return strata_check_fail(k, me,
                             "%s block %d of %s before the message that brings it was waited for",
                             what, place.index, word_of(place));
}

/* Reads an input block that is not kept. */
static int read_input(struct checker *k, struct check_rank *me, struct check_location place,
                      struct check_value *value)
{
    if (is_bcast(me)) {
        return strata_check_fail(k, me, "reads the input: bcast's data lie in the output");
    }
    if (!check_has(strata_check_input_held(me), me->rank, place.index)) {
        return strata_check_fail(k, me, "reads block %d of the input, which this rank has not",
                                 place.index);
    }
    if (me->input_lost) {
        return strata_check_fail(k, me,
                                 "reads block %d of the input after the output was written, in "
                                 "place over it",
                                 place.index);
    }
    *value = strata_check_leaf(k, me->call, me->rank, place.index);
    return STRATA_OK;
}

int strata_check_read(struct checker *k, struct check_rank *me, struct check_location place,
                      struct check_value *value)
{
    place = strata_check_by_rank(me, place);
    struct check_block *block = NULL;
    if (strata_store_of_peer(place.store)) {
        return strata_check_peer_read(k, me, place, value);
    }
    if (strata_store_of_node(place.store)) {
        int status = strata_check_node_read(k, me, place, &block);
        if (status) {
            return status;
        }
    } else {
        block = strata_check_block(k, me, place);
    }
    if (place.store == STRATA_INPUT && (!block || is_bcast(me))) {
        return read_input(k, me, place, value);
    }
    if (!block) {
        return strata_check_fail(k, me, "reads block %d of the output, which this rank has not",
                                 place.index);
    }
    if (block->received == me->stage) {
        return unwaited(k, me, "reads", place);
    }
    *value = block->value;
    return value->a ? STRATA_OK
                    : strata_check_fail(k, me, "reads block %d of %s, where nothing was written",
                                        place.index, word_of(place));
}

void strata_check_mark_sent(struct checker *k, struct check_rank *me, struct check_location place)
{
    struct check_block *block = strata_check_block(k, me, place);
    if (block) {
        block->sent = me->stage;
    } else {
        me->input_sent = me->stage;
    }
}

static int lose_input(const struct checker *k, struct check_rank *me)
{
    me->input_lost = true;
    if (plan_of(me)->blocks.exposes & STRATA_EXPOSES_INPUT) {
        return strata_check_fail(k, me, "writes the output over the input that it lends");
    }
    return me->input_sent == me->stage
               ? strata_check_fail(k, me,
                                   "writes the output while input is sent, which in place lies "
                                   "under it")
               : STRATA_OK;
}

/* Finds a block, and checks that it may be written. */
static int claim(struct checker *k, struct check_rank *me, struct check_location place,
                 struct check_block **block)
{
    int status = STRATA_OK;
    place = strata_check_by_rank(me, place);
    if (strata_store_of_node(place.store)) {
        status = strata_check_node_write(k, me, place, block);
    } else {
        *block = strata_check_block(k, me, place);
    }
    if (!status && place.store == STRATA_OUTPUT && me->overlaid) {
        status = lose_input(k, me);
    }
    status = status ? status : strata_check_exposed_write(k, me, place);
    if (status) {
        return status;
    }
    if (place.store == STRATA_OUTPUT && plan_of(me)->blocks.once) {
        return strata_check_fail(k, me, "writes the output, which its node has once");
    }
    if (!*block) {
        return strata_check_fail(k, me, "writes block %d of the output, which this rank has not",
                                 place.index);
    }
    if ((*block)->received == me->stage) {
        return unwaited(k, me, "writes", place);
    }
    return (*block)->sent != me->stage
               ? STRATA_OK
               : strata_check_fail(k, me, "writes block %d of %s while it is sent from there",
                                   place.index, word_of(place));
}

int strata_check_write(struct checker *k, struct check_rank *me, struct check_location place,
                       struct check_value value)
{
    struct check_block *block = NULL;
    int status = claim(k, me, place, &block);
    if (!status && block) {
        block->value = value;
        block->written = k->clocks ? me->clock[me->position] : 0;
    }
    return status;
}

int strata_check_expect(struct checker *k, struct check_rank *me, struct check_location place)
{
    struct check_block *block = NULL;
    int status = claim(k, me, place, &block);
    if (!status && block) {
        block->received = me->stage;
    }
    return status;
}

void strata_check_land(struct checker *k, struct check_rank *me, struct check_location place,
                       struct check_value value)
{
    struct check_block *block = strata_check_block(k, me, place);
    if (block) { /* strata_check_expect has found the block */
        block->value = value;
        block->written = k->clocks ? me->clock[me->position] : 0;
    }
}
