/* Proves every algorithm over items of the registry: flat and node-aware ones for 1 to 128 ranks
 * and radix 2 to 8, node-aware ones on random layouts up to 256 ranks, and each after each other
 * one. Their messages must have the stated number. The short form takes some numbers of ranks above
 * 16, fewer layouts and fewer pairs.
 *
 * long: STRATA_TEST_LONG=1
 * sanitized: long
 * timeout: 900 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/algorithms.h"
#include "tests/assert_cmp.h"
#include "tests/hier/plans.h"
#include "tests/long.h"

static int position_of(const struct strata_algorithm *algorithm, const char *name)
{
    for (int i = 0; i < STRATA_PARAMETERS && algorithm->parameters[i].name; i++) {
        if (strcmp(algorithm->parameters[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Sanitizers make this about six times slower, so a part runs, and the test prints that. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { RANKS_STEP = 17, LAYOUTS = 20, LAYOUTS_SHORT = 10, PAIRS = 40, PAIRS_SHORT = 8 };
#else
enum { RANKS_STEP = 1, LAYOUTS = 300, LAYOUTS_SHORT = 40, PAIRS = 40, PAIRS_SHORT = 20 };
#endif

/* Prints the progress and the time. */
static void done(const char *what, int cases)
{
    print_message("             %s: %d cases, %.1f s of processor time so far\n", what, cases,
                  (double)clock() / CLOCKS_PER_SEC);
}

static void require_one(struct random *r, const struct strata_algorithm *algorithm,
                        const struct world *world, const int *given)
{
    struct plans plans;
    int parameter[STRATA_PARAMETERS];
    memcpy(parameter, given, sizeof parameter);
    parameters_random(r, algorithm, world, parameter);
    plans_build(algorithm, world, parameter, random_one_in(r, 3) ? random_between(r, 2, 3) : 1,
                &plans);
    plans_require(&plans, (unsigned)random_next(r));
    plans_destroy(&plans);
}

/* Whether this radix is left out. Above 64 ranks every third radix is taken, and others for the
 * next number of ranks (STRATA_TEST_ALL=1: all). An algorithm without radix runs once. */
static bool skipped(int ranks, int radix)
{
    return ranks > 64 && (ranks + radix) % 3 != 0 && !getenv("STRATA_TEST_ALL");
}

static int require_radices(struct random *r, const struct strata_algorithm *algorithm, int ranks)
{
    int radix = position_of(algorithm, "radix"), most = radix < 0 ? 2 : 8;
    int cases = 0;
    for (int value = 2; value <= most; value++) {
        struct world world;
        int parameter[STRATA_PARAMETERS] = {0};
        if (radix >= 0 && skipped(ranks, value)) {
            continue;
        }
        cases++;
        if (radix >= 0) {
            parameter[radix] = value;
        }
        world_random(r, ranks, &world);
        require_one(r, algorithm, &world, parameter);
        world_destroy(&world);
    }
    return cases;
}

static void test_ranks_and_radices(void **state)
{
    (void)state;
    const struct strata_algorithm *algorithm;
    int algorithms = 0;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        struct random r = {41};
        int cases = 0;
        if (!algorithm_over_items(algorithm)) {
            continue; /* tests/hier/test_catalogue.c */
        }
        for (int ranks = 1; ranks <= 128; ranks++) {
            if (long_takes_ranks(ranks, 16, RANKS_STEP, i)) {
                cases += require_radices(&r, algorithm, ranks);
            }
        }
        done(algorithm->name, cases);
        algorithms++;
    }
    ASSERT_CMP(algorithms, >=, 3);
}

static void require_layouts(const struct strata_algorithm *algorithm, int layouts)
{
    struct random r = {42};
    for (int layout = 0; layout < layouts; layout++) {
        struct world world;
        world_random(&r, random_between(&r, 1, layout % 2 ? PLANS_RANKS : 48), &world);
        require_one(&r, algorithm, &world, (const int[STRATA_PARAMETERS]){0});
        world_destroy(&world);
    }
    done(algorithm->name, layouts);
}

static void test_random_layouts(void **state)
{
    (void)state;
    const struct strata_algorithm *algorithm;
    int algorithms = 0;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        if (algorithm->level == STRATA_NODE_AWARE && algorithm_over_items(algorithm)) {
            require_layouts(algorithm, long_form() ? LAYOUTS : LAYOUTS_SHORT);
            algorithms++;
        }
    }
    ASSERT_CMP(algorithms, >, 0);
}

/* Proves a, b, a, b: each after the other, in both modes and all schedules. */
static void require_pair(struct random *r, const struct plans *a, const struct plans *b)
{
    const struct strata_plan *const *calls[] = {plans_of(a), plans_of(b), plans_of(a), plans_of(b)};
    for (int i = 0; i < 6; i++) {
        struct strata_check options = {
            .rendezvous = i & 1, .seed = (unsigned)random_next(r), .schedule = i / 2};
        struct strata_diagnostic message = {""};
        if (strata_check_calls(calls, 4, a->ranks, &options, &message) != STRATA_OK) {
            fail_msg("%s | %s: %s", a->text, b->text, message.text);
        }
    }
}

