/* Faults in plans over blocks, by any row of the registry (tests/hier/faults.h).
 *
 * sanitized long: STRATA_TEST_LONG=1
 * timeout: 600 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/assert_cmp.h"
#include "tests/hier/catalogue.h"
#include "tests/hier/faults.h"
#include "tests/long.h"

enum { MOST_BLOCKS = 2048, MOST_FOLDS = 64 };

/* --- looking -----------------------------------------------------------------------------------
 */

static const unsigned messages = 1u << STRATA_STEP_SEND_BLOCKS | 1u << STRATA_STEP_RECV_BLOCKS;
static const unsigned combinations = 1u << STRATA_STEP_REDUCE | 1u << STRATA_STEP_FOLD;
static const unsigned copies =
    1u << STRATA_STEP_COPY | 1u << STRATA_STEP_REDUCE | 1u << STRATA_STEP_FOLD;

/* Lists the set's blocks, one box each. Returns their number. */
static int list_blocks(struct strata_set set, struct strata_box *boxes)
{
    struct strata_set_iterator it;
    struct strata_run run;
    int count = 0;
    for (strata_set_begin(&it, set); strata_set_next(&it, &run);) {
        for (int i = run.first; i < run.first + run.count; i++) {
            int box = 0;
            while (set.boxes[box].store != run.store) {
                box++;
            }
            ASSERT_CMP(count, <, MOST_BLOCKS);
            boxes[count++] = strata_box_in((enum strata_store)run.store,
                                           strata_box_item(set.boxes[box].space, i));
        }
    }
    return count;
}

/* The memory that a box of one block names. */
static int64_t place_of(const struct strata_plan *plan, struct strata_box box)
{
    bool at = box.store == STRATA_INPUT_AT || box.store == STRATA_OUTPUT_AT;
    int store = box.store == STRATA_INPUT_AT    ? STRATA_INPUT
                : box.store == STRATA_OUTPUT_AT ? STRATA_OUTPUT
                                                : box.store;
    return (int64_t)store << 32 | (at ? plan->topology->rank_at[box.origin] : box.origin);
}

/* --- faults ------------------------------------------------------------------------------------
 */

static enum outcome missing_step(struct victim *v)
{
    int at = draw_step(v, messages | copies, 0);
    if (at < 0) {
        return NO_PLACE;
    }
    if (is_one_of(v->plan, at, copies) && strata_set_count(set_at(v->plan, at)) == 0) {
        return HARMLESS;
    }
    edit_remove(v->plan, at);
    return DONE;
}

static enum outcome missing_copy(struct victim *v)
{
    return remove_step(v, copies, 1);
}

/* Copying twice is still right. */
static enum outcome step_twice(struct victim *v)
{
    int at = draw_step(v, messages | combinations, 0);
    if (at < 0) {
        return NO_PLACE;
    }
    if (is_one_of(v->plan, at, copies) && strata_set_count(set_at(v->plan, at)) == 0) {
        return HARMLESS;
    }
    edit_insert(v->plan, at, v->plan->steps[at]);
    return DONE;
}

static enum outcome wrong_peer(struct victim *v)
{
    return change_peer(v, messages);
}

/* Removes one block from a message. */
static enum outcome lost_block(struct victim *v)
{
    static struct strata_box boxes[MOST_BLOCKS];
    int at = draw_step(v, messages, 1);
    if (at < 0) {
        return NO_PLACE;
    }
    int count = list_blocks(set_at(v->plan, at), boxes);
    boxes[random_below(v->random, count)] = boxes[count - 1];
    v->plan->steps[at].set = edit_add_set(v->plan, boxes, count - 1);
    return DONE;
}

/* A scan's vectors in the shared store: vectors of later ranks may arrive on a node where nobody
 * reads them. */
static bool may_be_unread(const struct strata_plan *plan, int at)
{
    enum strata_result result = strata_collective_info[plan->collective].result;
    return is_one_of(plan, at, messages) && plan->blocks.shared &&
           (result == STRATA_UP_TO_ME || result == STRATA_BEFORE_ME);
}

