/* Blocks of ranks that do not fit in the node memory move in slices, or with the blocks of some
 * nodes at a time. Every algorithm that cuts blocks is proved on random layouts, in several passes,
 * also beside plans that do not cut them. Faults that only several passes can have are found.
 *
 * long: STRATA_TEST_LONG=1
 * sanitized: long */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/plan/formats.h"
#include "hier/registry.h"
#include "tests/algorithms.h"
#include "tests/assert_cmp.h"
#include "tests/hier/edit.h"
#include "tests/hier/plans.h"
#include "tests/long.h"

enum { LAYOUTS = 20, LAYOUTS_SHORT = 8, MOST_RANKS = 24, RANKS_SHORT = 14, ROOM = 640 };

struct proof {
    struct random r;
    const struct strata_algorithm *algorithm;
    struct world world;
    struct strata_problem problem;
    struct plans plans;
};

/* Room for slices of ROOM bytes in every store. */
static struct strata_capacity capacity_of(int ranks)
{
    size_t all = (size_t)ranks * ROOM;
    return (struct strata_capacity){.slot = STRATA_SHARED_HEAD + STRATA_CACHE_LINE + all,
                                    .landing = all,
                                    .scratch = (size_t)1 << 24,
                                    .threshold = 64,
                                    .passes = 1};
}

/* Draws a problem in which a block has about so many slices. */
static void draw_problem(struct proof *p, enum strata_collective collective, int slices)
{
    const struct strata_topology *t = p->world.topology;
    size_t most =
        (size_t)slices * ROOM *
        (strata_collective_scatters(collective) ? (size_t)t->ranks : (size_t)t->ranks * 2);
    p->problem = (struct strata_problem){.collective = collective,
                                         .topology = t,
                                         .flat = p->world.flat,
                                         .capacity = capacity_of(t->ranks),
                                         .commutative = random_one_in(&p->r, 2),
                                         .block_bytes = (double)(slices * ROOM),
                                         .most_bytes = most};
    p->problem.capacity.longest = (size_t)slices * ROOM;
    if (strata_collective_rooted(collective)) {
        p->problem.root = random_below(&p->r, t->ranks);
    }
}

/* Draws choices with which the algorithm is applicable. Returns false where none is found. */
static bool draw_parameters(struct proof *p, const struct strata_algorithm *algorithm)
{
    for (int attempt = 0; attempt < 40; attempt++) {
        algorithm_draw_parameters(algorithm, &p->r, p->problem.parameter);
        if (!strata_algorithm_refusal(algorithm, &p->problem)) {
            return true;
        }
    }
    return false;
}

static void build(struct proof *p, const struct strata_algorithm *algorithm)
{
    struct strata_diagnostic message;
    p->plans = (struct plans){.ranks = p->world.topology->ranks};
    for (int rank = 0; rank < p->plans.ranks; rank++) {
        p->problem.rank = rank;
        assert_int_equal(
            strata_algorithm_plan(algorithm, &p->problem, &p->plans.of[rank], &message), STRATA_OK);
    }
    snprintf(p->plans.text, sizeof p->plans.text, "%s by %s in %d slices, %d ranks on %d nodes",
             strata_collective_name(p->problem.collective), p->plans.of[0]->name,
             p->plans.of[0]->limits.passes, p->plans.ranks, p->world.topology->nodes);
}

/* Draws equal nodes, with ranks in blocks or in turn. */
static void draw_even_world(struct proof *p)
{
    char text[64];
    int nodes = random_between(&p->r, 2, 5), members = random_between(&p->r, 2, 3);
    snprintf(text, sizeof text, "node:%d%s", nodes, random_one_in(&p->r, 2) ? ":cyclic" : "");
    world_parse(text, nodes * members, &p->world);
}

/* Makes plans on a random layout. Returns false where the algorithm does not serve it. */
static bool make(struct proof *p, const struct strata_algorithm *algorithm,
                 enum strata_collective collective, unsigned seed)
{
    p->algorithm = algorithm;
    p->r.state = random_mix(seed + 1);
    if (random_one_in(&p->r, 2)) {
        draw_even_world(p);
    } else {
        world_random(&p->r, random_between(&p->r, 2, long_form() ? MOST_RANKS : RANKS_SHORT),
                     &p->world);
    }
    draw_problem(p, collective, random_between(&p->r, 1, random_one_in(&p->r, 8) ? 40 : 4));
    if (!draw_parameters(p, algorithm)) {
        world_destroy(&p->world);
        return false;
    }
    build(p, algorithm);
    return true;
}

static void finish(struct proof *p)
{
    plans_destroy(&p->plans);
    world_destroy(&p->world);
}

typedef void visit_plans(struct proof *p, unsigned seed);

/* Whether each pass moves the blocks of some nodes. */
static bool by_nodes(const struct strata_plan *plan)
{
    return plan->limits.passes > 1 && !strata_plan_slices(plan);
}

/* Visits each algorithm that cuts blocks, with each collective of it, on each layout. */
static void each(visit_plans *visit)
{
    const struct strata_algorithm *algorithm;
    int turns = 0;
    unsigned layouts = long_form() ? LAYOUTS : LAYOUTS_SHORT;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        for (int c = 0; c < STRATA_COLLECTIVE_COUNT && algorithm->slice; c++) {
            int made = 0;
            for (unsigned seed = 0; algorithm->collectives >> c & 1 && seed < layouts; seed++) {
                struct proof p;
                if (make(&p, algorithm, (enum strata_collective)c, seed)) {
                    made += strata_plan_slices(p.plans.of[0]);
                    turns += by_nodes(p.plans.of[0]);
                    visit(&p, seed);
                    finish(&p);
                }
            }
            bool told = strata_collective_one_knows((enum strata_collective)c);
            assert_true(!(algorithm->collectives >> c & 1) || (told ? made == 0 : made > 0));
        }
    }
    ASSERT_CMP(turns, >, 0);
}

