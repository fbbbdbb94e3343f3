/* Vectors, and the blocks of a scatter, go through the slots of nodes, and between the nodes by any
 * flat algorithm. The passes are so many that the ring is gone round and round. Several calls in a
 * row are proved in any interleaving, and virtual ranks run them on real bytes, with slots as small
 * as possible. Many calls in a row take turns in all rings. One repeated call goes by tape in one
 * node. Ranks are also threads. The test also checks where such plans are refused.
 *
 * timeout: 600
 * long: STRATA_TEST_LONG=1 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/check/check.h"
#include "core/engine/node_memory.h"
#include "hier/registry.h"
#include "sim/virtual/virtual_run.h"
#include "sim/virtual/virtual_world.h"
#include "tests/algorithms.h"
#include "tests/assert_cmp.h"
#include "tests/long.h"
#include "tests/sim/collective.h"

/* So many calls go at least twice round the small ring. */
enum { CALLS = 150, OTHERS = 4, MOST_RANKS = 7, MOST_NODES = 3, SEEDS = 150 };
enum { MOST_BYTES = 4000, FEW_BYTES = 900, SMALL_BYTES = 600 };

/* Seeds: half as many in the short form, a quarter with sanitizers. */
static unsigned drawn(int all)
{
    return (unsigned)(long_form() ? all : LONG_SANITIZED ? all / 4 : all / 2);
}

/* The calls of a trial. */
enum calls {
    IN_PASSES, /* few calls, whose small slots need many passes */
    IN_TURNS,  /* many calls, in all rings */
    ONE_WAY,   /* many calls in the small ring, where some ranks wait for nobody */
    AGAIN,     /* many calls in the large ring, the first one with other buffers */
    SMALL,     /* in the small ring */
    MIDDLE,    /* in the middle ring */
};

struct trial {
    struct random r;
    struct strata_topology *topology, *flat;
    int ranks, ncalls;
    enum calls calls;
    bool again; /* all calls are the first one, with other buffers */
    size_t slot;
    struct strata_plan *plan[CALLS][MOST_RANKS];
    struct collective_call *call[CALLS];
    struct strata_virtual_call run[CALLS * MOST_RANKS];
};

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
                  {"node_scatter", STRATA_SCATTER},
                  {"node_scatter", STRATA_SCATTERV},
                  {"node_gather", STRATA_GATHERV},
                  {"node_reduce_scatter", STRATA_REDUCE_SCATTER},
                  {"node_reduce_scatter", STRATA_REDUCE_SCATTER_BLOCK},
                  {"node_gather", STRATA_GATHER},
                  {"node_levels", STRATA_BCAST},
                  {"node_levels", STRATA_REDUCE},
                  {"node_levels", STRATA_ALLREDUCE}};
enum {
    BCAST,
    ALLREDUCE,
    REDUCE,
    SCATTERV = 8,
    GATHERV,
    ROWS = sizeof algorithms / sizeof *algorithms
};

static int most_bytes(struct trial *t)
{
    static const int most[] = {
        [IN_PASSES] = MOST_BYTES, [IN_TURNS] = SMALL_BYTES, [ONE_WAY] = SMALL_BYTES,
        [AGAIN] = FEW_BYTES,      [MIDDLE] = FEW_BYTES,     [SMALL] = SMALL_BYTES};
    return t->calls == IN_TURNS && random_one_in(&t->r, 4) ? MOST_BYTES : most[t->calls];
}

