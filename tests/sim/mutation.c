#include "tests/sim/mutation.h"

#include <string.h>

#include "tests/hier/edit.h"

/* --- whole steps -------------------------------------------------------------------------------
 */

static int draw_step(const struct strata_plan *plan, struct random *r)
{
    return random_below(r, plan->nsteps);
}

static bool drop_step(struct strata_plan *plan, struct random *r)
{
    if (plan->nsteps == 0) {
        return false;
    }
    edit_remove(plan, draw_step(plan, r));
    return true;
}

static bool duplicate_step(struct strata_plan *plan, struct random *r)
{
    if (plan->nsteps == 0) {
        return false;
    }
    int at = draw_step(plan, r);
    edit_insert(plan, at, plan->steps[at]);
    return true;
}

/* The step comes again at another place. */
static bool repeat_elsewhere(struct strata_plan *plan, struct random *r)
{
    if (plan->nsteps == 0) {
        return false;
    }
    struct strata_step step = plan->steps[draw_step(plan, r)];
    edit_insert(plan, random_below(r, plan->nsteps + 1), step);
    return true;
}

static bool move_step(struct strata_plan *plan, struct random *r)
{
    if (plan->nsteps < 2) {
        return false;
    }
    int from = draw_step(plan, r), to = random_below(r, plan->nsteps - 1);
    struct strata_step step = plan->steps[from];
    edit_remove(plan, from);
    edit_insert(plan, to, step);
    return from != to;
}

static bool swap_steps(struct strata_plan *plan, struct random *r)
{
    if (plan->nsteps < 2) {
        return false;
    }
    int at = random_below(r, plan->nsteps - 1);
    struct strata_step step = plan->steps[at];
    plan->steps[at] = plan->steps[at + 1];
    plan->steps[at + 1] = step;
    return memcmp(&step, &plan->steps[at], sizeof step) != 0;
}

static bool add_signal(struct strata_plan *plan, struct random *r)
{
    struct strata_step step = {.op = STRATA_STEP_SIGNAL, .set = -1};
    step.count = random_between(r, STRATA_SIGNAL_ARRIVED, STRATA_SIGNAL_DONE);
    edit_insert(plan, random_below(r, plan->nsteps + 1), step);
    return true;
}

static bool add_await(struct strata_plan *plan, struct random *r)
{
    struct strata_step step = {.op = STRATA_STEP_AWAIT, .set = -1};
    step.count = random_between(r, STRATA_SIGNAL_ARRIVED, STRATA_SIGNAL_DONE);
    step.peer = random_between(r, STRATA_ALL_MEMBERS, plan->topology->largest - 1);
    edit_insert(plan, random_below(r, plan->nsteps + 1), step);
    return true;
}

static bool add_wait(struct strata_plan *plan, struct random *r)
{
    struct strata_step step = {.op = STRATA_STEP_WAIT, .set = -1};
    step.direct = random_one_in(r, 4);
    step.count = random_one_in(r, 3) ? 1 : 0;
    edit_insert(plan, random_below(r, plan->nsteps + 1), step);
    return true;
}

/* --- fields of a step --------------------------------------------------------------------------
 */

/* Draws a step whose kind has the field; NULL: there is none. */
static struct strata_step *draw_with(struct strata_plan *plan, struct random *r, unsigned fields)
{
    int found = 0;
    struct strata_step *drawn = NULL;
    for (int i = 0; i < plan->nsteps; i++) {
        if ((strata_step_kind[plan->steps[i].op].has & fields) && random_below(r, ++found) == 0) {
            drawn = &plan->steps[i];
        }
    }
    return drawn;
}

/* Another number of low .. high, as near as can be or any. */
static bool change_number(int32_t *number, struct random *r, int low, int high)
{
    int32_t before = *number;
    if (random_one_in(r, 2)) {
        *number += random_one_in(r, 2) ? 1 : -1;
    } else {
        *number = random_between(r, low, high);
    }
    return *number != before;
}

