/* The parts of tapes, for both families of plans. */
#include "core/engine/tape_making.h"

bool strata_tape_add_move(struct strata_tape *tape, const struct strata_added *added,
                          const struct strata_move *move)
{
    if (move->bytes == 0 && move->operands == 0) {
        return true;
    }
    if (tape->nmoves > added->first_move) {
        struct strata_move *last = &tape->move[tape->nmoves - 1];
        if (last->bytes > 0 && move->bytes > 0 && last->from_base == move->from_base &&
            last->to_base == move->to_base && last->from + (ptrdiff_t)last->bytes == move->from &&
            last->to + (ptrdiff_t)last->bytes == move->to) {
            last->bytes += move->bytes;
            return true;
        }
    }
    if (tape->nmoves == tape->most) {
        return false;
    }
    tape->move[tape->nmoves++] = *move;
    return true;
}

struct strata_tape_step *strata_tape_add_step(struct strata_tape *tape,
                                              const struct strata_step *step)
{
    struct strata_tape_step *next = &tape->step[tape->nsteps++];
    *next = (struct strata_tape_step){.at = (int32_t)(step - tape->plan->steps)};
    next->moves = next->moves_end = &tape->move[tape->nmoves];
    next->takes = next->takes_end = &tape->take[tape->ntakes];
    next->coming = next->coming_end = &tape->coming[tape->ncoming];
    return next;
}