static void prove(struct proof *p, unsigned seed)
{
    plans_require(&p->plans, seed);
}

static void every_algorithm_is_right(void **state)
{
    (void)state;
    each(prove);
}

/* Proves calls in slices and calls at once in a row. */
static void prove_beside(struct proof *p, unsigned seed)
{
    struct proof other = {.r = p->r, .world = p->world, .problem = p->problem};
    struct strata_check options = {.seed = seed, .schedule = (int)(seed % 3)};
    struct strata_diagnostic message = {""};
    other.problem.most_bytes = 8 * (size_t)p->plans.ranks;
    other.problem.capacity.longest = 8;
    build(&other, p->algorithm);
    const struct strata_plan *const *a = plans_of(&p->plans), *const *b = plans_of(&other.plans);
    const struct strata_plan *const *calls[] = {a, b, a, a, b, b, a};
    assert_int_equal(other.plans.of[0]->limits.passes, 1);
    if (strata_check_calls(calls, 7, p->plans.ranks, &options, &message) != STRATA_OK) {
        fail_msg("%s beside itself: %s", p->plans.text, message.text);
    }
    plans_destroy(&other.plans);
}

static void slices_stand_beside_whole_blocks(void **state)
{
    (void)state;
    each(prove_beside);
}

/* --- faults -------------------------------------------------------------------------------- */

static void require_found(struct proof *p, int rank, struct strata_plan *wrong, const char *what)
{
    struct strata_diagnostic message = {""};
    struct strata_plan *right = p->plans.of[rank];
    p->plans.of[rank] = wrong;
    int status = strata_check_plan(plans_of(&p->plans), p->plans.ranks, 1, &message);
    if (status != STRATA_ERR_PLAN) {
        fail_msg("%s: %s on rank %d was not found", p->plans.text, what, rank);
    }
    p->plans.of[rank] = right;
    strata_plan_destroy(wrong);
}

/* Whether the step copies nothing: a smaller node has no block of the lane. */
static bool does_nothing(const struct strata_plan *plan, int at)
{
    return plan->steps[at].op == STRATA_STEP_COPY &&
           strata_set_count(strata_plan_set_of(plan, &plan->steps[at], 0)) == 0;
}

/* The last step of that kind that does something; -1: none. */
static int last_step(const struct strata_plan *plan, int op)
{
    int at = plan->nsteps - 1;
    while (at >= 0 && (plan->steps[at].op != op || does_nothing(plan, at))) {
        at--;
    }
    return at;
}

/* Ends the passes before the plan's last step, which then moves only the last slice. */
static struct strata_plan *too_early(const struct strata_plan *plan)
{
    struct strata_plan *wrong = edit_copy(plan, 0);
    struct strata_step end = wrong->steps[wrong->nsteps - 1];
    edit_remove(wrong, wrong->nsteps - 1);
    edit_insert(wrong, last_step(wrong, STRATA_STEP_COPY), end);
    return wrong;
}

static struct strata_plan *without(const struct strata_plan *plan, int op)
{
    struct strata_plan *wrong = edit_copy(plan, 0);
    edit_remove(wrong, last_step(wrong, op));
    return wrong;
}

/* Other slices than the other ranks have, or as many, but of no bytes. */
static struct strata_plan *other_limits(const struct strata_plan *plan, size_t slice, int passes)
{
    struct strata_plan *wrong = edit_copy(plan, 0);
    wrong->limits = (struct strata_limits){.slice = slice, .passes = passes};
    return wrong;
}

/* Copies in each pass what belongs in the slot at first. */
static struct strata_plan *standing(const struct strata_plan *plan)
{
    struct strata_plan *wrong = edit_copy(plan, 0);
    int at = 0;
    while (wrong->steps[at].op != STRATA_STEP_COPY) {
        at++;
    }
    wrong->steps[at].set_step = 0;
    return wrong;
}

static void spoil(struct proof *p, unsigned seed)
{
    int rank = (int)seed % p->plans.ranks;
    const struct strata_plan *plan = p->plans.of[rank];
    const struct strata_limits *l = &plan->limits;
    if (by_nodes(plan)) {
        require_found(p, rank, other_limits(plan, 0, l->passes + 1), "a pass more");
        require_found(p, rank, without(plan, STRATA_STEP_AWAIT), "a missing await");
        require_found(p, rank, without(plan, STRATA_STEP_COPY), "a missing copy");
        require_found(p, rank, standing(plan), "the same blocks in each pass");
    }
    if (!strata_plan_slices(plan)) {
        return;
    }
    require_found(p, rank, other_limits(plan, l->slice + 64, l->passes), "a longer slice");
    require_found(p, rank, other_limits(plan, l->slice, l->passes + 1), "a slice more");
    require_found(p, rank, other_limits(plan, 0, l->passes), "slices of nothing");
    require_found(p, rank, without(plan, STRATA_STEP_COPY), "a missing copy");
    if (last_step(plan, STRATA_STEP_COPY) > 0) {
        require_found(p, rank, too_early(plan), "an early end");
    }
    if (last_step(plan, STRATA_STEP_WAIT) >= 0) {
        require_found(p, rank, without(plan, STRATA_STEP_WAIT), "a missing wait");
    }
}

static void faults_are_found(void **state)
{
    (void)state;
    each(spoil);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_is_right),
        cmocka_unit_test(slices_stand_beside_whole_blocks),
        cmocka_unit_test(faults_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