/* Swaps two blocks of a message. */
static enum outcome wrong_order(struct victim *v)
{
    static struct strata_box boxes[MOST_BLOCKS];
    int at = draw_step(v, messages, 2);
    if (at < 0) {
        return NO_PLACE;
    }
    if (may_be_unread(v->plan, at)) {
        return HARMLESS;
    }
    int count = list_blocks(set_at(v->plan, at), boxes);
    int one = random_below(v->random, count - 1),
        other = random_between(v->random, one + 1, count - 1);
    struct strata_box box = boxes[one];
    boxes[one] = boxes[other];
    boxes[other] = box;
    v->plan->steps[at].set = edit_add_set(v->plan, boxes, count);
    return DONE;
}

/* Takes the next block instead. Harmless: commuting operands may meet in another place; the next
 * slot holds the same. */
static enum outcome wrong_block(struct victim *v)
{
    static struct strata_box boxes[MOST_BLOCKS];
    int at = draw_step(v, messages | copies, 1);
    if (at < 0) {
        return NO_PLACE;
    }
    if ((is_one_of(v->plan, at, combinations) && !v->plan->keeps_order) ||
        may_be_unread(v->plan, at)) {
        return HARMLESS;
    }
    bool from = is_one_of(v->plan, at, copies) && random_one_in(v->random, 2);
    int count = list_blocks(from ? from_at(v->plan, at) : set_at(v->plan, at), boxes);
    struct strata_box *box = &boxes[random_below(v->random, count)];
    if (box->space == 1) {
        return HARMLESS;
    }
    box->origin = (box->origin + 1) % box->space;
    if (from && box->store == STRATA_SLOT &&
        holds_the_same(v->plan, at, (int)(box->origin / v->plan->blocks.count))) {
        return HARMLESS;
    }
    int set = edit_add_set(v->plan, boxes, count);
    *(from ? &v->plan->steps[at].from : &v->plan->steps[at].set) = set;
    return DONE;
}

/* Swaps source and destination. A reduction then gives the right result in the wrong place. */
static enum outcome from_for_into(struct victim *v)
{
    int at = draw_step(v, copies, 1);
    if (at < 0) {
        return NO_PLACE;
    }
    struct strata_step *step = &v->plan->steps[at];
    int32_t from = step->from;
    step->from = step->set;
    step->set = from;
    return DONE;
}

/* Swaps the operands. */
static enum outcome operands_swapped(struct victim *v)
{
    int at = draw_step(v, combinations, 1);
    if (at < 0 || !v->plan->keeps_order) {
        return NO_PLACE;
    }
    struct strata_step *step = &v->plan->steps[at];
    step->op = step->op == STRATA_STEP_FOLD ? STRATA_STEP_REDUCE : STRATA_STEP_FOLD;
    return DONE;
}

/* The number of steps from there on that fold into the copy's destination, ignoring waits. */
static int folded_into(const struct strata_plan *plan, int at, int *folds)
{
    int found = 0;
    for (int i = at + 1; i < plan->nsteps; i++) {
        const struct strata_step *step = &plan->steps[i];
        if (step->op == STRATA_STEP_FOLD && step->set == plan->steps[at].set &&
            found < MOST_FOLDS) {
            folds[found++] = i;
        } else if (step->op != STRATA_STEP_AWAIT) {
            break;
        }
    }
    return found;
}

/* Computes a o (b o c) for (a o b) o c: in the order of ranks, but not from the left. */
static enum outcome folds_from_the_right(struct victim *v)
{
    struct strata_step *step = v->plan->steps;
    int folds[MOST_FOLDS + 1], at = draw_step(v, bit(STRATA_STEP_COPY), 1);
    int last = at < 0 || !v->plan->left_fold ? 0 : folded_into(v->plan, at, folds + 1);
    if (last < 2) {
        return NO_PLACE;
    }
    folds[0] = at;
    for (int i = 0; i <= last; i++) {
        struct strata_step *other = &step[folds[last - i]];
        int32_t from = step[folds[i]].from;
        step[folds[i]].op = i > 0 ? STRATA_STEP_REDUCE : STRATA_STEP_COPY;
        if (i < last - i) {
            step[folds[i]].from = other->from;
            other->from = from;
        }
    }
    return DONE;
}

