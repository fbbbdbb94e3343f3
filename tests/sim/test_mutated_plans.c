/* Plans with one change, drawn from a seed, of every collective by every algorithm. What the
 * checker accepts must end on virtual ranks within a bound of moves, with every byte right: a
 * change that it accepts is harmless. STRATA_TEST_SEEDS=first,count runs other seeds. With
 * STRATA_TEST_SHOW=1 each change is named before it is tried, and shown where the checker
 * accepts it.
 *
 * long: STRATA_TEST_LONG=1
 * timeout: 900 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/check/check.h"
#include "core/plan/actions.h"
#include "core/plan/formats.h"
#include "core/text/plan_text.h"
#include "hier/capacity.h"
#include "hier/registry.h"
#include "sim/virtual/virtual_run.h"
#include "tests/algorithms.h"
#include "tests/assert_cmp.h"
#include "tests/hier/edit.h"
#include "tests/long.h"
#include "tests/sim/collective.h"
#include "tests/sim/exchange.h"
#include "tests/sim/mutation.h"

enum { MUTATED = 40000, MUTATED_SHORT = LONG_SANITIZED ? 300 : 6000 };
enum { MOST_RANKS = 9, ROWS = 64, CALLS = 4, RUNS = 4, MOST_MOVES = 1000000 };
enum { MOST = 256, SLICED = 700, SLICE = 192, MOST_MUTATIONS = 64 };

enum verdict { REJECTED, HARMLESS, NO_ROOM, VERDICTS };

/* What became of the changes so far. */
static int tally[MOST_MUTATIONS][VERDICTS], seen[ROWS][STRATA_COLLECTIVE_COUNT];
static int wrong;

/* A call with real bytes, of either family of plans. */
struct real_call {
    struct collective_call *blocks;
    struct exchange *items;
};

struct trial {
    uint64_t seed;
    struct random r;
    const struct strata_algorithm *algorithm;
    struct strata_topology *topology, *flat;
    struct strata_torus torus;
    struct strata_problem problem;
    struct strata_virtual_options options;
    int ranks;
    struct strata_plan *right[MOST_RANKS], *plan[MOST_RANKS];
    const struct mutation *mutation;
    int victim; /* -1: all ranks */
    int ncalls;
    struct real_call call[CALLS];
    struct strata_virtual_call calls[CALLS * MOST_RANKS];
};

static const char *name_of(const struct trial *t)
{
    static char text[320];
    char where[96];
    strata_topology_describe(t->topology, where, sizeof where);
    snprintf(text, sizeof text, "seed %llu, %s, rank %d, %s by %s, root %d, %s",
             (unsigned long long)t->seed, t->mutation->name, t->victim,
             strata_collective_name(t->problem.collective), t->right[0]->name, t->problem.root,
             where);
    return text;
}

/* --- plans -------------------------------------------------------------------------------------
 */

static void draw_world(struct trial *t)
{
    int node_of[MOST_RANKS];
    t->ranks = random_between(&t->r, 1 + random_below(&t->r, 3), MOST_RANKS);
    int nodes = random_one_in(&t->r, 3) ? 1 : random_between(&t->r, 1, t->ranks);
    bool even = random_one_in(&t->r, 2);
    while (even && t->ranks % nodes > 0) {
        nodes--;
    }
    random_nodes(&t->r, t->ranks, nodes, even, node_of);
    assert_int_equal(strata_topology_from_colours(t->ranks, node_of, NULL, &t->topology), 0);
    assert_int_equal(strata_topology_flat(t->ranks, &t->flat), 0);
    t->torus = strata_torus_balanced(t->ranks, random_between(&t->r, 1, 3));
}