static bool change_peer(struct strata_plan *plan, struct random *r)
{
    struct strata_step *step = draw_with(
        plan, r, 1u << STRATA_HAS_PEER | 1u << STRATA_HAS_MEMBER | 1u << STRATA_HAS_MEMBERS);
    return step && change_number(&step->peer, r, -1, plan->topology->ranks);
}

static bool change_lane(struct strata_plan *plan, struct random *r)
{
    struct strata_step *step = draw_with(plan, r, 1u << STRATA_HAS_LANE);
    return step && change_number(&step->lane, r, -1, plan->exchange.lanes);
}

static bool change_signal(struct strata_plan *plan, struct random *r)
{
    struct strata_step *step = draw_with(plan, r, 1u << STRATA_HAS_SIGNAL);
    return step && change_number(&step->count, r, 0, STRATA_SIGNALS);
}

static bool change_open(struct strata_plan *plan, struct random *r)
{
    struct strata_step *step = draw_with(plan, r, 1u << STRATA_HAS_OPEN);
    return step && change_number(&step->count, r, -1, 5);
}

static bool change_times(struct strata_plan *plan, struct random *r)
{
    struct strata_step *step = draw_with(plan, r, 1u << STRATA_HAS_TIMES);
    return step && change_number(&step->count, r, -1, 9);
}

static bool change_direct(struct strata_plan *plan, struct random *r)
{
    struct strata_step *step = draw_with(plan, r, 1u << STRATA_HAS_DIRECT);
    if (step) {
        step->direct = !step->direct;
    }
    return step;
}

static bool change_how(struct strata_plan *plan, struct random *r)
{
    struct strata_step *step = draw_with(plan, r, 1u << STRATA_HAS_HOW);
    uint8_t before = step ? step->how : 0;
    if (step) {
        step->how = (uint8_t)random_below(r, STRATA_HOWS + 1);
    }
    return step && step->how != before;
}

static bool change_workshare(struct strata_plan *plan, struct random *r)
{
    struct strata_step *step = draw_with(plan, r, 1u << STRATA_HAS_WORKSHARE);
    if (step) {
        step->workshare = !step->workshare;
    }
    return step;
}

/* A field that the kind may not have: it must not matter there. */
static bool change_any_field(struct strata_plan *plan, struct random *r)
{
    if (plan->nsteps == 0) {
        return false;
    }
    struct strata_step *step = &plan->steps[draw_step(plan, r)];
    int32_t *const field[] = {&step->lane, &step->peer,     &step->count,
                              &step->set,  &step->set_step, &step->from};
    return change_number(field[random_below(r, 6)], r, -1, 3);
}

static bool change_kind(struct strata_plan *plan, struct random *r)
{
    if (plan->nsteps == 0) {
        return false;
    }
    struct strata_step *step = &plan->steps[draw_step(plan, r)];
    uint8_t before = step->op;
    step->op = (uint8_t)random_below(r, STRATA_STEP_COUNT + 1);
    return step->op != before;
}

/* --- sets --------------------------------------------------------------------------------------
 */

static const unsigned with_set =
    1u << STRATA_HAS_BLOCKS | 1u << STRATA_HAS_RANKS | 1u << STRATA_HAS_FROM;

/* The step's set, or what it reads. */
static int32_t *draw_set(struct strata_plan *plan, struct random *r)
{
    struct strata_step *step = draw_with(plan, r, with_set);
    bool from = step && strata_step_has(step->op, STRATA_HAS_FROM) && random_one_in(r, 2);
    return !step ? NULL : from ? &step->from : &step->set;
}

static bool other_set(struct strata_plan *plan, struct random *r)
{
    int32_t *set = draw_set(plan, r);
    return set && change_number(set, r, -1, plan->nsets);
}