static struct strata_problem problem_of(struct trial *t, int which)
{
    bool without = t->calls == IN_PASSES || t->calls == AGAIN || t->calls == MIDDLE;
    bool middle = t->calls == MIDDLE || (t->calls == IN_TURNS && random_one_in(&t->r, 2));
    const struct strata_algorithm *algorithm = strata_registry_find(algorithms[which].name);
    struct strata_problem problem = {.collective = algorithms[which].collective,
                                     .topology = t->topology,
                                     .flat = t->flat,
                                     .capacity = {.slot = t->slot,
                                                  .small = without ? 0 : STRATA_SMALL_SLOT,
                                                  .middle = middle ? STRATA_MIDDLE_SLOT : 0,
                                                  .threshold = 4096},
                                     .commutative = random_one_in(&t->r, 2),
                                     .most_bytes = (size_t)most_bytes(t)};
    if (strata_collective_info[problem.collective].ranked) { /* all blocks together */
        problem.most_bytes /= 2 * (size_t)t->ranks;
    }
    if (strata_collective_scatters(problem.collective)) {
        problem.most_bytes *= (size_t)t->ranks;
    }
    if (strata_collective_rooted(problem.collective) && t->calls != ONE_WAY) {
        problem.root = random_below(&t->r, t->ranks);
    }
    for (int i = 0; algorithm->parameters[i].name; i++) {
        const struct strata_parameter *p = &algorithm->parameters[i];
        int most = p->algorithm ? strata_parameter_most(p) : algorithm_most_drawn(p, 4);
        problem.parameter[i] = random_between(&t->r, p->least, most);
    }
    return problem;
}

/* An applicable algorithm, with any parameters. */
static struct strata_problem draw_problem(struct trial *t,
                                          const struct strata_algorithm **algorithm)
{
    struct strata_problem problem;
    do {
        int which = t->calls != ONE_WAY ? random_below(&t->r, ROWS) : t->ranks % 2 ? REDUCE : BCAST;
        problem = problem_of(t, which);
        *algorithm = strata_registry_find(algorithms[which].name);
    } while (strata_algorithm_refusal(*algorithm, &problem));
    return problem;
}

/* Makes a call with its own bytes. */
static void make_call(struct trial *t, int c, const struct collective_shape *shape)
{
    t->call[c] = collective_create(&t->r, shape);
    for (int rank = 0; rank < t->ranks; rank++) {
        t->run[c * t->ranks + rank] =
            (struct strata_virtual_call){.plan = t->plan[c][rank],
                                         .input = t->call[c]->input[rank].layout,
                                         .output = t->call[c]->output[rank].layout,
                                         .work = t->call[c]->work,
                                         .op = &t->call[c]->op,
                                         .in_place = collective_in_place(t->call[c], rank)};
    }
}

static void draw_call(struct trial *t, int c)
{
    const struct strata_algorithm *algorithm;
    struct strata_problem problem = draw_problem(t, &algorithm);
    for (problem.rank = 0; problem.rank < t->ranks; problem.rank++) {
        struct strata_diagnostic message = {""};
        if (strata_algorithm_plan(algorithm, &problem, &t->plan[c][problem.rank], &message) !=
            STRATA_OK) {
            fail_msg("%s", message.text);
        }
    }
    struct collective_shape shape = {.collective = problem.collective,
                                     .ranks = t->ranks,
                                     .root = problem.root,
                                     .segments = t->plan[c][0]->blocks.count,
                                     .commutative = problem.commutative,
                                     .in_place = random_one_in(&t->r, 3),
                                     .most = (int)problem.most_bytes};
    if (strata_collective_scatters(problem.collective)) {
        shape.most /= t->ranks;
    }
    if (shape.most > 40 && random_one_in(&t->r, 3)) {
        shape.most = 40;
    }
    struct random drawn = t->r;
    make_call(t, c, &shape);
    for (int next = 1; t->again && next < t->ncalls; next++) {
        memcpy(t->plan[next], t->plan[c], sizeof t->plan[c]);
        t->r = drawn;
        make_call(t, next, &shape);
    }
}

