/* Faults in plans over items (tests/hier/faults.h).
 *
 * sanitized long: STRATA_TEST_LONG=1
 * timeout: 600 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "tests/hier/faults.h"
#include "tests/hier/plans.h"
#include "tests/long.h"

/* Adds a set of these items in this order. */
static int add_items(struct strata_plan *plan, const struct strata_box *like, const int *items,
                     int count)
{
    const enum strata_store store = (enum strata_store)like->store;
    struct strata_box boxes[PLANS_RANKS] = {
        strata_box_in(store, strata_box_range(like->space, 0, 0))};
    for (int i = 0; i < count; i++) {
        boxes[i] = strata_box_in(store, strata_box_item(like->space, items[i]));
    }
    return edit_add_set(plan, boxes, count > 0 ? count : 1);
}

/* --- looking -----------------------------------------------------------------------------------
 */

static bool is_lane_wait(const struct strata_step *step)
{
    return step->op == STRATA_STEP_WAIT && !step->direct;
}

/* --- faults ------------------------------------------------------------------------------------
 */

static enum outcome wrong_peer_in_send(struct victim *v)
{
    return change_peer(v, bit(STRATA_STEP_SEND_BLOCKS));
}

static enum outcome wrong_peer_in_recv(struct victim *v)
{
    return change_peer(v, bit(STRATA_STEP_RECV_BLOCKS));
}

/* Whether an item that arrives before the wait at `at` is touched before the next wait. */
static bool lane_wait_matters(const struct strata_plan *plan, int at)
{
    int first = at, next = at + 1;
    while (first > 0 && !is_lane_wait(&plan->steps[first - 1])) {
        first--;
    }
    for (; next < plan->nsteps && !is_lane_wait(&plan->steps[next]); next++) {
        const struct strata_step *later = &plan->steps[next];
        if (bit(later->op) & (bit(STRATA_STEP_INDEX) | bit(STRATA_STEP_COPY_OUT) |
                              bit(STRATA_STEP_SIGNAL) | bit(STRATA_STEP_END))) {
            return true;
        }
        for (int i = first; i < at; i++) {
            const struct strata_step *recv = &plan->steps[i];
            bool both = recv->op == STRATA_STEP_RECV_BLOCKS &&
                        later->op == STRATA_STEP_RECV_BLOCKS && recv->lane == later->lane;
            for (int k = 0; both && k < plan->topology->nodes; k++) {
                if (strata_set_contains(set_at(plan, i), k) &&
                    strata_set_contains(set_at(plan, next), k)) {
                    return true;
                }
            }
        }
    }
    return next == plan->nsteps;
}

/* Whether this is the only wait for the direct messages before it. */
static bool direct_wait_matters(const struct strata_plan *plan, int at)
{
    bool moved = false;
    for (int i = 0; i < plan->nsteps; i++) {
        const struct strata_step *s = &plan->steps[i];
        bool all = s->op == STRATA_STEP_WAIT && s->direct && s->count == 0 && i != at;
        if (all && i > at) {
            return false;
        }
        moved = i < at ? (moved || s->op == STRATA_STEP_DIRECT) && !all : moved;
    }
    return moved;
}

/* Harmless: the wait only bounds the open messages, and a later wait completes them before any step
 * touches their data. */
static enum outcome missing_wait(struct victim *v)
{
    int at = draw_step(v, bit(STRATA_STEP_WAIT), 0);
    if (at < 0) {
        return NO_PLACE;
    }
    const struct strata_step *wait = &v->plan->steps[at];
    if (wait->count > 0 ||
        !(wait->direct ? direct_wait_matters(v->plan, at) : lane_wait_matters(v->plan, at))) {
        return HARMLESS;
    }
    edit_remove(v->plan, at);
    return DONE;
}

/* Loses an item, or, where the order counts, moves the first item to the end. */
static enum outcome wrong_set(struct victim *v)
{
    const unsigned lane_kinds = bit(STRATA_STEP_SEND_BLOCKS) | bit(STRATA_STEP_RECV_BLOCKS);
    const unsigned kinds =
        lane_kinds | bit(STRATA_STEP_COPY) | bit(STRATA_STEP_COPY_OUT) | bit(STRATA_STEP_DIRECT);
    int at = draw_step(v, kinds, 0), items[PLANS_RANKS], count = 0;
    if (at < 0) {
        return NO_PLACE;
    }
    struct strata_set set = set_at(v->plan, at);
    struct strata_set_iterator it;
    struct strata_run run;
    for (strata_set_begin(&it, set); strata_set_next(&it, &run);) {
        for (int i = run.first; i < run.first + run.count; i++) {
            items[count++] = i;
        }
    }
    bool reorder =
        (bit(v->plan->steps[at].op) & lane_kinds) && count > 1 && random_one_in(v->random, 3);
    int lost = reorder ? 0 : random_below(v->random, count), item = items[lost];
    memmove(&items[lost], &items[lost + 1], (size_t)(count - lost - 1) * sizeof *items);
    items[count - 1] = item;
    struct strata_step *step = &v->plan->steps[at];
    struct strata_box box = set.boxes[0];
    int left = reorder ? count : count - 1;
    step->set = add_items(v->plan, &box, items, left);
    if (step->op == STRATA_STEP_COPY) {
        box.store = STRATA_INPUT_AT;
        step->from = add_items(v->plan, &box, items, left);
    }
    return DONE;
}