/* Draws memory that blocks fit in, or that takes several passes. */
static void draw_capacity(struct trial *t)
{
    struct strata_capacity *c = &t->problem.capacity;
    size_t budget = (size_t)1 << random_between(&t->r, 12, 17);
    int passes = random_one_in(&t->r, 2) ? 1 : random_between(&t->r, 2, 9);
    size_t threshold = (size_t)1 << random_between(&t->r, 4, 8);
    bool check = random_one_in(&t->r, 4);
    while (strata_capacity_divide(t->topology, budget, threshold, passes, check, c)) {
        budget *= 2;
    }
    if (t->algorithm->slice && random_one_in(&t->r, 3)) {
        size_t others = (size_t)(t->ranks - t->topology->smallest);
        t->problem.most_bytes = t->problem.most_bytes / MOST * SLICED;
        c->slot = STRATA_SHARED_HEAD + STRATA_CACHE_LINE + SLICE * (size_t)t->ranks;
        c->slot *= random_one_in(&t->r, 2) ? 2 : 1;
        c->landing = others > 0 ? SLICE * others : c->landing;
        c->longest = SLICED;
    }
}

/* Draws a problem that the algorithm serves. Returns false where none is found. */
static bool draw_problem(struct trial *t, enum strata_collective collective)
{
    for (int attempt = 0; attempt < 40; attempt++) {
        t->problem = (struct strata_problem){.collective = collective,
                                             .topology = t->topology,
                                             .flat = t->flat,
                                             .torus = random_one_in(&t->r, 2) ? &t->torus : NULL,
                                             .commutative = random_one_in(&t->r, 2),
                                             .bulky = random_one_in(&t->r, 2),
                                             .block_bytes = 64,
                                             .most_bytes = MOST};
        t->problem.most_bytes *= strata_collective_scatters(collective) ? (size_t)t->ranks : 1;
        draw_capacity(t);
        if (strata_collective_rooted(collective)) {
            t->problem.root = random_below(&t->r, t->ranks);
        }
        algorithm_draw_parameters(t->algorithm, &t->r, t->problem.parameter);
        if (!strata_algorithm_refusal(t->algorithm, &t->problem)) {
            return true;
        }
    }
    return false;
}

static void build_plans(struct trial *t)
{
    for (int rank = 0; rank < t->ranks; rank++) {
        struct strata_diagnostic message = {""};
        t->problem.rank = rank;
        if (strata_algorithm_plan(t->algorithm, &t->problem, &t->right[rank], &message)) {
            fail_msg("seed %llu: %s", (unsigned long long)t->seed, message.text);
        }
    }
}

/* Makes the change in one rank's plan, or the same change in all. Returns false where it changes
 * nothing. */
static bool mutate(struct trial *t)
{
    uint64_t state = random_next(&t->r);
    bool all = t->mutation->common && !random_one_in(&t->r, 4), changed = false;
    t->victim = all ? -1 : random_below(&t->r, t->ranks);
    for (int rank = 0; rank < t->ranks; rank++) {
        struct random same = {state};
        t->plan[rank] = edit_copy(t->right[rank], MUTATION_BOXES);
        if (all || rank == t->victim) {
            changed = t->mutation->put(t->plan[rank], &same) || changed;
        }
    }
    return changed;
}

/* --- the checker -------------------------------------------------------------------------------
 */

/* What is posted follows from the steps, where the checker finds these right: it is found again
 * afterwards. Until then it is ample. */