static void trial_init(struct trial *t, uint64_t seed, enum calls calls)
{
    int node[MOST_RANKS], package[MOST_RANKS], cache[MOST_RANKS], nodes;
    struct strata_inner_colours inner = {{package, NULL, cache}, NULL};
    *t = (struct trial){.r.state = seed, .calls = calls, .again = calls >= AGAIN};
    nodes = random_between(&t->r, 1, calls == IN_PASSES || calls == IN_TURNS ? MOST_NODES : 1);
    t->ranks = random_between(&t->r, nodes + 1, MOST_RANKS);
    bool blocks = random_one_in(&t->r, 2);
    for (int rank = 0; rank < t->ranks; rank++) {
        node[rank] = blocks ? rank * nodes / t->ranks : random_below(&t->r, nodes);
        package[rank] = blocks ? 2 * rank / t->ranks : random_below(&t->r, 3);
        cache[rank] = blocks ? rank / 2 : random_below(&t->r, 3);
    }
    t->slot = t->again ? 128 + 2 * MOST_BYTES : (size_t)random_between(&t->r, 192, 1024);
    t->ncalls = calls == IN_PASSES ? random_between(&t->r, 1, OTHERS) : CALLS;
    assert_int_equal(strata_topology_from_colours(t->ranks, node, &inner, &t->topology), STRATA_OK);
    assert_int_equal(strata_topology_flat(t->ranks, &t->flat), STRATA_OK);
    for (int c = 0; c < (t->again ? 1 : t->ncalls); c++) {
        draw_call(t, c);
    }
}

static void trial_fini(struct trial *t)
{
    for (int c = 0; c < t->ncalls; c++) {
        collective_destroy(t->call[c]);
        for (int rank = 0; rank < t->ranks && (c == 0 || !t->again); rank++) {
            strata_plan_destroy(t->plan[c][rank]);
        }
    }
    strata_topology_destroy(t->topology);
    strata_topology_destroy(t->flat);
}

typedef int run_world(struct strata_virtual *world, struct strata_virtual_call *calls, int ncalls,
                      struct strata_diagnostic *message);

/* Whether all is right at the end; otherwise the message says what is wrong. */
static bool runs_well(struct trial *t, unsigned seed, run_world *run,
                      struct strata_diagnostic *message)
{
    struct strata_virtual_options options = {
        .seed = seed, .schedule = (int)(seed % 3), .alone = t->again};
    struct strata_virtual *world = NULL;
    assert_int_equal(strata_virtual_create(t->topology, t->slot, 0, &options, &world), STRATA_OK);
    int status = run(world, t->run, t->ncalls, message);
    strata_virtual_destroy(world);
    for (int c = 0; c < t->ncalls && !status; c++) {
        int wrong = collective_wrong(t->call[c]);
        if (wrong >= 0) {
            status = strata_fail(message, STRATA_ERR_PLAN, "call %d: rank %d is wrong", c, wrong);
        }
    }
    return status == STRATA_OK;
}

static void run_trial(struct trial *t, unsigned seed, run_world *run)
{
    struct strata_diagnostic message = {""};
    if (!runs_well(t, seed, run, &message)) {
        fail_msg("seed %u, %s ...: %s", seed, t->plan[0][0]->name, message.text);
    }
}

static void test_bytes(void **state)
{
    static struct trial t;
    int wraps = 0, most = 0;
    (void)state;
    for (unsigned seed = 0; seed < drawn(SEEDS); seed++) {
        trial_init(&t, seed, IN_PASSES);
        run_trial(&t, seed, strata_virtual_run);
        for (int c = 0; c < t.ncalls; c++) {
            int passes = t.plan[c][0]->limits.passes;
            wraps += passes > 2;
            most = passes > most ? passes : most;
        }
        trial_fini(&t);
    }
    print_message("%d calls go round the ring, one in %d passes\n", wraps, most);
    ASSERT_CMP(wraps, >, (int)drawn(SEEDS));
    ASSERT_CMP(most, >, 16);
}

