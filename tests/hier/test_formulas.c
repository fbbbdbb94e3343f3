/* The closed formula of every algorithm over blocks agrees with its plans. Rounds, messages, and
 * blocks sent, reduced and copied are counted from the plans of all ranks and must be equal. The
 * packed blocks must lie between the least and the most that a rank packs. The blocks handed on
 * below the root of a bcast or scatter must agree with the parts there. All this holds from 1 to
 * 128 ranks. From there to 1024, numbers of ranks come in random order, as many as fit into a share
 * of time for each algorithm and collective (STRATA_TEST_ALL=1: all). The short form has a smaller
 * share, and takes some numbers of ranks from 20 to 128.
 *
 * long: STRATA_TEST_LONG=1
 * sanitized: long
 * timeout: 900 */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "core/plan/actions.h"
#include "sim/trace/formula_count.h"
#include "tests/assert_cmp.h"
#include "tests/hier/catalogue.h"
#include "tests/long.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { ALL_UP_TO = 6, SMALL_STEP = 17, SHARE = 100, SHARE_SHORT = 10 };
#else
enum { ALL_UP_TO = 16, SMALL_STEP = 1, SHARE = 300, SHARE_SHORT = 20 };
#endif

enum { SMALL = 128, LARGE = 1024 };

static int milliseconds(void)
{
    return (int)((double)clock() * 1000 / CLOCKS_PER_SEC);
}

/* STRATA_TEST_ROW=name: tests only that algorithm. */
static bool wanted(const struct strata_algorithm *algorithm)
{
    const char *name = getenv("STRATA_TEST_ROW");
    return !name || strcmp(name, algorithm->name) == 0;
}

static void compare(const struct catalogue_case *c, const char *what, double said, double counted)
{
    if (fabs(said - counted) > 1e-9 * (1 + fabs(counted))) {
        fail_msg("%s: the formula says %.6g %s, but there are %.6g", c->text, said, what, counted);
    }
}

static void within(const struct catalogue_case *c, const char *what, double said, double least,
                   double most)
{
    if (said < least - 1e-9 * (1 + least) || said > most + 1e-9 * (1 + most)) {
        fail_msg("%s: the formula says that %.6g %s, but ranks have from %.6g to %.6g", c->text,
                 said, what, least, most);
    }
}

/* The least and the most of all ranks, and the most of all except the root. */
struct range {
    double least, most, others, root;
};

static void widen(struct range *range, double value, bool root)
{
    range->least = fmin(range->least, value);
    range->most = fmax(range->most, value);
    if (root) {
        range->root = value;
    } else {
        range->others = fmax(range->others, value);
    }
}

/* The formula packs at least as much as every rank, and at most as much as some rank, or as the
 * root's share beyond all ranks and one more rank together. */
static void hold_packed(const struct catalogue_case *c, const struct strata_formula *said)
{
    struct range blocks = {.least = INFINITY}, pieces = {.least = INFINITY};
    for (int rank = 0; rank < c->problem.flat->ranks; rank++) {
        double packed, consist;
        strata_formula_count_packed(catalogue_plans(c)[rank], &packed, &consist);
        widen(&blocks, packed, rank == c->problem.root);
        widen(&pieces, consist, rank == c->problem.root);
    }
    within(c, "blocks are packed", said->packed, blocks.least,
           fmax(blocks.most, blocks.root - blocks.least + blocks.others));
    within(c, "pieces are packed", said->pieces, pieces.least,
           fmax(pieces.most, pieces.root - pieces.least + pieces.others));
}

/* A rank's part of a vector: its first receive, and the sender. */
struct part {
    int from;
    double blocks;
};

static struct part first_part(const struct strata_plan *plan)
{
    struct strata_actions walk;
    const struct strata_action *a;
    strata_actions_begin(&walk, plan, false);
    while ((a = strata_actions_next(&walk)) && a->kind != STRATA_ACT_RECV) {
    }
    return a ? (struct part){a->peer, (double)strata_set_count(a->set)} : (struct part){-1, 0};
}

/* The blocks that the ranks below a rank hand on, one after another. Each is the rank with the
 * largest part, and among equal parts the one that hands on least. With `most` each is the rank
 * that hands on most. */
static double handed_on(const struct part *part, int ranks, int rank, bool most)
{
    double largest = 0, found = -1;
    for (int below = 0; below < ranks; below++) {
        largest = part[below].from == rank ? fmax(largest, part[below].blocks) : largest;
    }
    for (int below = 0; largest > 1 && below < ranks; below++) {
        if (part[below].from == rank && (most || part[below].blocks == largest)) {
            double blocks = part[below].blocks - 1 + handed_on(part, ranks, below, most);
            found = found < 0 ? blocks : most ? fmax(found, blocks) : fmin(found, blocks);
        }
    }
    return fmax(found, 0);
}

/* The number of vectors that a rank and those below it send until the last one has them, where all
 * that a rank sends arrives at once. */
static double sent_in_a_algorithm(const struct part *part, int ranks, int rank)
{
    double sent = 0, most = 0;
    for (int below = 0; below < ranks; below++) {
        if (part[below].from == rank) {
            most = fmax(most, sent_in_a_algorithm(part, ranks, below));
            sent++;
        }
    }
    return sent + most;
}

