/* Tapes of plans over blocks. */
#include "core/engine/engine_blocks.h"
#include "core/engine/engine_moving.h"
#include "core/engine/tape_making.h"

/* An address as a base and a distance from it. */
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
    return strata_distance(bases[*base], at);
}

static bool add_pair(struct strata_tape *tape, struct strata_added *step,
                     const struct strata_pair_walk *walk, const struct strata_execution *x)
{
    const unsigned char *from = strata_span_address(&walk->from);
    const unsigned char *into = strata_span_address(&walk->into);
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
    return strata_tape_add_move(tape, step, &move);
}

static bool add_copy(struct strata_tape *tape, struct strata_added *step,
                     struct strata_execution *x)
{
    struct strata_pair_walk walk;
    struct strata_set from = strata_plan_from_of(tape->plan, step->step, 0);
    struct strata_set into = strata_plan_set_of(tape->plan, step->step, 0);
    bool fits = !strata_set_is_of_peers(from) && !strata_set_is_in(from, STRATA_WORK) &&
                !strata_set_is_in(into, STRATA_WORK);
    step->to->opens = step->to->opens || strata_set_is_in(into, STRATA_SHARED) ||
                      strata_set_is_in(into, STRATA_SLOT);
    strata_pairs_begin(&walk, x, from, into);
    while (fits && strata_pairs_next(&walk)) {
        fits = add_pair(tape, step, &walk, x);
    }
    return fits;
}

/* Where a member's slot says the length of its block. */
static ptrdiff_t said_of(const struct strata_execution *x, int member)
{
    return strata_tape_slot(x, member) + (ptrdiff_t)offsetof(struct strata_slot_header, total);
}

/* Adds the length of the block in each member's slot, where the root says all lengths. */
static bool add_said(struct strata_tape *tape, const struct strata_execution *x)
{
    struct strata_added added = {.first_move = tape->nmoves};
    uint64_t *words = (void *)tape->tables;
    bool fits = true;
    if (!strata_says_of_all(tape->plan)) {
        return true;
    }
    for (int member = 0; fits && member < x->ring->members; member++) {
        const struct strata_move move = {.from = (ptrdiff_t)((size_t)member * sizeof *words),
                                         .to = said_of(x, member),
                                         .bytes = sizeof *words,
                                         .from_base = STRATA_BASE_TABLES,
                                         .to_base = STRATA_BASE_SLOTS};
        words[member] = strata_said_of(x, member);
        fits = strata_tape_add_move(tape, &added, &move);
    }
    return fits;
}

/* Where a rank knows only the lengths of blocks that it moves, each block may have its own
 * length. */
static void expect(const struct strata_execution *x, int member, struct strata_coming *coming)
{
    bool told = strata_lengths_told(x->plan);
    coming->said = said_of(x, told ? strata_said_in(x, member) : member);
    coming->expected = told ? strata_expected_of(x, member) : x->progress.blocks_total;
}

const struct strata_taping strata_taping_of_blocks = {
    .add_moving = add_copy,
    .add_said = add_said,
    .expect = expect,
};