/* The data of a call in one ring stay while others go through the other rings. */
static void test_turns(void **state)
{
    static struct trial t;
    int calls[STRATA_RINGS] = {0};
    (void)state;
    for (unsigned seed = 0; seed < drawn(SEEDS / 3); seed++) {
        trial_init(&t, 4000 + seed, IN_TURNS);
        run_trial(&t, seed, seed % 4 ? strata_virtual_run : strata_virtual_run_threads);
        for (int c = 0; c < t.ncalls; c++) {
            calls[t.plan[c][0]->blocks.ring]++;
        }
        trial_fini(&t);
    }
    print_message("%d calls in the small ring, %d in the middle one, %d in the large one\n",
                  calls[STRATA_SMALL_RING], calls[STRATA_MIDDLE_RING], calls[STRATA_LARGE_RING]);
    ASSERT_CMP(calls[STRATA_SMALL_RING], >, (int)drawn(SEEDS) * 5);
    ASSERT_CMP(calls[STRATA_MIDDLE_RING], >, (int)drawn(SEEDS) / 3);
    ASSERT_CMP(calls[STRATA_LARGE_RING], >, (int)drawn(SEEDS) / 3);
}

/* Runs as if all members had left whatever epoch comes. */
static int run_without_credit(struct strata_virtual *world, struct strata_virtual_call *calls,
                              int ncalls, struct strata_diagnostic *message)
{
    for (int rank = 0; rank < world->topology->ranks; rank++) {
        world->node_memory[rank].ring[STRATA_SMALL_RING].all_departed = UINT64_MAX;
    }
    return strata_virtual_run(world, calls, ncalls, message);
}

/* A root that does not ask who has left overtakes its readers. */
static void test_without_credit(void **state)
{
    static struct trial t;
    int found = 0;
    (void)state;
    for (unsigned seed = 0; seed < drawn(SEEDS); seed++) {
        struct strata_diagnostic message = {""};
        trial_init(&t, 5000 + seed, ONE_WAY);
        found += !runs_well(&t, seed, run_without_credit, &message);
        trial_fini(&t);
    }
    print_message("found in %d trials\n", found);
    ASSERT_CMP(found, >, (int)drawn(SEEDS) / 4);
}

static void test_again(void **state)
{
    static struct trial t;
    int taped[STRATA_RINGS][2] = {{0}};
    (void)state;
    for (unsigned seed = 0; seed < drawn(SEEDS); seed++) {
        trial_init(&t, 2000 + seed, (enum calls)(AGAIN + seed % 3));
        run_trial(&t, seed, seed % 4 ? strata_virtual_run : strata_virtual_run_threads);
        for (int i = 0; i < t.ncalls * t.ranks; i++) {
            taped[t.plan[0][0]->blocks.ring][t.plan[0][0]->collective != STRATA_BCAST] +=
                t.run[i].taped;
        }
        trial_fini(&t);
    }
    for (int ring = 0; ring < STRATA_RINGS; ring++) {
        print_message("ring %d: %d broadcasts and %d reductions of ranks went by tape\n", ring,
                      taped[ring][0], taped[ring][1]);
        ASSERT_CMP(taped[ring][0], >, (int)drawn(SEEDS));
        ASSERT_CMP(taped[ring][1], >, (int)drawn(SEEDS));
    }
}

static void test_threads(void **state)
{
    static struct trial t;
    (void)state;
    for (unsigned seed = 0; seed < (long_form() ? 1000u : drawn(100)); seed++) {
        trial_init(&t, 3000 + seed, seed % 4 ? IN_PASSES : IN_TURNS);
        run_trial(&t, seed, strata_virtual_run_threads);
        trial_fini(&t);
    }
}

/* Proves each call's plans alone, and all calls in a row. */
static void test_proof(void **state)
{
    static struct trial t;
    (void)state;
    for (unsigned seed = 0; seed < drawn(SEEDS / 3); seed++) {
        const struct strata_plan *const *calls[CALLS];
        struct strata_diagnostic message = {""};
        trial_init(&t, 1000 + seed, seed % 2 ? IN_PASSES : IN_TURNS);
        for (int c = 0; c < t.ncalls; c++) {
            calls[c] = (const struct strata_plan *const *)t.plan[c];
        }
        int status = strata_check_plan(calls[0], t.ranks, seed, &message);
        for (int schedule = 0; schedule < 3 && !status; schedule++) {
            struct strata_check options = {
                .in_place = seed % 2, .seed = seed, .schedule = schedule};
            status = strata_check_calls(calls, t.ncalls, t.ranks, &options, &message);
        }
        if (status) {
            fail_msg("seed %u, %s ...: %s", seed, t.plan[0][0]->name, message.text);
        }
        t.plan[0][0]->blocks.ring ^= 1; /* not the ring of the other ranks */
        assert_int_equal(strata_check_plan(calls[0], t.ranks, seed, NULL), STRATA_ERR_PLAN);
        trial_fini(&t);
    }
}

