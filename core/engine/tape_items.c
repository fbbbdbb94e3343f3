/* Tapes of plans over items: inside one node, with a lane for each rank, for blocks that all go
 * through slots as a whole. */
#include "core/engine/engine_items.h"
#include "core/engine/tape_making.h"

/* Whether the slots' tables say where each member's block begins, and nothing else. */
static bool plain_slots(const struct strata_plan *plan, bool check)
{
    const struct strata_topology *t = plan->topology;
    return t->nodes == 1 && plan->exchange.lanes == t->ranks && !check;
}

static bool measure(struct strata_execution *x)
{
    size_t threshold = x->plan->limits.threshold;
    strata_measure_blocks(x); /* the tables hold no sizes of other ranks' blocks */
    return !x->in_place && x->progress.longest_in <= threshold &&
           x->progress.longest_out <= threshold;
}

static ptrdiff_t block_at(const struct strata_layout *l, int rank)
{
    return strata_distance(l->base, strata_layout_at(l, rank)) + l->type->pieces[0].offset;
}

/* My own block goes straight to its destination. */
static struct strata_move own_of(const struct strata_execution *x)
{
    const int rank = x->plan->rank;
    return (struct strata_move){.from = block_at(&x->input, rank),
                                .to = block_at(&x->output, rank),
                                .bytes = strata_layout_bytes(&x->input, rank),
                                .from_base = STRATA_BASE_INPUT,
                                .to_base = STRATA_BASE_OUTPUT};
}

/* Adds the copies of my blocks for others, and then of the tables, which lie in front of the
 * blocks. So the tables are written right before the signal, and a member that polls their line
 * takes it away only once. */
static bool add_copy_in(struct strata_tape *tape, struct strata_added *step,
                        struct strata_execution *x)
{
    const struct strata_topology *t = tape->plan->topology;
    const int me = x->ring->me;
    const size_t head = sizeof(uint64_t);
    const unsigned char *first = strata_ring_slot(x->ring, 0, x->progress.epoch);
    ptrdiff_t at = strata_distance(first, strata_ring_slot(x->ring, me, x->progress.epoch));
    struct strata_slot slot = strata_slot_tables(x, tape->tables);
    struct strata_move tables = {.from = (ptrdiff_t)head,
                                 .to = at + (ptrdiff_t)head,
                                 .bytes = slot.tables - head,
                                 .from_base = STRATA_BASE_TABLES,
                                 .to_base = STRATA_BASE_SLOTS};
    tape->largest = slot.header->largest;
    tape->load = slot.header->load;
    tape->words = (struct strata_slot_words){
        .mine = sizeof *slot.header + (size_t)me * sizeof *slot.offset,
        .end = sizeof *slot.header + (size_t)t->ranks * sizeof *slot.offset,
        .near = strata_slot_data(slot.tables, 0),
        .far = strata_slot_data(slot.tables, STRATA_CACHE_LINE)};
    step->to->opens = true;
    step->copied = slot.offset[t->ranks];
    bool fits = true;
    at += strata_distance(slot.header, slot.data);
    for (int member = 0; fits && member < t->ranks; member++) {
        fits = strata_tape_add_move(tape, step,
                                    &(struct strata_move){
                                        .from = block_at(&x->input, t->rank_at[member]),
                                        .to = at + (ptrdiff_t)slot.offset[member],
                                        .bytes = slot.offset[member + 1] - slot.offset[member],
                                        .from_base = STRATA_BASE_INPUT,
                                        .to_base = STRATA_BASE_SLOTS,
                                    });
    }
    return fits && strata_tape_add_move(tape, step, &tables);
}

static bool add_copy_out(struct strata_tape *tape, struct strata_added *step,
                         const struct strata_execution *x)
{
    const struct strata_topology *t = tape->plan->topology;
    const unsigned char *first = strata_ring_slot(x->ring, 0, x->progress.epoch);
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
            .slot = strata_distance(first, strata_ring_slot(x->ring, member, x->progress.epoch)),
            .to = block_at(&x->output, t->rank_at[member]),
            .bytes = (uint32_t)bytes,
        };
    }
    return true;
}

static bool add_moving(struct strata_tape *tape, struct strata_added *added,
                       struct strata_execution *x)
{
    const struct strata_step *step = added->step;
    return strata_set_is_whole(strata_plan_set_of(tape->plan, step, 0)) &&
           (step->op == STRATA_STEP_COPY ? add_copy_in(tape, added, x)
                                         : add_copy_out(tape, added, x));
}

/* Adds the copy of my own block. No rank waits for it, so it comes behind my signal, while the
 * signals of others are on their way. Its bytes are counted in the step of the plan that copies
 * blocks out: if the tape is left, that step copies the block again. */
static bool add_own(struct strata_tape *tape, const struct strata_step *signal,
                    const struct strata_execution *x)
{
    struct strata_move own = own_of(x);
    struct strata_added added = {.first_move = tape->nmoves,
                                 .to = strata_tape_add_step(tape, signal)};
    bool fits = strata_tape_add_move(tape, &added, &own);
    added.to->moves_end = &tape->move[tape->nmoves];
    return fits;
}

const struct strata_taping strata_taping_of_items = {
    .can_be = plain_slots,
    .measure = measure,
    .add_moving = add_moving,
    .add_after = add_own,
};
