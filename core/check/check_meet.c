/* Compares the blocks of a send and of the receive that it meets. */
#include "core/check/check_blocks.h"

/* The two ends of a message, with their plans and collective. */
struct meeting {
    const struct check_message *recv, *send;
    const struct strata_plan *receiver, *sender;
    enum strata_collective collective;
};

static bool is_side(int store, int side, int side_at)
{
    return store == side || store == side_at;
}

/* Whether both ends mean the same block. In alltoall all blocks are equally long, and any will do.
 * In alltoallv and alltoallw only the two ends of a block know its length. */
static bool fit(const struct meeting *m, struct check_location from, struct check_location to)
{
    int sent = strata_block_number(m->sender, from.store, from.index);
    int expected = strata_block_number(m->receiver, to.store, to.index);
    if (!strata_collective_transposes(m->collective)) {
        return sent == expected;
    }
    return m->collective == STRATA_ALLTOALL ||
           (is_side(from.store, STRATA_INPUT, STRATA_INPUT_AT) && sent == m->recv->rank &&
            is_side(to.store, STRATA_OUTPUT, STRATA_OUTPUT_AT) && expected == m->send->rank);
}

bool strata_check_meet_blocks(struct checker *k, const struct check_message *recv,
                              const struct check_message *send)
{
    const struct check_call *call = &k->calls[recv->call];
    struct meeting m = {recv, send, call->plans[recv->rank], call->plans[send->rank],
                        call->common->collective};
    struct check_rank *receiver = &k->rank[recv->rank];
    struct check_walk from_walk, to_walk;
    struct check_location from, to;
    const struct check_value *value = send->values;
    check_walk_begin(&from_walk, send->set);
    check_walk_begin(&to_walk, recv->set);
    while (check_walk_next(&to_walk, &to)) {
        if (!check_walk_next(&from_walk, &from) || !fit(&m, from, to)) {
            return false;
        }
        strata_check_land(k, receiver, to, *value++);
    }
    return !check_walk_next(&from_walk, &from);
}
