/* Faults in plans of vectors that go through slots in many passes (tests/hier/faults.h). They
 * concern what only such plans have: shares of leaders, segments of passes, credits of members,
 * operands in slots.
 *
 * sanitized long: STRATA_TEST_LONG=1
 * timeout: 300 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/check/check.h"
#include "core/engine/node_memory.h"
#include "hier/registry.h"
#include "tests/algorithms.h"
#include "tests/assert_cmp.h"
#include "tests/hier/faults.h"
#include "tests/long.h"
#include "tests/random.h"

enum { MOST_RANKS = 7, MOST_NODES = 3, MOST_BYTES = 4000, BOXES = 64 };

static const struct {
    const char *name;
    enum strata_collective collective;
} algorithms[] = {{"node_bcast", STRATA_BCAST},
                  {"node_allreduce", STRATA_ALLREDUCE},
                  {"node_reduce", STRATA_REDUCE},
                  {"dpml", STRATA_ALLREDUCE},
                  {"dpml", STRATA_REDUCE},
                  {"node_scan", STRATA_SCAN},
                  {"node_scan", STRATA_EXSCAN},
                  {"dpml", STRATA_ALLREDUCE},
                  {"node_reduce_scatter", STRATA_REDUCE_SCATTER},
                  {"node_reduce_scatter", STRATA_REDUCE_SCATTER_BLOCK},
                  {"node_levels", STRATA_BCAST},
                  {"node_levels", STRATA_REDUCE},
                  {"node_levels", STRATA_ALLREDUCE}};

struct trial {
    struct random r;
    struct strata_topology *topology, *flat;
    struct strata_problem problem;
    const struct strata_algorithm *algorithm;
    int ranks;
    struct strata_plan *of[MOST_RANKS];
};

/* --- looking -----------------------------------------------------------------------------------
 */

static bool is_empty(const struct victim *v, int at)
{
    return strata_set_count(set_at(v->plan, at)) == 0;
}

/* Draws a step that reads the slots. */
static int draw_reader(struct victim *v, unsigned kinds)
{
    int found = 0, at = -1;
    for (int i = 0; i < v->plan->nsteps; i++) {
        if (is_one_of(v->plan, i, kinds) && !is_empty(v, i) &&
            strata_set_is_in(from_at(v->plan, i), STRATA_SLOT) &&
            random_below(v->random, ++found) == 0) {
            at = i;
        }
    }
    return at;
}

static const unsigned copies = 1u << STRATA_STEP_COPY,
                      reductions = 1u << STRATA_STEP_REDUCE | 1u << STRATA_STEP_FOLD;
static const unsigned messages = 1u << STRATA_STEP_SEND_BLOCKS | 1u << STRATA_STEP_RECV_BLOCKS;

/* --- faults ------------------------------------------------------------------------------------
 */

/* Uses another member's operands or results for the share. Harmless: the other one has the same. */
static enum outcome share_of_another(struct victim *v)
{
    int at = draw_reader(v, copies | reductions), members = my_members(v);
    struct strata_box boxes[BOXES];
    if (at < 0 || members == 1) {
        return NO_PLACE;
    }
    struct strata_set from = from_at(v->plan, at);
    int further = random_between(v->random, 1, members - 1) * v->plan->blocks.count;
    if (holds_the_same(v->plan, at,
                       (int)(from.boxes[0].origin + further) / v->plan->blocks.count % members)) {
        return HARMLESS;
    }
    ASSERT_CMP(from.nboxes, <=, BOXES);
    for (int i = 0; i < from.nboxes; i++) {
        boxes[i] = from.boxes[i];
        boxes[i].origin = (boxes[i].origin + further) % boxes[i].space;
    }
    v->plan->steps[at].from = edit_add_set(v->plan, boxes, from.nboxes);
    return DONE;
}

/* All passes move the first pass's data. Harmless: one pass only, or nothing to move. */
static enum outcome segment_of_another_pass(struct victim *v)
{
    int at = draw_step(v, copies | reductions | messages, 0);
    if (at < 0) {
        return NO_PLACE;
    }
    if (v->plan->limits.passes == 1 || v->plan->steps[at].set_step == 0 || is_empty(v, at)) {
        return HARMLESS;
    }
    v->plan->steps[at].set_step = 0;
    return DONE;
}

static bool hears_of_all_before(const struct strata_plan *plan, int at)
{
    for (int i = 0; i < at; i++) {
        if (plan->steps[i].op == STRATA_STEP_AWAIT) {
            return true;
        }
    }
    return false;
}

/* Gives a credit for more than the member knows, so that others take its slot's place as free.
 * Harmless: it has waited for others before, who may all have come. */
static enum outcome credit_given_unheard(struct victim *v)
{
    int at = draw_step(v, bit(STRATA_STEP_SIGNAL), 0);
    if (at < 0 || my_members(v) == 1) {
        return NO_PLACE;
    }
    if (v->plan->steps[at].count != STRATA_SIGNAL_ARRIVED || hears_of_all_before(v->plan, at)) {
        return HARMLESS;
    }
    v->plan->steps[at].count = STRATA_SIGNAL_RELEASED;
    for (int i = at + 1; i < v->plan->nsteps; i++) { /* its later signals give more credit */
        struct strata_step *step = &v->plan->steps[i];
        if (step->op == STRATA_STEP_SIGNAL && step->count == STRATA_SIGNAL_RELEASED) {
            step->count = STRATA_SIGNAL_DONE;
        }
    }
    return DONE;
}

