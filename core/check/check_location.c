/* The locations of blocks of plans over blocks. */
#include "core/check/check_blocks.h"

struct check_block *strata_check_output_block(const struct check_rank *me, int block)
{
    enum strata_held held = strata_check_output_held(me);
    if (!check_has(held, me->rank, block)) {
        return NULL;
    }
    return &me->output[held == STRATA_ONE ? 0 : block];
}

struct check_location strata_check_by_rank(const struct check_rank *me, struct check_location place)
{
    bool input = place.store == STRATA_INPUT_AT, output = place.store == STRATA_OUTPUT_AT;
    if (!input && !output) {
        return place;
    }
    return (struct check_location){input ? STRATA_INPUT : STRATA_OUTPUT,
                                   topology_of(me)->rank_at[place.index]};
}

struct check_block *strata_check_block(struct checker *k, struct check_rank *me,
                                       struct check_location place)
{
    place = strata_check_by_rank(me, place);
    switch (place.store) {
    case STRATA_PEER_INPUT:
    case STRATA_PEER_WORK:
        return NULL;
    case STRATA_WORK:
        return &me->work[place.index];
    case STRATA_SHARED:
    case STRATA_SLOT:
        return strata_check_node_block(k, me, place);
    case STRATA_INPUT:
        return me->in_place && check_has(strata_check_input_held(me), me->rank, place.index)
                   ? strata_check_output_block(me, place.index)
                   : NULL;
    default:
        return strata_check_output_block(me, place.index);
    }
}
