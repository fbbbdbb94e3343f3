/* Makes the tape of a call from what its plan's sets and its blocks come to. */
#include <string.h>

#include "core/engine/engine_moving.h"
#include "core/engine/tape.h"

static bool add_move(struct strata_tape *tape, struct strata_tape_step *step,
                     const struct strata_move *move)
{
    if (move->bytes == 0) {
        return true;
    }
    if (&tape->move[tape->nmoves] > step->moves) {
        struct strata_move *last = &tape->move[tape->nmoves - 1];
        if (last->operands == 0 && move->operands == 0 && last->from_base == move->from_base &&
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

static ptrdiff_t distance(const void *from, const void *to)
{
    return (ptrdiff_t)((uintptr_t)to - (uintptr_t)from);
}

/* A place as a base and a distance from it. */
static ptrdiff_t place_of(const struct strata_execution *x, enum strata_store store,
                          const unsigned char *at, uint8_t *base)
{
    unsigned char *bases[STRATA_BASES];
    strata_tape_bases(x, bases);
    bool output = store == STRATA_OUTPUT || store == STRATA_OUTPUT_AT;
    *base = store == STRATA_INPUT || store == STRATA_INPUT_AT ? STRATA_BASE_INPUT
            : output || x->plan->blocks.once                  ? STRATA_BASE_OUTPUT
            : at >= x->memory->landing                        ? STRATA_BASE_LANDING
                                                              : STRATA_BASE_SLOTS;
    return distance(bases[*base], at);
}

static bool add_pair(struct strata_tape *tape, struct strata_tape_step *step,
                     const struct strata_pair_walk *walk, const struct strata_execution *x)
{
    const unsigned char *from = strata_spot_address(&walk->from);
    const unsigned char *into = strata_spot_address(&walk->into);
    struct strata_move move = {.bytes = from == into ? 0 : walk->bytes};
    if (!from || !into || (from == into && !x->in_place)) {
        return false;
    }
    if (step->step->op == STRATA_STEP_REDUCE) {
        move.operands = walk->bytes / walk->from.type->size;
        from = strata_first_element(&walk->from);
        into = strata_first_element(&walk->into);
    }
    move.from = place_of(x, (enum strata_store)walk->from_walk.run.store, from, &move.from_base);
    move.to = place_of(x, (enum strata_store)walk->into_walk.run.store, into, &move.to_base);
    step->copied += move.operands > 0 ? 0 : move.bytes;
    return add_move(tape, step, &move);
}

static bool add_copy(struct strata_tape *tape, struct strata_tape_step *step,
                     const struct strata_execution *x)
{
    struct strata_pair_walk walk;
    struct strata_set from = strata_plan_from_of(tape->plan, step->step, 0);
    struct strata_set into = strata_plan_set_of(tape->plan, step->step, 0);
    bool fits = !strata_set_is_of_mates(from) && !strata_set_is_in(from, STRATA_WORK) &&
                !strata_set_is_in(into, STRATA_WORK);
    step->fills = strata_set_is_in(into, STRATA_SHARED) || strata_set_is_in(into, STRATA_SLOT);
    strata_pairs_begin(&walk, x, from, into);
    while (fits && strata_pairs_next(&walk)) {
        fits = add_pair(tape, step, &walk, x);
    }
    return fits;
}

static ptrdiff_t block_at(const struct strata_layout *l, int rank)
{
    return distance(l->base, strata_layout_at(l, rank)) + l->type->pieces[0].offset;
}

/* The tables, and my blocks behind them. My own goes straight to its place, before I wait for
 * anybody. */
static bool add_copy_in(struct strata_tape *tape, struct strata_tape_step *step,
                        struct strata_execution *x)
{
    const struct strata_topology *t = tape->plan->topology;
    const int rank = tape->plan->rank, me = x->ring->me;
    const size_t head = sizeof(uint64_t);
    const unsigned char *first = strata_ring_slot(x->ring, 0, x->progress.use);
    ptrdiff_t at = distance(first, strata_ring_slot(x->ring, me, x->progress.use));
    struct strata_slot slot = strata_slot_tables(x, tape->tables);
    struct strata_move tables = {.from = (ptrdiff_t)head,
                                 .to = at + (ptrdiff_t)head,
                                 .bytes = slot.tables - head,
                                 .from_base = STRATA_BASE_TABLES,
                                 .to_base = STRATA_BASE_SLOTS};
    struct strata_move own = {.from = block_at(&x->input, rank),
                              .to = block_at(&x->output, rank),
                              .bytes = strata_layout_bytes(&x->input, rank),
                              .from_base = STRATA_BASE_INPUT,
                              .to_base = STRATA_BASE_OUTPUT};
    tape->largest = slot.header->largest;
    tape->busiest = slot.header->busiest;
    step->fills = true;
    step->copied = own.bytes + slot.offset[t->ranks];
    bool fits = add_move(tape, step, &tables) && add_move(tape, step, &own);
    at += distance(slot.header, slot.data);
    for (int member = 0; fits && member < t->ranks; member++) {
        fits = add_move(tape, step,
                        &(struct strata_move){
                            .from = block_at(&x->input, t->rank_at[member]),
                            .to = at + (ptrdiff_t)slot.offset[member],
                            .bytes = slot.offset[member + 1] - slot.offset[member],
                            .from_base = STRATA_BASE_INPUT,
                            .to_base = STRATA_BASE_SLOTS,
                        });
    }
    return fits;
}

static bool add_copy_out(struct strata_tape *tape, struct strata_tape_step *step,
                         const struct strata_execution *x)
{
    const struct strata_topology *t = tape->plan->topology;
    const unsigned char *first = strata_ring_slot(x->ring, 0, x->progress.use);
    for (int member = 0; member < t->ranks; member++) {
        size_t bytes = strata_layout_bytes(&x->output, t->rank_at[member]);
        if (member == x->ring->me) {
            continue;
        }
        if (tape->ntakes == tape->most) {
            return false;
        }
        tape->take[tape->ntakes++] = (struct strata_take){
            .slot = distance(first, strata_ring_slot(x->ring, member, x->progress.use)),
            .to = block_at(&x->output, t->rank_at[member]),
            .bytes = (uint32_t)bytes,
        };
        step->copied += bytes;
    }
    return true;
}

static bool add_step(struct strata_tape *tape, const struct strata_step *step,
                     struct strata_execution *x)
{
    struct strata_tape_step *now = &tape->step[tape->nsteps++];
    bool fits = true;
    *now = (struct strata_tape_step){
        .step = step, .at = (int32_t)(step - tape->plan->steps), .moved = true};
    now->moves = &tape->move[tape->nmoves];
    now->takes = &tape->take[tape->ntakes];
    if (step->op == STRATA_STEP_COPY && !strata_plan_over_blocks(tape->plan)) {
        fits = strata_set_is_whole(strata_plan_set_of(tape->plan, step, 0)) &&
               add_copy_in(tape, now, x);
    } else if (step->op == STRATA_STEP_COPY || step->op == STRATA_STEP_REDUCE) {
        fits = add_copy(tape, now, x);
    } else if (step->op == STRATA_STEP_COPY_OUT) {
        fits = strata_set_is_whole(strata_plan_set_of(tape->plan, step, 0)) &&
               add_copy_out(tape, now, x);
    } else {
        now->moved = false;
        now->signals = step->op == STRATA_STEP_SIGNAL;
        now->awaits = strata_awaited_by(tape->plan, step);
    }
    now->moves_end = &tape->move[tape->nmoves];
    now->takes_end = &tape->take[tape->ntakes];
    return fits;
}

/* Whether no step's copying would be a team's work. */
static bool alone(const struct strata_tape *tape, const struct strata_execution *x)
{
    size_t most = 0;
    for (int i = 0; i < tape->nsteps; i++) {
        most = tape->step[i].copied > most ? tape->step[i].copied : most;
    }
    return !x->team || !x->team->run || x->team->threads == 1 || most < x->team->least_bytes;
}

/* Of plans over items only calls whose blocks all go through slots, each its whole. */
static bool all_staged(const struct strata_execution *x)
{
    size_t threshold = x->plan->limits.threshold;
    return strata_plan_over_blocks(x->plan) ||
           (!x->in_place && x->progress.longest_in <= threshold &&
            x->progress.longest_out <= threshold);
}

/* What was heard of others' blocks is not in the tables. */
static void measure_items(struct strata_execution *x)
{
    if (!strata_plan_over_blocks(x->plan)) {
        strata_measure_blocks(x);
    }
}

bool strata_tape_make(struct strata_tape *tape, struct strata_execution *x)
{
    measure_items(x);
    bool fits = all_staged(x);
    tape->nsteps = tape->nmoves = tape->ntakes = 0;
    tape->blocks_total = x->progress.blocks_total;
    for (int i = 0; fits && i < tape->plan->nsteps; i++) {
        const struct strata_step *step = &tape->plan->steps[i];
        enum strata_action_kind act = strata_step_act(step);
        if (act == STRATA_ACT_COPY || act == STRATA_ACT_COMBINE || act == STRATA_ACT_SIGNAL ||
            act == STRATA_ACT_AWAIT) {
            fits = add_step(tape, step, x);
        }
    }
    for (int i = 0; i < tape->nmoves; i++) {
        struct strata_move *move = &tape->move[i];
        move->word = move->operands == 0 && move->bytes == sizeof(uint64_t);
    }
    return fits && alone(tape, x);
}