/* Proves a few plans of every algorithm on one layout, each after each. Returns their number. */
static int require_pairs(struct random *r, const struct world *world)
{
    enum { PLANS = 10 };
    static struct plans plans[PLANS];
    int count = 0, pairs = 0;
    const struct strata_algorithm *algorithm;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        int wanted = !algorithm_over_items(algorithm)        ? 0
                     : algorithm->level == STRATA_NODE_AWARE ? 4
                                                             : 1;
        for (; wanted > 0 && count < PLANS; wanted--) {
            int parameter[STRATA_PARAMETERS] = {0};
            parameters_random(r, algorithm, world, parameter);
            plans_build(algorithm, world, parameter, random_between(r, 1, 3), &plans[count++]);
        }
    }
    for (int a = 0; a < count; a++) {
        for (int b = a; b < count; b++, pairs++) {
            require_pair(r, &plans[a], &plans[b]);
        }
    }
    for (int i = 0; i < count; i++) {
        plans_destroy(&plans[i]);
    }
    return pairs;
}

static void test_each_after_each(void **state)
{
    (void)state;
    struct random r = {43};
    int pairs = 0;
    for (int layout = 0; layout < (long_form() ? PAIRS : PAIRS_SHORT); layout++) {
        struct world world;
        world_random(&r, random_between(&r, 1, layout % 4 ? 20 : 64), &world);
        pairs += require_pairs(&r, &world);
        world_destroy(&world);
    }
    done("pairs", pairs);
}

/* --- messages ----------------------------------------------------------------------------------
 */

static int sends_of(const struct strata_plan *plan)
{
    struct strata_cursor cursor;
    const struct strata_step *step;
    int sends = 0;
    for (strata_cursor_begin(&cursor, plan); (step = strata_cursor_step(&cursor));
         strata_cursor_advance(&cursor)) {
        sends += step->op == STRATA_STEP_SEND_BLOCKS;
    }
    return sends;
}

/* The sum over the digits x of min(radix - 1, floor((ranks - 1) / radix^x)). */
static int rounds_of(int ranks, int radix)
{
    int rounds = 0;
    for (int left = ranks - 1; left > 0; left /= radix) {
        rounds += left < radix - 1 ? left : radix - 1;
    }
    return rounds;
}

static int log2_up(int n)
{
    int log = 0;
    while (1 << log < n) {
        log++;
    }
    return log;
}

static void test_rounds_of_sloav(void **state)
{
    (void)state;
    const struct strata_algorithm *algorithm = strata_registry_find("sloav");
    assert_non_null(algorithm);
    for (int ranks = 1; ranks <= 128; ranks++) {
        struct world world;
        world_parse("node:1", ranks, &world);
        for (int radix = 2; radix <= 8; radix++) {
            struct plans plans;
            plans_build(algorithm, &world, (const int[STRATA_PARAMETERS]){radix}, 1, &plans);
            for (int r = 0; r < ranks; r++) {
                assert_int_equal(sends_of(plans.of[r]), rounds_of(ranks, radix));
            }
            assert_true(radix > 2 || rounds_of(ranks, radix) == log2_up(ranks));
            plans_destroy(&plans);
        }
        world_destroy(&world);
    }
}

/* With one lane and radix 2 a node's leader sends ceil(log2 nodes) messages in a pass, and other
 * members send none. */
static void test_messages_of_one_leader(void **state)
{
    (void)state;
    const struct strata_algorithm *algorithm = strata_registry_find("leaders");
    struct random r = {44};
    assert_non_null(algorithm);
    for (int layout = 0; layout < 100; layout++) {
        struct world world;
        struct plans plans;
        int parameter[STRATA_PARAMETERS] = {0};
        parameter[position_of(algorithm, "leaders")] = 1;
        parameter[position_of(algorithm, "radix")] = 2;
        parameter[position_of(algorithm, "between")] = 1; /* SLOAV */
        world_random(&r, random_between(&r, 1, 128), &world);
        parameters_random(&r, algorithm, &world, parameter);
        plans_build(algorithm, &world, parameter, 1 + layout % 3, &plans);
        for (int rank = 0; rank < plans.ranks; rank++) {
            bool leads = world.topology->turn_of[rank] == 0;
            int sends = leads ? log2_up(world.topology->nodes) : 0;
            assert_int_equal(sends_of(plans.of[rank]), sends * plans.of[rank]->limits.passes);
        }
        plans_destroy(&plans);
        world_destroy(&world);
    }
}

/* The layouts above have several passes, lanes and nodes. */
static void test_that_passes_are_made(void **state)
{
    (void)state;
    const struct strata_algorithm *algorithm;
    int made = 0;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        for (int passes = 1; passes <= 3 && algorithm_over_items(algorithm); passes++) {
            struct world world;
            struct plans plans;
            int parameter[STRATA_PARAMETERS] = {0};
            struct random r = {45};
            world_parse("node:5,3,2", 10, &world);
            parameters_random(&r, algorithm, &world, parameter);
            plans_build(algorithm, &world, parameter, passes, &plans);
            made += plans.of[0]->limits.passes == passes && plans.of[0]->exchange.lanes > 0;
            plans_destroy(&plans);
            world_destroy(&world);
        }
    }
    ASSERT_CMP(made, >=, 6);
}

int main(void)
{
    if (RANKS_STEP > 1) {
        print_message("built with a sanitizer: from 16 ranks on every %dth count or fewer\n",
                      RANKS_STEP);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_that_passes_are_made), cmocka_unit_test(test_ranks_and_radices),
        cmocka_unit_test(test_random_layouts),       cmocka_unit_test(test_each_after_each),
        cmocka_unit_test(test_rounds_of_sloav),      cmocka_unit_test(test_messages_of_one_leader),
    };
    return cmocka_run_group_tests_name("check_matrix", tests, NULL, NULL);
}