static bool accepts(struct trial *t)
{
    for (int rank = 0; rank < t->ranks && !t->mutation->posting; rank++) {
        t->plan[rank]->posting =
            (struct strata_posting){INT32_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    }
    struct strata_diagnostic message = {""};
    int status = strata_check_plan((const struct strata_plan *const *)t->plan, t->ranks,
                                   (unsigned)t->seed, &message);
    if (status != STRATA_OK && status != STRATA_ERR_PLAN) {
        fail_msg("%s: %s", name_of(t), message.text);
    }
    for (int rank = 0; rank < t->ranks && status == STRATA_OK && !t->mutation->posting; rank++) {
        t->plan[rank]->posting = (struct strata_posting){0};
        if (strata_plan_over_blocks(t->plan[rank])) {
            strata_posting_find(t->plan[rank]);
        }
    }
    return status == STRATA_OK;
}

/* --- calls -------------------------------------------------------------------------------------
 */

/* The member whose output holds the result, where it lies once in a node. */
static int owner_of(const struct trial *t, int rank)
{
    const struct strata_plan *plan = t->plan[0];
    int node = t->topology->node_of[rank];
    bool roots = strata_collective_rooted(plan->collective);
    return !plan->blocks.once ? rank
           : roots && t->topology->node_of[plan->root] == node
               ? plan->root
               : strata_topology_rank(t->topology, node, 0);
}

/* The other members' own output stays as it is. */
static void share_output(struct trial *t, struct collective_call *call, int rank,
                         struct strata_virtual_call *mine)
{
    const int owner = owner_of(t, rank);
    struct part *output = &call->output[rank];
    if (owner != rank) {
        memcpy(output->expected, output->memory, output->size);
        mine->output = call->output[owner].layout;
        mine->input = mine->in_place ? mine->output : mine->input;
    }
}

/* The longest block that is worth a call, up to what the plan promises to move. */
static int longest(const struct trial *t, int most)
{
    const struct strata_limits *limits = &t->plan[0]->limits;
    size_t unit = strata_collective_reduces(t->plan[0]->collective) ? OPERAND : 1;
    size_t slices = (size_t)limits->passes * (limits->slice / unit * unit);
    size_t bytes = strata_plan_slices(t->plan[0])    ? slices
                   : strata_lengths_told(t->plan[0]) ? limits->threshold
                                                     : (size_t)most;
    most = strata_plan_slices(t->plan[0]) ? SLICED : most;
    return bytes < (size_t)most ? (int)bytes : most;
}

/* Whether some rank's plan folds, which it may where operands have no gaps. */
static bool folds(const struct trial *t)
{
    bool found = false;
    for (int rank = 0; rank < t->ranks; rank++) {
        for (int i = 0; i < t->plan[rank]->nsteps; i++) {
            found = found || t->plan[rank]->steps[i].op == STRATA_STEP_FOLD;
        }
    }
    return found;
}

static void make_blocks(struct trial *t, int c)
{
    const struct strata_plan *plan = t->plan[0];
    struct collective_shape shape = {.collective = plan->collective,
                                     .ranks = t->ranks,
                                     .root = plan->root,
                                     .segments = plan->blocks.count,
                                     .commutative = !plan->keeps_order,
                                     .bulky = t->problem.bulky && !folds(t),
                                     .in_place = !plan->blocks.once && random_one_in(&t->r, 3),
                                     .most = random_one_in(&t->r, 2) ? MOST : 100};
    shape.most = longest(t, shape.most);
    t->call[c].blocks = collective_create(&t->r, &shape);
    for (int rank = 0; rank < t->ranks; rank++) {
        struct strata_virtual_call *call = &t->calls[c * t->ranks + rank];
        *call =
            (struct strata_virtual_call){.plan = t->plan[rank],
                                         .input = t->call[c].blocks->input[rank].layout,
                                         .output = t->call[c].blocks->output[rank].layout,
                                         .work = t->call[c].blocks->work,
                                         .op = &t->call[c].blocks->op,
                                         .in_place = collective_in_place(t->call[c].blocks, rank)};
        share_output(t, t->call[c].blocks, rank, call);
    }
}

static void make_items(struct trial *t, int c)
{
    const struct strata_plan *plan = t->plan[0];
    size_t near = random_one_in(&t->r, 4) ? plan->limits.slice : plan->limits.threshold;
    t->call[c].items = exchange_create(
        &t->r, (struct exchange_shape){.ranks = t->ranks,
                                       .uniform = plan->collective == STRATA_ALLTOALL,
                                       .typed = plan->collective == STRATA_ALLTOALLW,
                                       .threshold = (int)near});
    for (int rank = 0; rank < t->ranks; rank++) {
        t->calls[c * t->ranks + rank] =
            (struct strata_virtual_call){.plan = t->plan[rank],
                                         .input = exchange_input(t->call[c].items, rank)->layout,
                                         .output = t->call[c].items->recv[rank].layout,
                                         .in_place = t->call[c].items->in_place[rank],
                                         .check = t->problem.capacity.check};
    }
}

static bool in_place(const struct trial *t, int c)
{
    for (int rank = 0; rank < t->ranks; rank++) {
        if (t->calls[c * t->ranks + rank].in_place) {
            return true;
        }
    }
    return false;
}

/* Makes a call, or the one before once more, which may then run from its tape. */
static void make_call(struct trial *t, int c)
{
    t->call[c] = (struct real_call){NULL, NULL};
    if (c > 0 && !in_place(t, c - 1) && random_one_in(&t->r, 2)) {
        memcpy(&t->calls[c * t->ranks], &t->calls[(c - 1) * t->ranks],
               (size_t)t->ranks * sizeof *t->calls);
    } else if (strata_plan_over_blocks(t->plan[0])) {
        make_blocks(t, c);
    } else {
        make_items(t, c);
    }
}

/* The first rank with a wrong byte; -1: none. */
static int wrong_rank(const struct real_call *call)
{
    return call->blocks  ? collective_wrong(call->blocks)
           : call->items ? exchange_wrong(call->items)
                         : -1;
}

static void destroy_call(struct real_call *call)
{
    if (call->blocks) {
        collective_destroy(call->blocks);
    }
    if (call->items) {
        exchange_destroy(call->items);
    }
}

static void report(const struct trial *t, const char *what)
{
    wrong++;
    print_error("%s, %s, schedule %d: %s\n", name_of(t),
                t->options.rendezvous ? "rendezvous" : "eager", t->options.schedule, what);
}

/* Runs calls in a world of their own, and looks at every byte. */
static enum verdict run_calls(struct trial *t)
{
    struct strata_virtual *world = NULL;
    struct strata_diagnostic message = {""};
    const struct strata_capacity *capacity = &t->problem.capacity;
    enum verdict verdict = HARMLESS;
    t->options.seed = (unsigned)random_next(&t->r);
    t->options.schedule = random_below(&t->r, 3);
    t->options.spans = random_one_in(&t->r, 2);
    t->options.most_moves = MOST_MOVES;
    assert_int_equal(
        strata_virtual_create(t->topology, capacity->slot, capacity->landing, &t->options, &world),
        0);
    t->ncalls = random_between(&t->r, 2, CALLS);
    for (int c = 0; c < t->ncalls; c++) {
        make_call(t, c);
    }
    int status = strata_virtual_run(world, t->calls, t->ncalls, &message);
    if (status == STRATA_ERR_CAPACITY) {
        verdict = NO_ROOM;
    } else if (status != STRATA_OK) {
        report(t, message.text);
    }
    for (int c = 0; c < t->ncalls; c++) {
        int rank = status == STRATA_OK ? wrong_rank(&t->call[c]) : -1;
        if (rank >= 0) {
            snprintf(message.text, sizeof message.text, "rank %d has a wrong byte after call %d",
                     rank, c);
            report(t, message.text);
        }
        destroy_call(&t->call[c]);
    }
    strata_virtual_destroy(world);
    return verdict;
}

static void show(const struct trial *t)
{
    for (int rank = 0; rank < t->ranks; rank++) {
        if (rank == t->victim || (t->victim < 0 && rank == 0)) {
            strata_plan_print(t->right[rank], stderr);
            strata_plan_print(t->plan[rank], stderr);
        }
    }
}

static enum verdict judge(struct trial *t)
{
    const bool shown = getenv("STRATA_TEST_SHOW") != NULL;
    if (shown) {
        print_error("%s\n", name_of(t));
    }
    if (!accepts(t)) {
        return REJECTED;
    }
    if (shown) {
        show(t);
    }
    enum verdict verdict = HARMLESS;
    int before = wrong;
    for (int i = 0; i < RUNS && verdict == HARMLESS && wrong == before; i++) {
        t->options.rendezvous = i & 1;
        verdict = run_calls(t);
    }
    return verdict;
}

/* --- trials ------------------------------------------------------------------------------------
 */

/* Draws an algorithm that runs in the engine, and one of its collectives. */
static int draw_algorithm(struct trial *t, enum strata_collective *collective)
{
    int algorithms = 0, index;
    while (strata_registry_at(algorithms)) {
        algorithms++;
    }
    ASSERT_IN_RANGE(algorithms, 1, ROWS);
    do {
        index = random_below(&t->r, algorithms);
        t->algorithm = strata_registry_at(index);
        *collective = (enum strata_collective)random_below(&t->r, STRATA_COLLECTIVE_COUNT);
    } while (t->algorithm->level == STRATA_MPI || !algorithm_serves(t->algorithm, *collective));
    return index;
}

static void destroy_plans(struct strata_plan **plans, int ranks)
{
    for (int rank = 0; rank < ranks; rank++) {
        strata_plan_destroy(plans[rank]);
    }
}

/* Returns whether there was a change to judge. */
static bool run_trial(uint64_t seed)
{
    static struct trial t;
    enum strata_collective collective;
    t = (struct trial){.seed = seed, .r = {random_mix(seed + 1)}};
    int index = draw_algorithm(&t, &collective), which = random_below(&t.r, nmutations);
    bool changed = false;
    t.mutation = &mutations[which];
    draw_world(&t);
    if (draw_problem(&t, collective)) {
        build_plans(&t);
        changed = mutate(&t);
        if (changed) {
            tally[which][judge(&t)]++;
            seen[index][collective]++;
        }
        destroy_plans(t.right, t.ranks);
        destroy_plans(t.plan, t.ranks);
    }
    strata_topology_destroy(t.topology);
    strata_topology_destroy(t.flat);
    return changed;
}

static void what_the_checker_accepts_is_right(void **state)
{
    (void)state;
    unsigned long long seed = 0, count = long_form() ? MUTATED : MUTATED_SHORT;
    const char *other = getenv("STRATA_TEST_SEEDS");
    if (other) {
        assert_int_equal(sscanf(other, "%llu,%llu", &seed, &count), 2);
    }
    ASSERT_CMP(nmutations, <=, MOST_MUTATIONS);
    for (unsigned long long done = 0; done < count; seed++) {
        done += run_trial(seed);
    }
    int all[VERDICTS] = {0};
    for (int i = 0; i < nmutations; i++) {
        print_message("             %-28s %5d rejected %5d harmless\n", mutations[i].name,
                      tally[i][REJECTED], tally[i][HARMLESS]);
        for (int v = 0; v < VERDICTS; v++) {
            all[v] += tally[i][v];
        }
    }
    print_message("             %-28s %5d rejected %5d harmless %5d need more memory\n", "together",
                  all[REJECTED], all[HARMLESS], all[NO_ROOM]);
    assert_int_equal(wrong, 0);
    if (!other) {
        ASSERT_CMP(all[REJECTED], >, 0);
        ASSERT_CMP(all[HARMLESS], >, 0);
    }
}

/* In the long form each algorithm has served each of its collectives. */
static void nothing_was_left_out(void **state)
{
    (void)state;
    const struct strata_algorithm *algorithm;
    if (!long_form() || getenv("STRATA_TEST_SEEDS")) {
        skip();
    }
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        for (int c = 0; c < STRATA_COLLECTIVE_COUNT && algorithm->level != STRATA_MPI; c++) {
            if (algorithm_serves(algorithm, (enum strata_collective)c) && seen[i][c] == 0) {
                fail_msg("no plan of %s for %s was changed", algorithm->name,
                         strata_collective_name((enum strata_collective)c));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_checker_accepts_is_right),
        cmocka_unit_test(nothing_was_left_out),
    };
    return cmocka_run_group_tests_name("mutated_plans", tests, NULL, NULL);
}