static bool both_sets_exchanged(struct strata_plan *plan, struct random *r)
{
    struct strata_step *step = draw_with(plan, r, 1u << STRATA_HAS_FROM);
    if (!step) {
        return false;
    }
    int32_t set = step->set;
    step->set = step->from;
    step->from = set;
    return step->set != step->from;
}

static bool change_set_step(struct strata_plan *plan, struct random *r)
{
    struct strata_step *step = draw_with(plan, r, with_set);
    return step && change_number(&step->set_step, r, -3, 3);
}

/* Copies the set, so that other steps keep theirs. NULL: it has no box, or too many. */
static struct strata_box *own_box(struct strata_plan *plan, struct random *r)
{
    int32_t *index = draw_set(plan, r);
    if (!index || *index < 0) {
        return NULL;
    }
    struct strata_plan_set set = plan->sets[*index];
    if (set.nboxes == 0 || set.nboxes > MUTATION_BOXES) {
        return NULL;
    }
    *index = edit_add_set(plan, &plan->boxes[set.first_box], set.nboxes);
    return &plan->boxes[plan->sets[*index].first_box + random_below(r, set.nboxes)];
}

static bool change_origin(struct strata_plan *plan, struct random *r)
{
    struct strata_box *box = own_box(plan, r);
    return box && change_number(&box->origin, r, -1, box->space);
}

static bool change_limit(struct strata_plan *plan, struct random *r)
{
    struct strata_box *box = own_box(plan, r);
    return box && change_number(&box->limit, r, -1, box->space + 1);
}

static bool change_down(struct strata_plan *plan, struct random *r)
{
    struct strata_box *box = own_box(plan, r);
    if (box) {
        box->down = !box->down;
    }
    return box;
}

static bool change_store(struct strata_plan *plan, struct random *r)
{
    struct strata_box *box = own_box(plan, r);
    int16_t before = box ? box->store : 0;
    if (box) {
        box->store = (int16_t)random_below(r, STRATA_STORE_COUNT + 1);
    }
    return box && box->store != before;
}

static bool change_dim(struct strata_plan *plan, struct random *r)
{
    struct strata_box *box = own_box(plan, r);
    if (!box) {
        return false;
    }
    struct strata_dim *dim = &box->dim[random_below(r, box->ndims)];
    int32_t *const number[] = {&dim->start, &dim->length, &dim->stride, &dim->extent};
    return change_number(number[random_below(r, 4)], r, -1, box->space + 1);
}

/* --- the whole plan ----------------------------------------------------------------------------
 */

static bool flip(bool *fact)
{
    *fact = !*fact;
    return true;
}

static bool change_size(size_t *size, struct random *r)
{
    size_t before = *size;
    *size = random_one_in(r, 3)   ? 0
            : random_one_in(r, 2) ? *size + 1
                                  : *size - (*size > 0 ? (size_t)1 : 0);
    return *size != before;
}

static bool change_limits(struct strata_plan *plan, struct random *r)
{
    switch (random_below(r, 3)) {
    case 0:
        return change_number(&plan->limits.passes, r, -1, 5);
    case 1:
        return change_size(&plan->limits.threshold, r);
    default:
        return change_size(&plan->limits.slice, r);
    }
}

static bool change_exchange(struct strata_plan *plan, struct random *r)
{
    struct strata_exchange *x = &plan->exchange;
    int64_t *room = random_one_in(r, 2) ? &x->lane_items : &x->lane_messages;
    switch (random_below(r, 4)) {
    case 0:
        return change_number(&x->lanes, r, -1, 4);
    case 1:
        return flip(&x->staged);
    case 2:
        return flip(&x->exposes);
    default:
        *room += random_one_in(r, 3) ? 1 : -1;
        return true;
    }
}