static void require_algorithm_refused(const char *algorithm, const struct strata_problem *problem,
                                      const char *expected)
{
    const char *text = strata_registry_find(algorithm)->applicable(problem);
    assert_true(expected ? text && strstr(text, expected) : !text);
}

static void require_refused(const struct strata_problem *problem, const char *expected)
{
    require_algorithm_refused("node_allreduce", problem, expected);
}

/* Ranks that are told lengths need room for them, and for the longest block where it is known. */
static void require_room(const struct strata_problem *problem, const char *algorithm, size_t slot,
                         size_t longest)
{
    struct strata_problem p = *problem;
    p.most_bytes = 0;
    p.capacity.slot = 64 + slot;
    require_algorithm_refused(algorithm, &p, NULL);
    p.most_bytes = longest + 1;
    require_algorithm_refused(algorithm, &p, "the longest block does not fit in a slot");
    p.most_bytes = 0;
    p.capacity.slot--;
    require_algorithm_refused(algorithm, &p, "not even lengths fit");
    p.capacity.slot++;
    p.capacity.threshold = 7;
    require_algorithm_refused(algorithm, &p, "not even lengths fit");
}

/* Leaders work on more vectors than a node has members, and all their blocks must be countable. */
static void require_countable(void)
{
    struct strata_problem p = {.collective = STRATA_ALLREDUCE,
                               .capacity = {.slot = 65536},
                               .commutative = true,
                               .most_bytes = (size_t)1 << 30, /* 2^20 passes of 1 KiB */
                               .parameter = {8, 1, 1}};
    struct strata_topology *nodes = NULL, *flat = NULL;
    assert_int_equal(strata_topology_parse("node:2 rank:16", 0, &nodes, NULL), STRATA_OK);
    assert_int_equal(strata_topology_flat(16, &flat), STRATA_OK);
    p.topology = nodes;
    p.flat = flat;
    require_algorithm_refused("dpml", &p, "too many segments");
    p.most_bytes /= 2;
    require_algorithm_refused("dpml", &p, NULL);
    strata_topology_destroy(flat);
    strata_topology_destroy(nodes);
}

static void test_refusals(void **state)
{
    static struct trial t;
    static const int two_nodes[] = {0, 0, 1, 1};
    struct strata_topology *other = NULL;
    (void)state;
    trial_init(&t, 1, AGAIN);
    struct strata_problem problem = problem_of(&t, ALLREDUCE);
    require_refused(&problem, NULL);
    problem.bulky = true;
    require_refused(&problem, "too long");
    problem.bulky = false;
    problem.most_bytes = SIZE_MAX / 2;
    require_refused(&problem, "too many segments");
    problem.capacity.slot = 128;
    require_refused(&problem, "no segment fits");
    require_countable();
    struct strata_problem told = problem_of(&t, SCATTERV);
    require_room(&told, "node_scatter", 8, 8);
    told = problem_of(&t, GATHERV);
    require_room(&told, "node_gather", 8, 8);
    assert_int_equal(strata_topology_from_colours(4, two_nodes, NULL, &other), STRATA_OK);
    problem.topology = other;
    require_refused(&problem, "several nodes");
    strata_topology_destroy(other);
    assert_int_equal(strata_topology_flat(1, &other), STRATA_OK);
    problem.topology = other;
    require_refused(&problem, "one rank");
    strata_topology_destroy(other);
    trial_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),          cmocka_unit_test(test_turns),
        cmocka_unit_test(test_without_credit), cmocka_unit_test(test_again),
        cmocka_unit_test(test_threads),        cmocka_unit_test(test_proof),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests_name("node_vectors", tests, NULL, NULL);
}
