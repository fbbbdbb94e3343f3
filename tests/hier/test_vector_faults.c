/* Vectors that go through slots in many passes: right plans, one fault put into one rank's copy at
 * a place drawn from a seed, in what only such plans have (shares of leaders, segments of passes,
 * credits of members, operands in slots). The checker finds every one, in any interleaving. Where a
 * fault would be harmless, a rule beside it says why, and such places are counted apart.
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
#include "tests/hier/edit.h"
#include "tests/long.h"
#include "tests/random.h"
#include "tests/rows.h"

enum { MOST_RANKS = 7, MOST_NODES = 3, MOST_BYTES = 4000, MOST_CALLS = 12, BOXES = 64 };

static const struct {
    const char *name;
    enum strata_collective collective;
} rows[] = {{"node_bcast", STRATA_BCAST},
            {"node_allreduce", STRATA_ALLREDUCE},
            {"node_reduce", STRATA_REDUCE},
            {"dpml", STRATA_ALLREDUCE},
            {"dpml", STRATA_REDUCE},
            {"node_fold", STRATA_ALLREDUCE},
            {"node_fold", STRATA_REDUCE},
            {"node_scan", STRATA_SCAN},
            {"node_scan", STRATA_EXSCAN},
            {"dpml", STRATA_ALLREDUCE},
            {"node_reduce_scatter", STRATA_REDUCE_SCATTER},
            {"node_reduce_scatter", STRATA_REDUCE_SCATTER_BLOCK}};

struct trial {
    struct random r;
    struct strata_topology *topology, *flat;
    struct strata_problem problem;
    const struct strata_algorithm *row;
    int ranks, rank; /* whose plan is changed */
    struct strata_plan *of[MOST_RANKS], *plan;
};

enum outcome { NO_PLACE, HARMLESS, DONE };

/* --- looking -----------------------------------------------------------------------------------
 */

static int members_of(const struct trial *t)
{
    return strata_topology_node_size(t->topology, t->topology->node_of[t->rank]);
}

static struct strata_set set_of(const struct trial *t, int index)
{
    const struct strata_plan_set *s = &t->plan->sets[index];
    return (struct strata_set){&t->plan->boxes[s->first_box], s->nboxes, 0};
}

static bool is_empty(const struct trial *t, int at)
{
    return strata_set_count(set_of(t, t->plan->steps[at].set)) == 0;
}

/* A step of one of these kinds (bits), -1: there is none. */
static int draw_step(struct trial *t, unsigned kinds)
{
    int found = 0, at = -1;
    for (int i = 0; i < t->plan->nsteps; i++) {
        if (kinds >> t->plan->steps[i].op & 1 && random_below(&t->r, ++found) == 0) {
            at = i;
        }
    }
    return at;
}

/* One that reads the slots. */
static int draw_reader(struct trial *t, unsigned kinds)
{
    int found = 0, at = -1;
    for (int i = 0; i < t->plan->nsteps; i++) {
        const struct strata_step *step = &t->plan->steps[i];
        if (kinds >> step->op & 1 && !is_empty(t, i) &&
            strata_set_is_in(set_of(t, step->from), STRATA_SLOT) &&
            random_below(&t->r, ++found) == 0) {
            at = i;
        }
    }
    return at;
}

static const unsigned copies = 1u << STRATA_STEP_COPY, reductions = 1u << STRATA_STEP_REDUCE;
static const unsigned messages = 1u << STRATA_STEP_SEND_BLOCKS | 1u << STRATA_STEP_RECV_BLOCKS;

/* --- faults ------------------------------------------------------------------------------------
 */

/* Another member's operands or results for the share. */
static enum outcome share_of_another(struct trial *t)
{
    int at = draw_reader(t, copies | reductions), members = members_of(t);
    struct strata_box boxes[BOXES];
    if (at < 0 || members == 1) {
        return NO_PLACE;
    }
    struct strata_set from = set_of(t, t->plan->steps[at].from);
    int further = random_between(&t->r, 1, members - 1) * t->plan->blocks.count;
    assert_true(from.nboxes <= BOXES);
    for (int i = 0; i < from.nboxes; i++) {
        boxes[i] = from.boxes[i];
        boxes[i].origin = (boxes[i].origin + further) % boxes[i].space;
    }
    t->plan->steps[at].from = edit_add_set(t->plan, boxes, from.nboxes);
    return DONE;
}