static bool change_blocks(struct strata_plan *plan, struct random *r)
{
    struct strata_blocks *b = &plan->blocks;
    bool *const fact[] = {&b->work_alike, &b->shared, &b->by_position, &b->keeps_input, &b->once};
    int32_t *const number[] = {&b->count, &b->work, &b->work_first, &b->slot};
    switch (random_below(r, 4)) {
    case 0:
        return flip(fact[random_below(r, 5)]);
    case 1:
        b->ring = (uint8_t)((b->ring + random_between(r, 1, STRATA_RINGS)) % (STRATA_RINGS + 1));
        return true;
    case 2:
        b->exposes ^= (uint8_t)random_between(r, 1, 3);
        return true;
    default:
        return change_number(number[random_below(r, 4)], r, -1, 2 * b->count + 1);
    }
}

static bool change_keeps_input(struct strata_plan *plan, struct random *r)
{
    (void)r;
    return strata_plan_over_blocks(plan) && flip(&plan->blocks.keeps_input);
}

static bool change_order(struct strata_plan *plan, struct random *r)
{
    return flip(random_one_in(r, 2) ? &plan->keeps_order : &plan->left_fold);
}

static bool change_collective(struct strata_plan *plan, struct random *r)
{
    enum strata_collective before = plan->collective;
    plan->collective = (enum strata_collective)random_below(r, STRATA_COLLECTIVE_COUNT);
    return plan->collective != before;
}

static bool change_root(struct strata_plan *plan, struct random *r)
{
    return change_number(&plan->root, r, -1, plan->topology->ranks);
}

static bool change_rank(struct strata_plan *plan, struct random *r)
{
    return change_number(&plan->rank, r, -1, plan->topology->ranks);
}

static bool change_mark(struct strata_plan *plan, struct random *r)
{
    plan->mark ^= 1u << random_below(r, STRATA_MARK_BITS + 1);
    return true;
}

/* Less than the plan posts. */
static bool change_posting(struct strata_plan *plan, struct random *r)
{
    struct strata_posting *p = &plan->posting;
    int64_t *const items[] = {&p->items, &p->split_items, &p->typed_items};
    int which = random_below(r, 4);
    if (which == 3) {
        return p->messages > 0 && p->messages-- > 0;
    }
    return *items[which] > 0 && (*items[which])-- > 0;
}

const struct mutation mutations[] = {
    {"drop a step", drop_step, false, false},
    {"duplicate a step", duplicate_step, false, false},
    {"repeat a step elsewhere", repeat_elsewhere, false, false},
    {"move a step", move_step, false, false},
    {"swap two steps", swap_steps, false, false},
    {"add a signal", add_signal, false, false},
    {"add an await", add_await, false, false},
    {"add a wait", add_wait, false, false},
    {"change a peer", change_peer, false, false},
    {"change a lane", change_lane, false, false},
    {"change a signal", change_signal, false, false},
    {"change what may stay open", change_open, false, false},
    {"change a repeat's times", change_times, false, false},
    {"change a wait's kind", change_direct, false, false},
    {"change how blocks travel", change_how, false, false},
    {"change a workshare", change_workshare, false, false},
    {"change any field", change_any_field, false, false},
    {"change a step's kind", change_kind, false, false},
    {"take another set", other_set, false, false},
    {"exchange two sets", both_sets_exchanged, false, false},
    {"change a set's step", change_set_step, false, false},
    {"change a box's origin", change_origin, false, false},
    {"change a box's limit", change_limit, false, false},
    {"turn a box round", change_down, false, false},
    {"change a box's store", change_store, false, false},
    {"change a box's dimension", change_dim, false, false},
    {"change the limits", change_limits, true, false},
    {"change the exchange", change_exchange, true, false},
    {"change the blocks", change_blocks, true, false},
    {"change what keeps its input", change_keeps_input, true, false},
    {"change the order", change_order, true, false},
    {"change the collective", change_collective, true, false},
    {"change the root", change_root, true, false},
    {"change the rank", change_rank, false, false},
    {"change the mark", change_mark, true, false},
    {"change what is posted", change_posting, false, true},
};
const int nmutations = sizeof mutations / sizeof *mutations;
