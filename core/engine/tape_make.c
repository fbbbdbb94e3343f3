/* Makes the tape of a call from what its plan's sets and its blocks come to. */
#include <string.h>

#include "core/engine/engine_moving.h"
#include "core/engine/tape.h"

/* What one step of the plan adds; to which moves that lie side by side can be joined. */
struct added {
    const struct strata_step *step;
    struct strata_tape_step *to;
    int first_move;
    size_t copied; /* bytes */
};

static bool add_move(struct strata_tape *tape, const struct added *added,
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

static bool add_pair(struct strata_tape *tape, struct added *step,
                     const struct strata_pair_walk *walk, const struct strata_execution *x)
{
    const unsigned char *from = strata_spot_address(&walk->from);
    const unsigned char *into = strata_spot_address(&walk->into);
    struct strata_move move = {.bytes = from == into ? 0 : walk->bytes};
    if (!from || !into || (from == into && !x->in_place)) {
        return false;
    }
    if (strata_step_act(step->step) == STRATA_ACT_COMBINE) {
        move.folds = step->step->op == STRATA_STEP_FOLD;
        move.operands = move.bytes / walk->from.type->size;
        move.bytes = 0;
        from = strata_first_element(&walk->from);
        into = strata_first_element(&walk->into);
    }
    move.from = place_of(x, (enum strata_store)walk->from_walk.run.store, from, &move.from_base);
    move.to = place_of(x, (enum strata_store)walk->into_walk.run.store, into, &move.to_base);
    step->copied += move.bytes;
    return add_move(tape, step, &move);
}

static bool add_copy(struct strata_tape *tape, struct added *step, const struct strata_execution *x)
{
    struct strata_pair_walk walk;
    struct strata_set from = strata_plan_from_of(tape->plan, step->step, 0);
    struct strata_set into = strata_plan_set_of(tape->plan, step->step, 0);
    bool fits = !strata_set_is_of_mates(from) && !strata_set_is_in(from, STRATA_WORK) &&
                !strata_set_is_in(into, STRATA_WORK);
    step->to->opens = step->to->opens || strata_set_is_in(into, STRATA_SHARED) ||
                      strata_set_is_in(into, STRATA_SLOT);
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

/* My own block goes straight to its place. */
static struct strata_move own_of(const struct strata_execution *x)
{
    const int rank = x->plan->rank;
    return (struct strata_move){.from = block_at(&x->input, rank),
                                .to = block_at(&x->output, rank),
                                .bytes = strata_layout_bytes(&x->input, rank),
                                .from_base = STRATA_BASE_INPUT,
                                .to_base = STRATA_BASE_OUTPUT};
}

/* My blocks for others, and then the tables, which lie in front of them: so these are written next
 * to the signal, and whoever polls that line takes it away once. */
static bool add_copy_in(struct strata_tape *tape, struct added *step, struct strata_execution *x)
{
    const struct strata_topology *t = tape->plan->topology;
    const int me = x->ring->me;
    const size_t head = sizeof(uint64_t);
    const unsigned char *first = strata_ring_slot(x->ring, 0, x->progress.use);
    ptrdiff_t at = distance(first, strata_ring_slot(x->ring, me, x->progress.use));
    struct strata_slot slot = strata_slot_tables(x, tape->tables);
    struct strata_move tables = {.from = (ptrdiff_t)head,
                                 .to = at + (ptrdiff_t)head,
                                 .bytes = slot.tables - head,
                                 .from_base = STRATA_BASE_TABLES,
                                 .to_base = STRATA_BASE_SLOTS};
    tape->largest = slot.header->largest;
    tape->busiest = slot.header->busiest;
    tape->words = (struct strata_slot_words){
        .mine = sizeof *slot.header + (size_t)me * sizeof *slot.offset,
        .end = sizeof *slot.header + (size_t)t->ranks * sizeof *slot.offset,
        .near = strata_slot_data(slot.tables, 0),
        .far = strata_slot_data(slot.tables, STRATA_CACHE_LINE)};
    step->to->opens = true;
    step->copied = slot.offset[t->ranks];
    bool fits = true;
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
    return fits && add_move(tape, step, &tables);
}

static bool add_copy_out(struct strata_tape *tape, struct added *step,
                         const struct strata_execution *x)
{
    const struct strata_topology *t = tape->plan->topology;
    const unsigned char *first = strata_ring_slot(x->ring, 0, x->progress.use);
    for (int member = 0; member < t->ranks; member++) {
        size_t bytes = strata_layout_bytes(&x->output, t->rank_at[member]);
        step->copied += bytes;
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
    }
    return true;
}

static bool add_moving(struct strata_tape *tape, struct added *added, struct strata_execution *x)
{
    const struct strata_step *step = added->step;
    if (strata_plan_over_blocks(tape->plan)) {
        return add_copy(tape, added, x);
    }
    return strata_set_is_whole(strata_plan_set_of(tape->plan, step, 0)) &&
           (step->op == STRATA_STEP_COPY ? add_copy_in(tape, added, x)
                                         : add_copy_out(tape, added, x));
}

static ptrdiff_t signal_of(const struct strata_execution *x, int member)
{
    const uint64_t use = x->progress.use;
    return distance(strata_ring_signal(x->ring, 0, use), strata_ring_signal(x->ring, member, use));
}

static ptrdiff_t slot_of(const struct strata_execution *x, int member)
{
    const uint64_t use = x->progress.use;
    return distance(strata_ring_slot(x->ring, 0, use), strata_ring_slot(x->ring, member, use));
}

/* Where it says how long what lies there is. */
static ptrdiff_t said_of(const struct strata_execution *x, int member)
{
    return slot_of(x, member) + (ptrdiff_t)offsetof(struct strata_slot_header, total);
}

/* How long the block in each mate's slot is, before my signal. */
static bool add_said(struct strata_tape *tape, const struct strata_execution *x)
{
    struct added added = {.first_move = tape->nmoves};
    uint64_t *words = (void *)tape->tables;
    bool fits = true;
    for (int member = 0; fits && member < x->ring->members; member++) {
        const struct strata_move move = {.from = (ptrdiff_t)((size_t)member * sizeof *words),
                                         .to = said_of(x, member),
                                         .bytes = sizeof *words,
                                         .from_base = STRATA_BASE_TABLES,
                                         .to_base = STRATA_BASE_SLOTS};
        words[member] = strata_said_of(x, member);
        fits = add_move(tape, &added, &move);
    }
    return fits;
}

/* A leader's last signal says more, in each of its lanes. What blocks are is said with the first
 * one, which no tape step before this has. */
static bool add_signal(struct strata_tape *tape, struct strata_tape_step *to,
                       const struct strata_step *step)
{
    bool first = true;
    for (const struct strata_tape_step *before = tape->step; before < to; before++) {
        first = first && before->signal == 0;
    }
    to->signal = (uint8_t)step->count;
    to->signals_all = step->count != STRATA_SIGNAL_ARRIVED;
    to->describes =
        first && step->count != STRATA_SIGNAL_DONE && strata_plan_over_blocks(tape->plan);
    to->opens = true;
    return step->count != STRATA_SIGNAL_DONE || tape->plan->exchange.lanes == 0;
}

/* Where only blocks that a rank moves are known to it, each may be as long as it likes. */
static struct strata_coming coming_of(const struct strata_execution *x, int member)
{
    bool told = strata_lengths_told(x->plan);
    return (struct strata_coming){.signal = signal_of(x, member),
                                  .said = said_of(x, told ? strata_said_in(x, member) : member),
                                  .expected = told ? strata_expected_of(x, member)
                                                   : x->progress.blocks_total};
}

static bool add_await(struct strata_tape *tape, struct strata_tape_step *to,
                      const struct strata_step *step, const struct strata_execution *x)
{
    const struct strata_awaited of = strata_awaited_by(tape->plan, step);
    to->await = step;
    to->awaited = (uint8_t)step->count;
    to->heard = step->peer == STRATA_ALL_MEMBERS || step->count != STRATA_SIGNAL_ARRIVED;
    for (int member = of.first; member < of.end; member++) {
        if (member != x->ring->me && tape->ncoming == tape->most) {
            return false;
        }
        if (member != x->ring->me) {
            tape->coming[tape->ncoming++] = coming_of(x, member);
        }
    }
    to->coming_end = &tape->coming[tape->ncoming];
    return true;
}

/* Whether what the step does comes behind all that the tape's last one does. Blocks that are taken
 * may be found to be others: then nothing has moved there. */
static bool joins(const struct strata_tape *tape, enum strata_action_kind act, bool takes)
{
    if (tape->nsteps == 0 || act == STRATA_ACT_AWAIT) {
        return false;
    }
    const struct strata_tape_step *last = &tape->step[tape->nsteps - 1];
    bool moves = last->moves < last->moves_end, taken = last->takes < last->takes_end;
    return last->signal == 0 && (act == STRATA_ACT_SIGNAL || (!taken && !(takes && moves)));
}

static struct strata_tape_step *next_step(struct strata_tape *tape, const struct strata_step *step)
{
    struct strata_tape_step *next = &tape->step[tape->nsteps++];
    *next = (struct strata_tape_step){.at = (int32_t)(step - tape->plan->steps)};
    next->moves = next->moves_end = &tape->move[tape->nmoves];
    next->takes = next->takes_end = &tape->take[tape->ntakes];
    next->coming = next->coming_end = &tape->coming[tape->ncoming];
    return next;
}

/* Nobody waits for it, so it comes behind my signal: while those of others are on their way. It is
 * counted where the plan has it, with theirs: there it is copied again if the tape is left. */
static bool add_own(struct strata_tape *tape, const struct strata_step *signal,
                    const struct strata_execution *x)
{
    struct strata_move own = own_of(x);
    struct added added = {.first_move = tape->nmoves, .to = next_step(tape, signal)};
    bool fits = add_move(tape, &added, &own);
    added.to->moves_end = &tape->move[tape->nmoves];
    return fits;
}

static bool add_step(struct strata_tape *tape, const struct strata_step *step,
                     struct strata_execution *x)
{
    enum strata_action_kind act = strata_step_act(step);
    struct added added = {.step = step, .first_move = tape->nmoves};
    bool fits = true;
    added.to = joins(tape, act, step->op == STRATA_STEP_COPY_OUT) ? &tape->step[tape->nsteps - 1]
                                                                  : next_step(tape, step);
    if (act == STRATA_ACT_SIGNAL) {
        fits = add_signal(tape, added.to, step) &&
               (!added.to->describes || !strata_says_of_all(tape->plan) || add_said(tape, x));
    } else if (act == STRATA_ACT_AWAIT) {
        fits = add_await(tape, added.to, step, x);
    } else {
        fits = add_moving(tape, &added, x);
    }
    added.to->moves_end = &tape->move[tape->nmoves];
    added.to->takes_end = &tape->take[tape->ntakes];
    added.to->copied += added.copied;
    tape->copied += added.copied;
    tape->most_copied = added.copied > tape->most_copied ? added.copied : tape->most_copied;
    if (fits && act == STRATA_ACT_SIGNAL && !strata_plan_over_blocks(tape->plan)) {
        fits = add_own(tape, step, x);
    }
    return fits;
}

/* Whether no step's copying would be a team's work. */
static bool alone(const struct strata_tape *tape, const struct strata_execution *x)
{
    return !x->team || !x->team->run || x->team->threads == 1 ||
           tape->most_copied < x->team->least_bytes;
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
    tape->nsteps = tape->nmoves = tape->ntakes = tape->ncoming = 0;
    tape->signal = signal_of(x, x->ring->me);
    tape->slot = slot_of(x, x->ring->me);
    tape->copied = tape->most_copied = 0;
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
    return fits && alone(tape, x);
}