static enum outcome from_the_right(struct victim *v)
{
    struct strata_step *step = v->plan->steps;
    int at = draw_step(v, bit(STRATA_STEP_REDUCE), 1);
    if (at < 0 || at + 1 == v->plan->nsteps || !v->plan->left_fold ||
        step[at + 1].op != STRATA_STEP_REDUCE || step[at + 1].from != step[at].set) {
        return NO_PLACE;
    }
    int32_t left = step[at].from, right = step[at + 1].set;
    step[at].from = step[at].set;
    step[at].set = step[at + 1].set = right;
    step[at + 1].from = left;
    return DONE;
}

/* --- waits -------------------------------------------------------------------------------------
 */

/* Whether the two sets have a block in common. */
static bool meet(const struct strata_plan *plan, struct strata_set a, struct strata_set b)
{
    static struct strata_box left[MOST_BLOCKS], right[MOST_BLOCKS];
    int nleft = list_blocks(a, left), nright = list_blocks(b, right);
    bool found = false;
    for (int i = 0; i < nleft; i++) {
        for (int j = 0; j < nright && !found; j++) {
            found = place_of(plan, left[i]) == place_of(plan, right[j]);
        }
    }
    return found;
}

/* Whether the step at `later` touches the data of the open receive at `at`, or overwrites those of
 * the open send. */
static bool disturbs(const struct strata_plan *plan, int at, int later)
{
    const struct strata_step *message = &plan->steps[at];
    bool received = message->op == STRATA_STEP_RECV_BLOCKS;
    bool writes = plan->steps[later].op != STRATA_STEP_SEND_BLOCKS;
    bool copy = is_one_of(plan, later, copies);
    if (!received && message->how == STRATA_PACKED) {
        return false;
    }
    return ((writes || received) && meet(plan, set_at(plan, at), set_at(plan, later))) ||
           (copy && received && meet(plan, set_at(plan, at), from_at(plan, later)));
}

static bool is_wait(const struct strata_plan *plan, int at)
{
    return plan->steps[at].op == STRATA_STEP_WAIT && plan->steps[at].count == 0;
}

/* Whether merging two rounds of this barrier lets a rank be overlooked: no rank is heard of
 * twice. */
static bool rounds_are_tight(const struct strata_plan *plan)
{
    int ranks = plan->topology->ranks;
    return (ranks & (ranks - 1)) == 0 && strstr(plan->name, "radix=2");
}

/* Whether a missing wait does harm. It does not where the next wait comes before any step touches
 * the messages' data. A barrier only needs the messages to have arrived. */
static bool wait_matters(const struct strata_plan *plan, int at)
{
    int first = at, later = at + 1;
    bool brings = false, barrier = plan->collective == STRATA_BARRIER && rounds_are_tight(plan);
    while (first > 0 && !is_wait(plan, first - 1)) {
        first--;
        brings = brings || plan->steps[first].op == STRATA_STEP_RECV_BLOCKS;
    }
    for (; later < plan->nsteps && !is_wait(plan, later); later++) {
        if (is_one_of(plan, later, bit(STRATA_STEP_END) | bit(STRATA_STEP_SIGNAL)) ||
            (barrier && brings && plan->steps[later].op == STRATA_STEP_SEND_BLOCKS)) {
            return true;
        }
        for (int i = first; i < at && is_one_of(plan, later, messages | copies); i++) {
            if (is_one_of(plan, i, messages) && disturbs(plan, i, later)) {
                return true;
            }
        }
    }
    return later == plan->nsteps;
}

static enum outcome missing_wait(struct victim *v)
{
    int at = draw_step(v, bit(STRATA_STEP_WAIT), 0);
    if (at <= 0 || !is_one_of(v->plan, at - 1, messages)) {
        return NO_PLACE;
    }
    if (!is_wait(v->plan, at) || !wait_matters(v->plan, at)) {
        return HARMLESS;
    }
    edit_remove(v->plan, at);
    return DONE;
}

/* --- signals -----------------------------------------------------------------------------------
 */

/* With several leaders one await is often not needed, because another one says more. */
static bool has_one_leader(const struct victim *v)
{
    return !strstr(v->plan->name, "leaders=") || strstr(v->plan->name, "leaders=1,");
}