/* Checks the data that come down a tree: whole vectors, or the blocks of the ranks' parts. */
static void hold_handed_on(const struct catalogue_case *c, const struct strata_formula *said)
{
    const struct strata_plan *const *plans = catalogue_plans(c);
    int ranks = c->problem.flat->ranks, root = c->problem.root;
    double count = plans[0]->blocks.count, late = said->after + said->ahead;
    bool vectors = !strata_collective_info[c->problem.collective].ranked;
    struct part part[LARGE];
    for (int rank = 0; rank < ranks; rank++) {
        part[rank] = rank == root ? (struct part){-1, 0} : first_part(plans[rank]);
    }
    if (vectors && count == 1) {
        compare(c, "vectors in a row", fmax(said->blocks + late, said->rounds),
                sent_in_a_algorithm(part, ranks, root));
        return;
    }
    within(c, "blocks are handed on", late * (vectors ? count : 1),
           handed_on(part, ranks, root, false), handed_on(part, ranks, root, true));
}

static void hold_against_plans(const struct catalogue_case *c, struct random *r, void *argument)
{
    struct strata_formula said = c->algorithm->formula(&c->problem), counted;
    (void)r, (void)argument;
    if (strata_formula_count(catalogue_plans(c), c->problem.flat->ranks, &counted) != STRATA_OK) {
        fail_msg("%s: the plans do not fit together", c->text);
    }
    compare(c, "rounds", said.rounds, counted.rounds);
    compare(c, "messages", said.messages, counted.messages);
    compare(c, "blocks sent", said.blocks, counted.blocks);
    compare(c, "blocks reduced", said.reduced, counted.reduced);
    compare(c, "blocks copied", said.copied, counted.copied);
    if (!c->algorithm->cost) { /* other rows state in their cost what they pack */
        hold_packed(c, &said);
    }
    if (strata_collective_info[c->problem.collective].root == 'i') {
        hold_handed_on(c, &said);
    }
}

static void hold_ranks(const struct strata_algorithm *algorithm, enum strata_collective collective,
                       int ranks, struct random *r, struct catalogue_tally *tally)
{
    bool all = ranks <= ALL_UP_TO;
    int layouts = catalogue_reads_nodes(algorithm, collective) ? 2 : 1;
    for (int variant = 0; variant < layouts; variant++) {
        struct world world;
        struct catalogue_question q = {
            .algorithm = algorithm, .collective = collective, .world = &world};
        q.roots = all ? ALL_UP_TO : 2;
        q.choices = all ? INT_MAX : ranks <= SMALL ? 2 : 1;
        q.shapes = all ? 64 : 2;
        catalogue_world(r, ranks, variant, &world);
        catalogue_each(&q, r, hold_against_plans, NULL, tally);
        world_destroy(&world);
    }
}

/* Puts powers of two, and the numbers beside them, first. */
static void put_first(int *order, int count)
{
    static const int first[] = {256, 512, 1024, 255, 257, 1023, 768, 1000};
    for (int i = 0; i < (int)(sizeof first / sizeof *first); i++) {
        for (int j = i; j < count; j++) {
            if (order[j] == first[i]) {
                order[j] = order[i];
                order[i] = first[i];
            }
        }
    }
}

/* Checks numbers of ranks from SMALL + 1 to LARGE in random order, until the share of time is used
 * up. Returns how many. */
static int hold_large(const struct strata_algorithm *algorithm, enum strata_collective collective,
                      struct random *r, struct catalogue_tally *tally)
{
    int order[LARGE - SMALL], done = 0;
    for (int i = 0; i < LARGE - SMALL; i++) {
        order[i] = SMALL + 1 + i;
    }
    random_shuffle(r, order, LARGE - SMALL);
    put_first(order, LARGE - SMALL);
    int end =
        getenv("STRATA_TEST_ALL") ? INT_MAX : milliseconds() + (long_form() ? SHARE : SHARE_SHORT);
    while (done < LARGE - SMALL && milliseconds() < end) {
        hold_ranks(algorithm, collective, order[done++], r, tally);
    }
    return done;
}

static void test_all_formulas(void **state)
{
    (void)state;
    const struct strata_algorithm *algorithm;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        for (int c = 0; algorithm->formula && c < STRATA_COLLECTIVE_COUNT; c++) {
            enum strata_collective collective = (enum strata_collective)c;
            struct random r = {random_mix((uint64_t)i * 64 + (uint64_t)c)};
            struct catalogue_tally tally = {0};
            int begin = milliseconds();
            if (!algorithm_serves(algorithm, collective) ||
                algorithm_over_items_for(algorithm, collective) || !wanted(algorithm)) {
                continue;
            }
            for (int ranks = 1; ranks <= SMALL; ranks++) {
                if (long_takes_ranks(ranks, ALL_UP_TO + 4, SMALL_STEP, i)) {
                    hold_ranks(algorithm, collective, ranks, &r, &tally);
                }
            }
            int large = hold_large(algorithm, collective, &r, &tally);
            print_message("             %-20s %-20s %6lld cases, with %3d of %d counts above %d, "
                          "%.1f s\n",
                          algorithm->name, strata_collective_name(collective),
                          (long long)tally.cases, large, LARGE - SMALL, SMALL,
                          (milliseconds() - begin) / 1000.0);
            ASSERT_CMP(tally.cases, >, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_formulas)};
    return cmocka_run_group_tests_name("formulas", tests, NULL, NULL);
}