/* The steps of a round: from one wait to the next. */
struct round {
    int begin, end;
};

static int find_rounds(const struct strata_plan *plan, struct round *rounds, int most)
{
    int count = 0, begin = 0;
    for (int i = 0; i < plan->nsteps && count < most; i++) {
        begin = plan->steps[i].op == STRATA_STEP_INDEX ? i + 1 : begin;
        if (is_lane_wait(&plan->steps[i])) {
            rounds[count++] = (struct round){begin, i + 1};
            begin = i + 1;
        }
    }
    return count;
}

static bool rounds_meet(const struct strata_plan *plan, struct round a, struct round b)
{
    for (int i = a.begin; i < a.end; i++) {
        for (int j = b.begin; j < b.end; j++) {
            bool both = plan->steps[i].op == STRATA_STEP_SEND_BLOCKS &&
                        plan->steps[j].op == STRATA_STEP_SEND_BLOCKS;
            for (int k = 0; both && k < plan->topology->nodes; k++) {
                if (strata_set_contains(set_at(plan, i), k) &&
                    strata_set_contains(set_at(plan, j), k)) {
                    return true;
                }
            }
        }
    }
    return false;
}

static int append(struct strata_step *to, int count, const struct strata_step *steps, int begin,
                  int end)
{
    memcpy(&to[count], &steps[begin], (size_t)(end - begin) * sizeof *to);
    return count + end - begin;
}

/* Harmless: rounds that share no item may come in any order. An item for a node without a
 * destination on its lane is empty, and nobody reads it. */
static enum outcome swapped_rounds(struct victim *v)
{
    struct round rounds[16];
    struct strata_step *old = v->plan->steps;
    int count = find_rounds(v->plan, rounds, 16), n = 0;
    if (count < 2) {
        return NO_PLACE;
    }
    int first = random_below(v->random, count - 1);
    struct round a = rounds[first], b = rounds[random_between(v->random, first + 1, count - 1)];
    if (!rounds_meet(v->plan, a, b) || v->plan->exchange.lanes > v->plan->topology->smallest) {
        return HARMLESS;
    }
    v->plan->steps = edit_copy_array(old, v->plan->nsteps, v->plan->nsteps + 1, sizeof *old);
    n = append(v->plan->steps, a.begin, old, b.begin, b.end);
    n = append(v->plan->steps, n, old, a.end, b.begin);
    append(v->plan->steps, n, old, a.begin, a.end);
    strata_release(old);
    return DONE;
}

/* Harmless: the member waits for nobody but itself. */
static enum outcome missing_await(struct victim *v)
{
    int at = draw_step(v, bit(STRATA_STEP_AWAIT), 0);
    if (at < 0 || !awaits_others(v, at)) {
        return at < 0 ? NO_PLACE : HARMLESS;
    }
    edit_remove(v->plan, at);
    return DONE;
}

/* Fills and reads slots without checking whether the others have filled theirs, or still read the
 * last use. Harmless as above. */
static enum outcome no_arrival_awaited(struct victim *v)
{
    int removed = 0, seen = 0;
    for (int i = v->plan->nsteps - 1; i >= 0; i--) {
        const struct strata_step *s = &v->plan->steps[i];
        if (s->op == STRATA_STEP_AWAIT && s->count != STRATA_SIGNAL_DONE) {
            seen++;
            removed += awaits_others(v, i);
            edit_remove(v->plan, i);
        }
    }
    return removed ? DONE : seen ? HARMLESS : NO_PLACE;
}

/* DONE before the last wait; ARRIVED and RELEASED before the slot is filled. Harmless: nobody waits
 * for the signal. */
static enum outcome early_signal(struct victim *v)
{
    int at = draw_step(v, bit(STRATA_STEP_SIGNAL), 0);
    if (at < 0 || !is_awaited(v, v->plan->steps[at].count)) {
        return at < 0 ? NO_PLACE : HARMLESS;
    }
    struct strata_step signal = v->plan->steps[at];
    int before = at - 1;
    while (signal.count == STRATA_SIGNAL_DONE ? !is_lane_wait(&v->plan->steps[before])
                                              : v->plan->steps[before].op != STRATA_STEP_COPY) {
        before--;
    }
    edit_remove(v->plan, at);
    edit_insert(v->plan, before, signal);
    return DONE;
}

