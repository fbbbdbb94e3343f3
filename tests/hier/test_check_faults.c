/* Right plans, one fault put into one rank's copy at a place drawn from a seed: the checker finds
 * every one. Where a fault would be harmless, a rule beside it says why, and such places are
 * counted apart.
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
#include "tests/hier/edit.h"
#include "tests/hier/plans.h"
#include "tests/long.h"

/* A rank's plan to put a fault into. */
struct victim {
    struct random *random;
    const struct world *world;
    const struct plans *right;
    struct strata_plan *plan; /* a copy, with room for one more step and two sets of single items */
};

enum outcome { NO_PLACE, HARMLESS, DONE };

/* A set of these items in this order. */
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

static unsigned bit(int op)
{
    return 1u << op;
}

/* A step of one of these kinds, -1 when the plan has none. */
static int draw_step(const struct victim *v, unsigned kinds)
{
    int found = 0, at = -1;
    for (int i = 0; i < v->plan->nsteps; i++) {
        if ((kinds & bit(v->plan->steps[i].op)) && random_below(v->random, ++found) == 0) {
            at = i;
        }
    }
    return at;
}

static struct strata_set set_at(const struct strata_plan *plan, int at)
{
    return strata_plan_set_of(plan, &plan->steps[at], 0);
}

static int my_members(const struct victim *v)
{
    const struct strata_topology *t = v->plan->topology;
    return strata_topology_node_size(t, t->node_of[v->plan->rank]);
}

static bool is_lane_wait(const struct strata_step *step)
{
    return step->op == STRATA_STEP_WAIT && !step->direct;
}

/* Does another member of my node wait for exactly this signal of mine? */
static bool is_awaited(const struct victim *v, int signal)
{
    const struct strata_topology *t = v->plan->topology;
    int node = t->node_of[v->plan->rank], local = t->local_of[v->plan->rank];
    for (int m = 0; m < my_members(v); m++) {
        const struct strata_plan *plan = v->right->of[strata_topology_rank(t, node, m)];
        for (int i = 0; i < plan->nsteps && m != local; i++) {
            const struct strata_step *s = &plan->steps[i];
            if (s->op == STRATA_STEP_AWAIT && s->count == signal &&
                (s->peer == local || s->peer == STRATA_ALL_MEMBERS)) {
                return true;
            }
        }
    }
    return false;
}

/* --- faults ------------------------------------------------------------------------------------
 */

static enum outcome wrong_peer(struct victim *v, int op)
{
    int at = draw_step(v, bit(op)), ranks = v->plan->topology->ranks;
    if (at < 0) {
        return NO_PLACE;
    }
    int32_t *peer = &v->plan->steps[at].peer;
    *peer = (*peer + random_between(v->random, 1, ranks - 1)) % ranks;
    return DONE;
}

static enum outcome wrong_peer_in_send(struct victim *v)
{
    return wrong_peer(v, STRATA_STEP_SEND_BLOCKS);
}

static enum outcome wrong_peer_in_recv(struct victim *v)
{
    return wrong_peer(v, STRATA_STEP_RECV_BLOCKS);
}

/* Is an item that a receive before the wait at `at` brings touched before the next wait? */
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

/* Is it the only wait for the direct messages before it? */
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

/* Harmless: a wait that only bounds what is under way, as a later one completes the same messages
 * before anybody looks at what they bring. */
