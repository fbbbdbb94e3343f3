/* Proves every row of the registry for every collective that it serves: from 1 to 128 ranks, with
 * all roots up to 16 ranks and a few above, with all choices of its parameters, in place or not,
 * for operators that commute and that do not, in eager and in rendezvous mode; and for some numbers
 * of ranks up to 4096. Rows over items are proved up to 24 ranks here, and in test_check_matrix.c.
 * The short form takes all numbers up to 20 ranks, for each algorithm some up to 66 and another one
 * up to 128; all roots up to 8 ranks; and a part of the combinations where an algorithm has many.
 *
 * long: STRATA_TEST_LONG=1
 * sanitized: long
 * timeout: 900 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "tests/assert_cmp.h"
#include "tests/hier/catalogue.h"
#include "tests/long.h"

/* Combinations of parameters in the short form, where it takes all roots, and elsewhere. */
enum { SHORT_CHOICES = 5, SHORT_FEW = 2 };

/* Sanitizers make this about ten times slower, so a part runs, and the test prints that. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { ALL_UP_TO = 6, RANKS_STEP = 17, LARGE_WORK = 150000 };
#else
enum { ALL_UP_TO = 16, RANKS_STEP = 1, LARGE_WORK = 1500000 };
#endif

/* STRATA_TEST_ROW=name: tests only that algorithm. */
static bool wanted(const struct strata_algorithm *algorithm)
{
    const char *name = getenv("STRATA_TEST_ROW");
    return !name || strcmp(name, algorithm->name) == 0;
}

static void require(const struct catalogue_case *c, const struct strata_plan *const *const *calls,
                    int ncalls, const struct strata_check *options)
{
    struct strata_diagnostic message = {""};
    int ranks = c->problem.flat->ranks;
    if (strata_check_calls(calls, ncalls, ranks, options, &message) != STRATA_OK) {
        fail_msg("%s (%s%s, schedule %d): %s", c->text,
                 options->rendezvous ? "rendezvous" : "eager",
                 options->in_place ? ", in place" : "", options->schedule, message.text);
    }
}

/* Proves once, in a random way. */
static void prove_once(const struct catalogue_case *c, struct random *r, void *argument)
{
    const struct strata_plan *const *calls[1] = {catalogue_plans(c)};
    struct strata_check options = {.rendezvous = random_one_in(r, 2),
                                   .in_place = random_one_in(r, 2),
                                   .seed = (unsigned)random_next(r),
                                   .schedule = random_below(r, 3)};
    (void)argument;
    require(c, calls, 1, &options);
}

/* Proves in both modes, once in place and once not, with a random assignment. Sometimes a second
 * call follows. Long proofs run in one mode only. */
static void prove_twice(const struct catalogue_case *c, struct random *r, void *argument)
{
    const struct strata_plan *const *calls[2] = {catalogue_plans(c), catalogue_plans(c)};
    bool other = random_one_in(r, 2);
    if (c->work > 40000) {
        prove_once(c, r, argument);
        return;
    }
    for (int mode = 0; mode < 2; mode++) {
        struct strata_check options = {.rendezvous = mode == 1,
                                       .in_place = other == (mode == 1),
                                       .seed = (unsigned)random_next(r),
                                       .schedule = random_below(r, 3)};
        require(c, calls, random_one_in(r, 4) ? 2 : 1, &options);
    }
}

/* Proves with everything that strata_check_plan tries. */
static void prove_all(const struct catalogue_case *c, struct random *r, void *argument)
{
    struct strata_diagnostic message = {""};
    (void)argument;
    if (strata_check_plan(catalogue_plans(c), c->problem.flat->ranks, (unsigned)random_next(r),
                          &message) != STRATA_OK) {
        fail_msg("%s: %s", c->text, message.text);
    }
}

/* Half of the time of the short form would go into numbers above 66. */
static bool takes_ranks(int ranks, int index)
{
    enum { LAST = 66, MOST = 128 };
    return ranks <= LAST || long_form() ? long_takes_ranks(ranks, ALL_UP_TO + 4, RANKS_STEP, index)
                                        : ranks == MOST - index * 7 % (MOST - LAST);
}

