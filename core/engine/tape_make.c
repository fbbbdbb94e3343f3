/* Makes the tape of a call from its plan's sets and its blocks. */
#include "core/engine/engine_family.h"
#include "core/engine/tape_making.h"

static ptrdiff_t signal_of(const struct strata_execution *x, int member)
{
    const uint64_t epoch = x->progress.epoch;
    return strata_distance(strata_ring_signal(x->ring, 0, epoch),
                           strata_ring_signal(x->ring, member, epoch));
}

/* Adds a signal. A leader's last signal cannot be taped where there are lanes, because it says more
 * in each of them. The description of blocks comes with the first signal, so no tape step before
 * this one has a signal then. */
static bool add_signal(struct strata_tape *tape, struct strata_tape_step *to,
                       const struct strata_step *step, const struct strata_taping *taping)
{
    bool first = true;
    for (const struct strata_tape_step *before = tape->step; before < to; before++) {
        first = first && before->signal == 0;
    }
    to->signal = (uint8_t)step->count;
    to->signals_all = step->count != STRATA_SIGNAL_ARRIVED;
    to->describes = first && taping->expect;
    to->opens = true;
    return step->count != STRATA_SIGNAL_DONE || tape->plan->exchange.lanes == 0;
}

static struct strata_coming coming_of(const struct strata_execution *x, int member,
                                      const struct strata_taping *taping)
{
    struct strata_coming coming = {.signal = signal_of(x, member)};
    if (taping->expect) {
        taping->expect(x, member, &coming);
    }
    return coming;
}

static bool add_await(struct strata_tape *tape, struct strata_tape_step *to,
                      const struct strata_step *step, const struct strata_execution *x)
{
    const struct strata_awaited of = strata_awaited_by(tape->plan, step);
    const struct strata_taping *taping = strata_family_of(tape->plan)->taping;
    to->await = step;
    to->awaited = (uint8_t)step->count;
    to->compares = taping->expect;
    to->heard = strata_await_hears_all(step);
    for (int member = of.first; member < of.end; member++) {
        if (member != x->ring->me && tape->ncoming == tape->most) {
            return false;
        }
        if (member != x->ring->me) {
            tape->coming[tape->ncoming++] = coming_of(x, member, taping);
        }
    }
    to->coming_end = &tape->coming[tape->ncoming];
    return true;
}

/* Whether the step can join the tape's last one, because its work comes behind all work of that
 * one. A step that takes blocks may find that they are not as expected; nothing in it may have
 * moved by then. */
static bool joins(const struct strata_tape *tape, enum strata_action_kind act, bool takes)
{
    if (tape->nsteps == 0 || act == STRATA_ACT_AWAIT) {
        return false;
    }
    const struct strata_tape_step *last = &tape->step[tape->nsteps - 1];
    bool moves = last->moves < last->moves_end, taken = last->takes < last->takes_end;
    return last->signal == 0 && (act == STRATA_ACT_SIGNAL || (!taken && !(takes && moves)));
}

/* Threads share the copies of a step together, and each combination by itself. */
static void note_shared(struct strata_tape *tape, const struct strata_added *added,
                        const struct strata_execution *x)
{
    size_t longest = added->step->workshare ? added->copied : 0;
    for (int i = added->first_move; i < tape->nmoves; i++) {
        const size_t operands = tape->move[i].operands;
        const size_t bytes = operands > 0 ? operands * x->op->element : 0;
        longest = bytes > longest ? bytes : longest;
    }
    tape->longest = longest > tape->longest ? longest : tape->longest;
}

static bool add_step(struct strata_tape *tape, const struct strata_step *step,
                     struct strata_execution *x)
{
    const struct strata_taping *taping = strata_family_of(tape->plan)->taping;
    enum strata_action_kind act = strata_step_act(step);
    struct strata_added added = {.step = step, .first_move = tape->nmoves};
    bool fits = true;
    added.to = joins(tape, act, step->op == STRATA_STEP_COPY_OUT)
                   ? &tape->step[tape->nsteps - 1]
                   : strata_tape_add_step(tape, step);
    if (act == STRATA_ACT_SIGNAL) {
        fits = add_signal(tape, added.to, step, taping) &&
               (!added.to->describes || taping->add_said(tape, x));
    } else if (act == STRATA_ACT_AWAIT) {
        fits = add_await(tape, added.to, step, x);
    } else {
        fits = taping->add_moving(tape, &added, x);
    }
    added.to->moves_end = &tape->move[tape->nmoves];
    added.to->takes_end = &tape->take[tape->ntakes];
    added.to->opens = added.to->opens && tape->ncoming == 0; /* after a wait it is open */
    added.to->copied += added.copied;
    tape->copied += added.copied;
    note_shared(tape, &added, x);
    if (fits && act == STRATA_ACT_SIGNAL && taping->add_after) {
        fits = taping->add_after(tape, step, x);
    }
    return fits;
}

bool strata_tape_make(struct strata_tape *tape, struct strata_execution *x)
{
    const struct strata_taping *taping = strata_family_of(tape->plan)->taping;
    bool fits = !taping->measure || taping->measure(x);
    tape->nsteps = tape->nmoves = tape->ntakes = tape->ncoming = 0;
    tape->signal = signal_of(x, x->ring->me);
    tape->slot = strata_tape_slot(x, x->ring->me);
    tape->copied = tape->longest = 0;
    tape->blocks_total = x->progress.blocks_total;
    tape->agrees = tape->plan->exchange.lanes > 0;
    for (int i = 0; fits && i < tape->plan->nsteps; i++) {
        const struct strata_step *step = &tape->plan->steps[i];
        enum strata_action_kind act = strata_step_act(step);
        if (act == STRATA_ACT_COPY || act == STRATA_ACT_COMBINE || act == STRATA_ACT_SIGNAL ||
            act == STRATA_ACT_AWAIT) {
            fits = add_step(tape, step, x);
        }
    }
    return fits;
}
