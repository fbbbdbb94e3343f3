/* Tapes: which plans have them, and which calls they serve. */
#include "core/engine/tape.h"

#include "core/base/memory.h"
#include "core/engine/engine_blocks.h"
#include "core/engine/engine_family.h"
#include "core/engine/tape_making.h"

/* Moves, takes and members that a tape has for each rank. More would gain little. */
#define PIECES 4
/* With more ranks a walk costs little in comparison with the copying of their blocks. */
#define MOST_RANKS 1024

/* Whether the plan has only steps that a tape can have. Steps that only begin, end or wait for
 * messages do nothing where there are no messages. In gatherv and scatterv over several nodes the
 * lengths that a rank is told may differ from call to call, so these are not taped. */
static bool can_be_taped(const struct strata_plan *plan)
{
    static const unsigned steps =
        1u << STRATA_STEP_PHASE | 1u << STRATA_STEP_REPEAT | 1u << STRATA_STEP_END |
        1u << STRATA_STEP_DIRECT | 1u << STRATA_STEP_WAIT | 1u << STRATA_STEP_SIGNAL |
        1u << STRATA_STEP_AWAIT | 1u << STRATA_STEP_COPY | 1u << STRATA_STEP_COPY_OUT |
        1u << STRATA_STEP_REDUCE | 1u << STRATA_STEP_FOLD;
    int i = 0;
    while (i < plan->nsteps && steps >> plan->steps[i].op & 1 &&
           (plan->steps[i].op != STRATA_STEP_REPEAT || plan->steps[i].count == 0)) {
        i++;
    }
    bool told = strata_lengths_told(plan) && plan->topology->nodes > 1;
    return i == plan->nsteps && plan->exchange.staged && plan->limits.passes == 1 &&
           !plan->blocks.keeps_input && !plan->blocks.exposes && !told;
}

struct strata_tape *strata_tape_create(const struct strata_plan *plan, bool check)
{
    const size_t ranks = (size_t)plan->topology->ranks;
    const struct strata_taping *taping = strata_family_of(plan)->taping;
    struct strata_tape *tape;
    if (ranks > MOST_RANKS || !can_be_taped(plan) ||
        (taping->can_be && !taping->can_be(plan, check))) {
        return NULL;
    }
    tape = strata_allocate(1, sizeof *tape);
    if (!tape) {
        return NULL;
    }
    tape->plan = plan;
    tape->most = PIECES * ((int)ranks + 1);
    return tape;
}

static void drop_room(struct strata_tape *tape)
{
    strata_release(tape->tables);
    strata_release(tape->step);
    strata_release(tape->move);
    strata_release(tape->take);
    strata_release(tape->coming);
    tape->tables = NULL;
    tape->step = NULL;
    tape->move = NULL;
    tape->take = NULL;
    tape->coming = NULL;
}

void strata_tape_destroy(struct strata_tape *tape)
{
    if (tape) {
        drop_room(tape);
        strata_release(tape);
    }
}

/* Whether each block of the side lies in one piece, or the side has no blocks. */
static bool in_pieces(const struct strata_layout *l)
{
    return !l->types && (!l->type || (l->type->contiguous && l->type->npieces > 0));
}

/* Blocks that are exposed outside the plan are not taped. */
static bool can_be_followed(const struct strata_execution *x)
{
    return !x->long_blocks && in_pieces(&x->input) && in_pieces(&x->output);
}

static size_t size_of(const struct strata_layout *l)
{
    return l->type ? l->type->size : 0;
}

static ptrdiff_t offset_of(const struct strata_layout *l)
{
    return l->type ? l->type->pieces[0].offset : 0;
}

static bool same_shape(const struct strata_shape *s, const struct strata_layout *l)
{
    return s->size == size_of(l) && s->offset == offset_of(l) && s->count == l->count &&
           s->segments == l->segments && s->unit == l->unit && s->varies == (l->counts != NULL) &&
           s->placed == (l->displs != NULL) && s->varies_widely == (l->lengths != NULL) &&
           s->placed_widely == (l->displacements != NULL);
}

static void keep_shape(struct strata_shape *s, const struct strata_layout *l)
{
    *s = (struct strata_shape){.size = size_of(l),
                               .offset = offset_of(l),
                               .count = l->count,
                               .segments = l->segments,
                               .unit = l->unit,
                               .varies = l->counts != NULL,
                               .placed = l->displs != NULL,
                               .varies_widely = l->lengths != NULL,
                               .placed_widely = l->displacements != NULL};
}

bool strata_tape_fits(const struct strata_tape *tape, const struct strata_execution *x)
{
    return tape->ready && tape->in_place == x->in_place && can_be_followed(x) &&
           same_shape(&tape->input, &x->input) && same_shape(&tape->output, &x->output);
}

/* Allocates the arrays of a tape when a call is taped: all of them or none, so that a later call
 * may succeed where this one found no memory. */
static bool find_room(struct strata_tape *tape)
{
    const int ranks = tape->plan->topology->ranks;
    if (tape->step) {
        return true;
    }
    tape->tables = strata_allocate(1, strata_slot_bytes_at(ranks, 1, ranks, 0));
    tape->step = strata_allocate((size_t)tape->plan->nsteps + 1, sizeof *tape->step);
    tape->move = strata_allocate((size_t)tape->most, sizeof *tape->move);
    tape->take = strata_allocate((size_t)tape->most, sizeof *tape->take);
    tape->coming = strata_allocate((size_t)tape->most, sizeof *tape->coming);
    bool found = tape->tables && tape->step && tape->move && tape->take && tape->coming;
    if (!found) {
        drop_room(tape);
    }
    return found;
}

bool strata_tape_record(struct strata_tape *tape, struct strata_execution *x)
{
    if (!can_be_followed(x)) {
        return false;
    }
    tape->in_place = x->in_place;
    keep_shape(&tape->input, &x->input);
    keep_shape(&tape->output, &x->output);
    tape->ready = find_room(tape) && strata_tape_make(tape, x);
    return tape->ready;
}

bool strata_tape_foresee(struct strata_tape *tape, struct strata_execution *x)
{
    return can_be_followed(x) && strata_engine_foresee(x) == STRATA_OK &&
           strata_tape_record(tape, x);
}