static enum outcome operand_left_out(struct victim *v)
{
    int at = draw_step(v, reductions, 0);
    if (at < 0) {
        return NO_PLACE;
    }
    if (is_empty(v, at)) {
        return HARMLESS;
    }
    edit_remove(v->plan, at);
    return DONE;
}

static enum outcome operand_twice(struct victim *v)
{
    int at = draw_step(v, reductions, 0);
    if (at < 0) {
        return NO_PLACE;
    }
    if (is_empty(v, at)) {
        return HARMLESS;
    }
    edit_insert(v->plan, at, v->plan->steps[at]);
    return DONE;
}

static const struct fault faults[] = {
    {"share of another", share_of_another, false, false},
    {"segment of another pass", segment_of_another_pass, false, false},
    {"credit given unheard", credit_given_unheard, false, false},
    {"operand left out", operand_left_out, false, false},
    {"operand twice", operand_twice, false, false},
};

/* --- the trials --------------------------------------------------------------------------------
 */

/* Draws a problem that the algorithm serves. */
static void draw_problem(struct trial *t)
{
    int which;
    do {
        which = random_below(&t->r, sizeof algorithms / sizeof *algorithms);
        t->algorithm = strata_registry_find(algorithms[which].name);
        t->problem = (struct strata_problem){
            .collective = algorithms[which].collective,
            .topology = t->topology,
            .flat = t->flat,
            .capacity = {.slot = (size_t)random_between(&t->r, 192, 1024),
                         .small = random_one_in(&t->r, 2) ? STRATA_SMALL_SLOT : 0},
            .commutative = random_one_in(&t->r, 2),
            .most_bytes = (size_t)(random_one_in(&t->r, 4) ? 40 : MOST_BYTES)};
        if (strata_collective_rooted(t->problem.collective)) {
            t->problem.root = random_below(&t->r, t->ranks);
        }
        for (int i = 0; t->algorithm->parameters[i].name; i++) {
            const struct strata_parameter *p = &t->algorithm->parameters[i];
            int most = p->algorithm ? strata_parameter_most(p) : algorithm_most_drawn(p, 4);
            t->problem.parameter[i] = random_between(&t->r, p->least, most);
        }
    } while (strata_algorithm_refusal(t->algorithm, &t->problem));
}

static void trial_init(struct trial *t, uint64_t seed)
{
    int node[MOST_RANKS], package[MOST_RANKS];
    const struct strata_inner_colours inner = {{package, NULL, NULL}, NULL};
    *t = (struct trial){.r.state = seed};
    int nodes = random_between(&t->r, 1, MOST_NODES);
    t->ranks = random_between(&t->r, nodes + 1, MOST_RANKS);
    bool blocks = random_one_in(&t->r, 2);
    for (int rank = 0; rank < t->ranks; rank++) {
        node[rank] = blocks ? rank * nodes / t->ranks : random_below(&t->r, nodes);
        package[rank] = blocks ? 2 * rank / t->ranks : rank % 2;
    }
    assert_int_equal(strata_topology_from_colours(t->ranks, node, &inner, &t->topology), STRATA_OK);
    assert_int_equal(strata_topology_flat(t->ranks, &t->flat), STRATA_OK);
    if (t->topology->nodes == t->ranks) { /* each rank has a node of its own */
        strata_topology_destroy(t->topology);
        assert_int_equal(strata_topology_parse("node:1", t->ranks, &t->topology, NULL), STRATA_OK);
    }
    draw_problem(t);
    for (t->problem.rank = 0; t->problem.rank < t->ranks; t->problem.rank++) {
        assert_int_equal(
            strata_algorithm_plan(t->algorithm, &t->problem, &t->of[t->problem.rank], NULL),
            STRATA_OK);
    }
}

static void trial_fini(struct trial *t)
{
    for (int rank = 0; rank < t->ranks; rank++) {
        strata_plan_destroy(t->of[rank]);
    }
    strata_topology_destroy(t->topology);
    strata_topology_destroy(t->flat);
}

/* Tries so many calls that they go once round the checker's ring. */
static void one_trial(struct fault_tally *tally)
{
    static struct trial t;
    char text[128];
    trial_init(&t, tally->seed);
    const struct strata_plan *plan = t.of[0];
    int calls = plan->blocks.ring == STRATA_SMALL_RING ? 12 : 4;
    snprintf(text, sizeof text, "%d, %s of %s", t.ranks, plan->name,
             strata_collective_name(plan->collective));
    try_fault(&(struct faulty){t.of, t.ranks, calls, BOXES, text}, &t.r, tally);
    trial_fini(&t);
}

static void test_faults(void **state)
{
    const int wanted = long_drawn(120);
    (void)state;
    try_faults(faults, sizeof faults / sizeof *faults, one_trial, wanted, wanted / 4 + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests_name("vector_faults", tests, NULL, NULL);
}