/* All passes move what the first one does. Harmless: there is one pass, or nothing is moved. */
static enum outcome segment_of_another_pass(struct trial *t)
{
    int at = draw_step(t, copies | reductions | messages);
    if (at < 0) {
        return NO_PLACE;
    }
    if (t->plan->limits.passes == 1 || t->plan->steps[at].set_step == 0 || is_empty(t, at)) {
        return HARMLESS;
    }
    t->plan->steps[at].set_step = 0;
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

/* Says more than it knows, so that others take the place of its slot for free. Harmless: it has
 * waited for others before, who may all have come. */
static enum outcome credit_given_unheard(struct trial *t)
{
    int at = draw_step(t, 1u << STRATA_STEP_SIGNAL);
    if (at < 0 || members_of(t) == 1) {
        return NO_PLACE;
    }
    if (t->plan->steps[at].count != STRATA_SIGNAL_ARRIVED || hears_of_all_before(t->plan, at)) {
        return HARMLESS;
    }
    t->plan->steps[at].count = STRATA_SIGNAL_RELEASED;
    for (int i = at + 1; i < t->plan->nsteps; i++) { /* its later signals say more than that */
        struct strata_step *step = &t->plan->steps[i];
        if (step->op == STRATA_STEP_SIGNAL && step->count == STRATA_SIGNAL_RELEASED) {
            step->count = STRATA_SIGNAL_DONE;
        }
    }
    return DONE;
}

static enum outcome operand_left_out(struct trial *t)
{
    int at = draw_step(t, reductions);
    if (at < 0) {
        return NO_PLACE;
    }
    if (is_empty(t, at)) {
        return HARMLESS;
    }
    edit_remove(t->plan, at);
    return DONE;
}

static enum outcome operand_twice(struct trial *t)
{
    int at = draw_step(t, reductions);
    if (at < 0) {
        return NO_PLACE;
    }
    if (is_empty(t, at)) {
        return HARMLESS;
    }
    edit_insert(t->plan, at, t->plan->steps[at]);
    return DONE;
}

static const struct fault {
    const char *name;
    enum outcome (*put)(struct trial *t);
} faults[] = {
    {"share of another", share_of_another},
    {"segment of another pass", segment_of_another_pass},
    {"credit given unheard", credit_given_unheard},
    {"operand left out", operand_left_out},
    {"operand twice", operand_twice},
};

/* --- the trials --------------------------------------------------------------------------------
 */

/* A problem that the row serves, whatever is drawn. */
static void draw_problem(struct trial *t)
{
    int which;
    do {
        which = random_below(&t->r, sizeof rows / sizeof *rows);
        t->row = strata_registry_find(rows[which].name);
        t->problem = (struct strata_problem){
            .collective = rows[which].collective,
            .topology = t->topology,
            .flat = t->flat,
            .capacity = {.slot = (size_t)random_between(&t->r, 192, 1024),
                         .small = random_one_in(&t->r, 2) ? STRATA_SMALL_SLOT : 0},
            .commutative = random_one_in(&t->r, 2),
            .most_bytes = (size_t)(random_one_in(&t->r, 4) ? 40 : MOST_BYTES)};
        if (strata_collective_rooted(t->problem.collective)) {
            t->problem.root = random_below(&t->r, t->ranks);
        }
        for (int i = 0; t->row->parameters[i].name; i++) {
            const struct strata_parameter *p = &t->row->parameters[i];
            int most = p->row ? strata_parameter_most(p) : row_most_drawn(p, 4);
            t->problem.parameter[i] = random_between(&t->r, p->least, most);
        }
    } while (strata_algorithm_refusal(t->row, &t->problem));
}

static void trial_init(struct trial *t, uint64_t seed)
{
    int node[MOST_RANKS];
    *t = (struct trial){.r.state = seed};
    int nodes = random_between(&t->r, 1, MOST_NODES);
    t->ranks = random_between(&t->r, nodes + 1, MOST_RANKS);
    bool blocks = random_one_in(&t->r, 2);
    for (int rank = 0; rank < t->ranks; rank++) {
        node[rank] = blocks ? rank * nodes / t->ranks : random_below(&t->r, nodes);
    }
    assert_int_equal(strata_topology_from_colours(t->ranks, node, NULL, &t->topology), STRATA_OK);
    assert_int_equal(strata_topology_flat(t->ranks, &t->flat), STRATA_OK);
    if (t->topology->nodes == t->ranks) { /* each rank has a node of its own */
        strata_topology_destroy(t->topology);
        assert_int_equal(strata_topology_parse("node:1", t->ranks, &t->topology, NULL), STRATA_OK);
    }
    draw_problem(t);
    for (t->problem.rank = 0; t->problem.rank < t->ranks; t->problem.rank++) {
        assert_int_equal(strata_algorithm_plan(t->row, &t->problem, &t->of[t->problem.rank], NULL),
                         STRATA_OK);
    }
    t->rank = random_below(&t->r, t->ranks);
    t->plan = edit_copy(t->of[t->rank], BOXES);
}

static void trial_fini(struct trial *t)
{
    for (int rank = 0; rank < t->ranks; rank++) {
        strata_plan_destroy(t->of[rank]);
    }
    strata_plan_destroy(t->plan);
    strata_topology_destroy(t->topology);
    strata_topology_destroy(t->flat);
}

/* In how many of six runs something is found: eager and rendezvous, in three schedules, of so many
 * calls that the checker's ring is gone round. */
static int runs_that_find(const struct trial *t, unsigned seed)
{
    const struct strata_plan *const *calls[MOST_CALLS];
    int found = 0, count = t->plan->blocks.ring == STRATA_SMALL_RING ? MOST_CALLS : 4;
    for (int c = 0; c < count; c++) {
        calls[c] = (const struct strata_plan *const *)t->of;
    }
    for (int i = 0; i < 6; i++) {
        struct strata_check options = {
            .rendezvous = i & 1, .seed = seed + (unsigned)i, .schedule = i / 2};
        found += strata_check_calls(calls, count, t->ranks, &options, NULL) == STRATA_ERR_PLAN;
    }
    return found;
}

struct tally {
    int found, harmless, missed, passes;
};

static void one_trial(const struct fault *fault, uint64_t seed, struct tally *tally)
{
    static struct trial t;
    trial_init(&t, seed);
    enum outcome outcome = fault->put(&t);
    tally->harmless += outcome == HARMLESS;
    if (outcome == DONE) {
        struct strata_plan *right = t.of[t.rank];
        assert_int_equal(runs_that_find(&t, (unsigned)seed), 0);
        t.of[t.rank] = t.plan;
        int found = runs_that_find(&t, (unsigned)seed);
        t.of[t.rank] = right;
        tally->found += found == 6;
        tally->missed += found < 6;
        tally->passes += right->limits.passes > 2;
        if (found < 6) {
            print_error("%s, seed %llu, rank %d of %d, %s of %s: found in %d of 6 runs\n",
                        fault->name, (unsigned long long)seed, t.rank, t.ranks, right->name,
                        strata_collective_name(right->collective), found);
        }
    }
    trial_fini(&t);
}

static void test_faults(void **state)
{
    enum { MOST = 8000 };
    const int wanted = long_drawn(120);
    int missed = 0;
    (void)state;
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        struct tally tally = {0, 0, 0, 0};
        for (uint64_t seed = 1; seed <= MOST && tally.found + tally.missed < wanted; seed++) {
            one_trial(&faults[f], 1000003 * (f + 1) + seed, &tally);
        }
        print_message("             %-24s %4d found, %d not found, %d round the ring (%d harmless "
                      "places left out)\n",
                      faults[f].name, tally.found, tally.missed, tally.passes, tally.harmless);
        missed += tally.missed;
        assert_int_equal(tally.found + tally.missed, wanted);
        assert_true(tally.passes > wanted / 4);
    }
    assert_int_equal(missed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests_name("vector_faults", tests, NULL, NULL);
}