static enum outcome wrong_lane(struct victim *v)
{
    const unsigned kinds = bit(STRATA_STEP_SEND_BLOCKS) | bit(STRATA_STEP_RECV_BLOCKS) |
                           bit(STRATA_STEP_INDEX) | bit(STRATA_STEP_COPY_OUT);
    int at = draw_step(v, kinds, 0), lanes = v->plan->exchange.lanes;
    if (at < 0 || lanes < 2) {
        return NO_PLACE;
    }
    int32_t *lane = &v->plan->steps[at].lane;
    *lane = (*lane + random_between(v->random, 1, lanes - 1)) % lanes;
    return DONE;
}

static enum outcome missing_step(struct victim *v)
{
    const unsigned kinds = bit(STRATA_STEP_SEND_BLOCKS) | bit(STRATA_STEP_RECV_BLOCKS) |
                           bit(STRATA_STEP_INDEX) | bit(STRATA_STEP_COPY) |
                           bit(STRATA_STEP_COPY_OUT) | bit(STRATA_STEP_DIRECT);
    return remove_step(v, kinds, 0);
}

static enum outcome missing_copy_in(struct victim *v)
{
    return remove_step(v, bit(STRATA_STEP_COPY), 0);
}

static enum outcome missing_copy_out(struct victim *v)
{
    return remove_step(v, bit(STRATA_STEP_COPY_OUT), 0);
}

static enum outcome step_twice(struct victim *v)
{
    const unsigned kinds = bit(STRATA_STEP_SEND_BLOCKS) | bit(STRATA_STEP_RECV_BLOCKS) |
                           bit(STRATA_STEP_SIGNAL) | bit(STRATA_STEP_COPY) |
                           bit(STRATA_STEP_COPY_OUT) | bit(STRATA_STEP_DIRECT);
    return repeat_step(v, kinds);
}

static int find_step(const struct strata_plan *plan, int op)
{
    int at = 0;
    while (at < plan->nsteps && plan->steps[at].op != op) {
        at++;
    }
    return at;
}

/* Takes the data that local peers expose before they have said where these lie. Harmless: the rank
 * has no local peers. */
static enum outcome early_taking(struct victim *v)
{
    int direct = find_step(v->plan, STRATA_STEP_DIRECT), at = v->plan->nsteps - 1;
    if (!v->plan->exchange.exposes || my_members(v) == 1) {
        return v->plan->exchange.exposes ? HARMLESS : NO_PLACE;
    }
    while (!v->plan->steps[at].direct) {
        at--;
    }
    struct strata_step wait = v->plan->steps[at];
    edit_remove(v->plan, at);
    edit_insert(v->plan, direct + 1, wait);
    return DONE;
}

static const struct fault faults[] = {
    {"wrong peer in a send", wrong_peer_in_send, false, false},
    {"wrong peer in a receive", wrong_peer_in_recv, false, false},
    {"missing wait", missing_wait, false, false},
    {"wrong set", wrong_set, false, false},
    {"swapped rounds", swapped_rounds, false, false},
    {"missing await", missing_await, false, false},
    {"no arrival awaited", no_arrival_awaited, false, false},
    {"missing signal", missing_signal, false, false},
    {"early signal", early_signal, false, false},
    {"wrong lane", wrong_lane, false, false},
    {"missing step", missing_step, false, false},
    {"missing copy_in", missing_copy_in, false, false},
    {"missing copy_out", missing_copy_out, false, false},
    {"step twice", step_twice, false, false},
    {"early taking", early_taking, false, false},
};

/* --- the trials --------------------------------------------------------------------------------
 */

/* Plans of an algorithm on a random layout of 2 to 24 ranks. */
static void draw_plans(struct random *r, struct world *world, struct plans *plans)
{
    static const char *const names[] = {"sloav", "pairwise", "leaders", "leaders", "leaders"};
    const struct strata_algorithm *algorithm =
        strata_registry_find(names[random_below(r, sizeof names / sizeof *names)]);
    int parameter[STRATA_PARAMETERS] = {0};
    assert_non_null(algorithm);
    world_random(r, random_between(r, 2, 24), world);
    parameters_random(r, algorithm, world, parameter);
    plans_build(algorithm, world, parameter, random_between(r, 1, 2), plans);
}

/* Tries three calls of fresh plans. */
static void one_trial(struct fault_tally *tally)
{
    struct random r = {tally->seed};
    struct world world;
    struct plans plans;
    draw_plans(&r, &world, &plans);
    const struct faulty faulty = {plans.of, plans.ranks, 3, 2 * plans.ranks + 2, plans.text};
    try_fault(&faulty, &r, tally);
    plans_destroy(&plans);
    world_destroy(&world);
}

static void test_faults(void **state)
{
    (void)state;
    try_faults(faults, sizeof faults / sizeof *faults, one_trial, long_drawn(150), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests_name("check_faults", tests, NULL, NULL);
}