/* Harmless: the member waits for nobody but itself. */
static enum outcome missing_await(struct victim *v)
{
    int at = draw_step(v, bit(STRATA_STEP_AWAIT), 0);
    if (at < 0 || !has_one_leader(v)) {
        return NO_PLACE;
    }
    if (!awaits_others(v, at)) {
        return HARMLESS;
    }
    edit_remove(v->plan, at);
    return DONE;
}

/* Draws an await of data that a local peer exposes only later; -1: none. */
static int draw_await_of_exposed(const struct victim *v)
{
    int at = v->plan->blocks.exposes ? draw_step(v, bit(STRATA_STEP_AWAIT), 0) : -1;
    return at >= 0 && v->plan->steps[at].count > STRATA_SIGNAL_ARRIVED ? at : -1;
}

/* Takes exposed data before the local peer has exposed them. */
static enum outcome taken_early(struct victim *v)
{
    int at = draw_await_of_exposed(v);
    if (at >= 0) {
        v->plan->steps[at].count = STRATA_SIGNAL_ARRIVED;
    }
    return at < 0 ? NO_PLACE : DONE;
}

/* In place a member's output is the input that its local peers read. */
static enum outcome overwritten_while_exposed(struct victim *v)
{
    int at = draw_await_of_exposed(v);
    if (at >= 0) {
        edit_remove(v->plan, at);
    }
    return at < 0 ? NO_PLACE : DONE;
}

/* Moves a signal to a place where it is not true yet: before the first copy to my slot, or DONE
 * before the wait for the last useful message. Harmless: nobody waits for the signal, or no
 * arriving data are read. Also harmless with several leaders. */
static enum outcome early_signal(struct victim *v)
{
    int at = draw_step(v, bit(STRATA_STEP_SIGNAL), 0), before = -1;
    if (at < 0) {
        return NO_PLACE;
    }
    struct strata_step signal = v->plan->steps[at];
    for (int i = 0; i < at; i++) {
        bool copy = v->plan->steps[i].op == STRATA_STEP_COPY && before < 0;
        bool brings = v->plan->steps[i].op == STRATA_STEP_RECV_BLOCKS &&
                      strata_set_count(set_at(v->plan, i)) > 0;
        before = (signal.count == STRATA_SIGNAL_DONE ? brings : copy) ? i : before;
    }
    if (before < 0 || may_be_unread(v->plan, before) || !is_awaited(v, signal.count) ||
        !has_one_leader(v)) {
        return HARMLESS;
    }
    edit_remove(v->plan, at);
    edit_insert(v->plan, before, signal);
    return DONE;
}

/* --- in place ----------------------------------------------------------------------------------
 */

/* The blocks that the plan has put into its output so far. */
struct written {
    bool changed[MOST_BLOCKS], any;
};

static bool reads_what_is_lost(const struct strata_plan *plan, const struct written *w,
                               struct strata_set set)
{
    static struct strata_box boxes[MOST_BLOCKS];
    int count = list_blocks(set, boxes);
    bool one = strata_output_of(plan->collective, plan->rank, plan->root) == STRATA_ONE;
    bool lost = false;
    for (int i = 0; i < count; i++) {
        int64_t place = place_of(plan, boxes[i]);
        lost = lost ||
               (place >> 32 == STRATA_INPUT && (one ? w->any : w->changed[place & UINT32_MAX]));
    }
    return lost;
}

/* A copy of the same block of the input changes nothing. */
static void record_written(const struct strata_plan *plan, struct written *w,
                           struct strata_set from, struct strata_set set)
{
    static struct strata_box boxes[MOST_BLOCKS], source[MOST_BLOCKS];
    int count = list_blocks(set, boxes), sources = list_blocks(from, source);
    for (int i = 0; i < count; i++) {
        int64_t place = place_of(plan, boxes[i]),
                other = i < sources ? place_of(plan, source[i]) : 0;
        bool same = other >> 32 == STRATA_INPUT && (uint32_t)other == (uint32_t)place;
        if (place >> 32 == STRATA_OUTPUT) {
            w->any = true;
            w->changed[place & UINT32_MAX] = w->changed[place & UINT32_MAX] || !same;
        }
    }
}