static void prove_ranks(const struct strata_algorithm *algorithm, int index,
                        enum strata_collective collective, struct random *r,
                        struct catalogue_tally *tally)
{
    int most = algorithm_over_items_for(algorithm, collective) ? 24 : 128;
    for (int ranks = 1; ranks <= most; ranks++) {
        if (!takes_ranks(ranks, index)) {
            continue;
        }
        bool all = ranks <= ALL_UP_TO;
        int layouts = catalogue_reads_nodes(algorithm, collective) ? 2 : 1;
        for (int variant = 0; variant < layouts; variant++) {
            struct world world;
            struct catalogue_question q = {
                .algorithm = algorithm, .collective = collective, .world = &world};
            bool each = all && (long_form() || ranks <= ALL_UP_TO / 2);
            q.roots = each ? ALL_UP_TO : 3;
            q.choices = !all ? 3 : long_form() ? INT_MAX : each ? SHORT_CHOICES : SHORT_FEW;
            q.shapes = all ? 64 : 2;
            catalogue_world(r, ranks, variant, &world);
            catalogue_each(&q, r, ranks <= ALL_UP_TO / 2 ? prove_all : prove_twice, NULL, tally);
            world_destroy(&world);
        }
    }
}

/* Proves a few larger numbers of ranks, without cases that take long. There are fewer ranks where
 * the checker keeps a clock of each rank for each rank. */
static void prove_large(const struct strata_algorithm *algorithm, enum strata_collective collective,
                        struct random *r, struct catalogue_tally *tally)
{
    static const int counts[] = {129,  192,  200,  255,  256,  257,  384,  500,
                                 512,  729,  1000, 1023, 1024, 1025, 1536, 2047,
                                 2048, 2187, 3000, 3125, 4000, 4095, 4096};
    enum { COUNTS = sizeof counts / sizeof *counts, TRIED = 8 };
    bool clocks = algorithm->level == STRATA_NODE_AWARE || collective == STRATA_BARRIER;
    for (int i = 0; i < (long_form() ? TRIED : 1); i++) {
        struct world world;
        int ranks = counts[random_below(r, COUNTS)];
        catalogue_world(r, clocks && ranks > 1024 ? ranks / 8 : ranks, random_below(r, 2), &world);
        struct catalogue_question q = {algorithm, collective, &world, 1, 1, 1, LARGE_WORK};
        catalogue_each(&q, r, prove_once, NULL, tally);
        world_destroy(&world);
    }
}

/* Proves an algorithm for one of its collectives; at least one case must exist. */
static void prove_algorithm(const struct strata_algorithm *algorithm, int index,
                            enum strata_collective collective)
{
    struct random r = {random_mix((uint64_t)index * 64 + (uint64_t)collective)};
    struct catalogue_tally small = {0}, large = {0};
    clock_t begin = clock();
    prove_ranks(algorithm, index, collective, &r, &small);
    if (!algorithm_over_items_for(algorithm, collective)) {
        prove_large(algorithm, collective, &r, &large);
    }
    print_message("             %-20s %-20s %5lld cases up to 128 ranks (%lld refused), %2lld "
                  "above, %.1f s\n",
                  algorithm->name, strata_collective_name(collective), (long long)small.cases,
                  (long long)small.refused, (long long)large.cases,
                  (double)(clock() - begin) / CLOCKS_PER_SEC);
    ASSERT_CMP(small.cases, >, 0);
}

static void test_all_algorithms(void **state)
{
    (void)state;
    const struct strata_algorithm *algorithm;
    int proved = 0;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
            enum strata_collective collective = (enum strata_collective)c;
            if (algorithm_serves(algorithm, collective) && algorithm->level != STRATA_MPI &&
                wanted(algorithm)) {
                prove_algorithm(algorithm, i, collective);
                proved++;
            }
        }
    }
    assert_true(proved > 0 || getenv("STRATA_TEST_ROW"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_algorithms)};
    return cmocka_run_group_tests_name("catalogue", tests, NULL, NULL);
}