static enum outcome missing_wait(struct victim *v)
{
    int at = draw_step(v, bit(STRATA_STEP_WAIT));
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

/* Loses an item, or, where the order counts, has the first one last. */
static enum outcome wrong_set(struct victim *v)
{
    const unsigned lane_kinds = bit(STRATA_STEP_SEND_BLOCKS) | bit(STRATA_STEP_RECV_BLOCKS);
    const unsigned kinds =
        lane_kinds | bit(STRATA_STEP_COPY) | bit(STRATA_STEP_COPY_OUT) | bit(STRATA_STEP_DIRECT);
    int at = draw_step(v, kinds), items[PLANS_RANKS], count = 0;
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

/* The steps of a round: what stands between two waits, and the second of them. */
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

/* Harmless: rounds that move no item in common may come in any order; and an item to a node where
 * its lane has no destination is empty, nobody looks at it. */
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

/* Does the await at `at` wait for somebody else? */
static bool awaits_others(const struct victim *v, int at)
{
    int peer = v->plan->steps[at].peer;
    return peer == STRATA_ALL_MEMBERS ? my_members(v) > 1
                                      : peer != v->plan->topology->local_of[v->plan->rank];
}

/* Harmless: a member that waits for nobody but itself. */
static enum outcome missing_await(struct victim *v)
{
    int at = draw_step(v, bit(STRATA_STEP_AWAIT));
    if (at < 0 || !awaits_others(v, at)) {
        return at < 0 ? NO_PLACE : HARMLESS;
    }
    edit_remove(v->plan, at);
    return DONE;
}

/* Fills and reads slots without looking whether the others have filled theirs, or still read from
 * the last use. Harmless as above. */
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

static bool later_signal(const struct strata_plan *plan, int at)
{
    for (int i = at + 1; i < plan->nsteps; i++) {
        if (plan->steps[i].op == STRATA_STEP_SIGNAL) {
            return true;
        }
    }
    return false;
}

/* Harmless: nobody waits for it; or a later signal of the same pass, which says more, stands in for
 * it: whoever waited goes on later, but rightly. */
static enum outcome missing_signal(struct victim *v)
{
    int at = draw_step(v, bit(STRATA_STEP_SIGNAL));
    if (at < 0) {
        return NO_PLACE;
    }
    if (!is_awaited(v, v->plan->steps[at].count) || later_signal(v->plan, at)) {
        return HARMLESS;
    }
    edit_remove(v->plan, at);
    return DONE;
}

/* DONE before the last wait, ARRIVED and RELEASED before the slot is filled. Harmless: nobody waits
 * for it. */
static enum outcome early_signal(struct victim *v)
{
    int at = draw_step(v, bit(STRATA_STEP_SIGNAL));
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
    int at = draw_step(v, kinds), lanes = v->plan->exchange.lanes;
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
    int at = draw_step(v, kinds);
    if (at < 0) {
        return NO_PLACE;
    }
    edit_remove(v->plan, at);
    return DONE;
}

static enum outcome missing_copy_in(struct victim *v)
{
    int at = draw_step(v, bit(STRATA_STEP_COPY));
    if (at >= 0) {
        edit_remove(v->plan, at);
    }
    return at < 0 ? NO_PLACE : DONE;
}

static enum outcome missing_copy_out(struct victim *v)
{
    int at = draw_step(v, bit(STRATA_STEP_COPY_OUT));
    if (at >= 0) {
        edit_remove(v->plan, at);
    }
    return at < 0 ? NO_PLACE : DONE;
}

static enum outcome step_twice(struct victim *v)
{
    const unsigned kinds = bit(STRATA_STEP_SEND_BLOCKS) | bit(STRATA_STEP_RECV_BLOCKS) |
                           bit(STRATA_STEP_SIGNAL) | bit(STRATA_STEP_COPY) |
                           bit(STRATA_STEP_COPY_OUT) | bit(STRATA_STEP_DIRECT);
    int at = draw_step(v, kinds);
    if (at < 0) {
        return NO_PLACE;
    }
    edit_insert(v->plan, at, v->plan->steps[at]);
    return DONE;
}

static int find_step(const struct strata_plan *plan, int op)
{
    int at = 0;
    while (at < plan->nsteps && plan->steps[at].op != op) {
        at++;
    }
    return at;
}

/* What mates lend is taken before they are known to have said where it lies. Harmless: it has no
 * mates. */
static enum outcome early_taking(struct victim *v)
{
    int direct = find_step(v->plan, STRATA_STEP_DIRECT), at = v->plan->nsteps - 1;
    if (!v->plan->exchange.lends || my_members(v) == 1) {
        return v->plan->exchange.lends ? HARMLESS : NO_PLACE;
    }
    while (!v->plan->steps[at].direct) {
        at--;
    }
    struct strata_step wait = v->plan->steps[at];
    edit_remove(v->plan, at);
    edit_insert(v->plan, direct + 1, wait);
    return DONE;
}

static const struct fault {
    const char *name;
    enum outcome (*put)(struct victim *v);
} faults[] = {
    {"wrong peer in a send", wrong_peer_in_send},
    {"wrong peer in a receive", wrong_peer_in_recv},
    {"missing wait", missing_wait},
    {"wrong set", wrong_set},
    {"swapped rounds", swapped_rounds},
    {"missing await", missing_await},
    {"no arrival awaited", no_arrival_awaited},
    {"missing signal", missing_signal},
    {"early signal", early_signal},
    {"wrong lane", wrong_lane},
    {"missing step", missing_step},
    {"missing copy_in", missing_copy_in},
    {"missing copy_out", missing_copy_out},
    {"step twice", step_twice},
    {"early taking", early_taking},
};

/* --- the trials --------------------------------------------------------------------------------
 */

/* Plans of a row on a random layout of 2 to 24 ranks. */
static void draw_plans(struct random *r, struct world *world, struct plans *plans)
{
    static const char *const names[] = {"sloav", "pairwise", "leaders", "leaders", "leaders"};
    const struct strata_algorithm *row =
        strata_registry_find(names[random_below(r, sizeof names / sizeof *names)]);
    int parameter[STRATA_PARAMETERS] = {0};
    assert_non_null(row);
    world_random(r, random_between(r, 2, 24), world);
    parameters_random(r, row, world, parameter);
    plans_build(row, world, parameter, random_between(r, 1, 2), plans);
}

struct tally {
    int found, harmless, missed;
};

/* In how many of six runs of the plans, three calls each, the fault is found: eager and rendezvous,
 * three schedules. What is found must not depend on who happens to be first. */
static int runs_that_find(const struct plans *plans, unsigned seed)
{
    const struct strata_plan *const *calls[] = {plans_of(plans), plans_of(plans), plans_of(plans)};
    int found = 0;
    for (int i = 0; i < 6; i++) {
        struct strata_check options = {
            .rendezvous = i & 1, .seed = seed + (unsigned)i, .schedule = i / 2};
        found += strata_check_calls(calls, 3, plans->ranks, &options, NULL) == STRATA_ERR_PLAN;
    }
    return found;
}

/* One fault in one rank of fresh plans. The right plans pass first: what is found is the fault. */
static void one_trial(const struct fault *fault, uint64_t seed, struct tally *tally)
{
    struct random r = {seed};
    struct world world;
    struct plans plans;
    draw_plans(&r, &world, &plans);
    int rank = random_below(&r, plans.ranks);
    struct strata_plan *right = plans.of[rank];
    struct victim v = {&r, &world, &plans, edit_copy(right, 2 * right->topology->ranks + 2)};
    enum outcome outcome = fault->put(&v);
    tally->harmless += outcome == HARMLESS;
    if (outcome == DONE) {
        plans_require(&plans, (unsigned)seed);
        plans.of[rank] = v.plan;
        int found = runs_that_find(&plans, (unsigned)seed);
        plans.of[rank] = right;
        tally->found += found == 6;
        tally->missed += found < 6;
        if (found < 6) {
            print_error("%s, seed %llu, rank %d of %s: found in %d of 6 runs\n", fault->name,
                        (unsigned long long)seed, rank, plans.text, found);
        }
    }
    strata_plan_destroy(v.plan);
    plans_destroy(&plans);
    world_destroy(&world);
}

static void test_faults(void **state)
{
    enum { MOST = 6000 };
    const int wanted = long_drawn(150);
    int missed = 0;
    (void)state;
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        struct tally tally = {0, 0, 0};
        for (uint64_t seed = 1; seed <= MOST && tally.found + tally.missed < wanted; seed++) {
            one_trial(&faults[f], 1000003 * (f + 1) + seed, &tally);
        }
        print_message("             %-24s %4d found, %d not found (%d harmless places left out)\n",
                      faults[f].name, tally.found, tally.missed, tally.harmless);
        missed += tally.missed;
        assert_int_equal(tally.found + tally.missed, wanted);
    }
    assert_int_equal(missed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests_name("check_faults", tests, NULL, NULL);
}