/* Whether this rank reads input that was overwritten. For plans without repeats. */
static bool needs_its_input(const struct strata_plan *plan)
{
    static struct written w;
    bool needs = false;
    memset(&w, 0, sizeof w);
    for (int i = 0; i < plan->nsteps && !needs; i++) {
        bool copy = is_one_of(plan, i, bit(STRATA_STEP_COPY));
        bool reduce = is_one_of(plan, i, bit(STRATA_STEP_REDUCE)) ||
                      is_one_of(plan, i, bit(STRATA_STEP_FOLD));
        if (copy || reduce) {
            needs = reads_what_is_lost(plan, &w, from_at(plan, i));
            record_written(plan, &w, copy ? from_at(plan, i) : (struct strata_set){0},
                           set_at(plan, i));
        } else if (is_one_of(plan, i, bit(STRATA_STEP_SEND_BLOCKS))) {
            needs = reads_what_is_lost(plan, &w, set_at(plan, i));
        } else if (is_one_of(plan, i, bit(STRATA_STEP_RECV_BLOCKS))) {
            record_written(plan, &w, (struct strata_set){0}, set_at(plan, i));
        }
    }
    return needs;
}

/* Does not save the input in place. Harmless where nothing is lost. */
static enum outcome input_not_kept(struct victim *v)
{
    if (!v->plan->blocks.keeps_input) {
        return NO_PLACE;
    }
    v->plan->blocks.keeps_input = false;
    return needs_its_input(v->plan) ? DONE : HARMLESS;
}

static const struct fault faults[] = {
    {"missing step", missing_step, false, false},
    {"missing copy", missing_copy, false, false},
    {"step twice", step_twice, false, false},
    {"wrong peer", wrong_peer, false, false},
    {"lost block", lost_block, false, false},
    {"wrong order", wrong_order, false, false},
    {"wrong block", wrong_block, false, false},
    {"from for into", from_for_into, false, false},
    {"operands swapped", operands_swapped, false, false},
    {"from the right", from_the_right, false, false},
    {"folds from the right", folds_from_the_right, false, false},
    {"missing wait", missing_wait, false, false},
    {"missing await", missing_await, false, true},
    {"missing signal", missing_signal, false, true},
    {"early signal", early_signal, false, true},
    {"input not kept", input_not_kept, true, false},
    {"taken early", taken_early, false, true},
    {"overwritten while lent", overwritten_while_exposed, true, true},
};

/* --- the trials --------------------------------------------------------------------------------
 */

/* Tries two calls of the plans. */
static void put_fault(const struct catalogue_case *c, struct random *r, void *argument)
{
    const struct faulty plans = {c->of, c->problem.flat->ranks, 2, 2 * MOST_BLOCKS, c->text};
    try_fault(&plans, r, argument);
}

/* Draws an algorithm over blocks, and one of its collectives. */
static const struct strata_algorithm *draw_algorithm(struct random *r, bool node_aware,
                                                     enum strata_collective *collective)
{
    int algorithms = 0;
    while (strata_registry_at(algorithms)) {
        algorithms++;
    }
    for (;;) {
        const struct strata_algorithm *algorithm = strata_registry_at(random_below(r, algorithms));
        *collective = (enum strata_collective)random_below(r, STRATA_COLLECTIVE_COUNT);
        if ((!node_aware || algorithm->level == STRATA_NODE_AWARE) &&
            algorithm_serves(algorithm, *collective) &&
            !algorithm_over_items_for(algorithm, *collective)) {
            return algorithm;
        }
    }
}

static void one_trial(struct fault_tally *tally)
{
    struct random r = {tally->seed};
    struct world world;
    struct catalogue_tally ignored = {0};
    struct catalogue_question q = {.roots = 1, .choices = 1, .shapes = 1, .most = 20000};
    q.algorithm = draw_algorithm(&r, tally->fault->node_aware, &q.collective);
    q.world = &world;
    catalogue_world(&r, random_between(&r, 2, 20), random_below(&r, 2), &world);
    catalogue_each(&q, &r, put_fault, tally, &ignored);
    world_destroy(&world);
}

static void test_faults(void **state)
{
    (void)state;
    try_faults(faults, sizeof faults / sizeof *faults, one_trial, long_drawn(200), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests_name("block_faults", tests, NULL, NULL);
}
