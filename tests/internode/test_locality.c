/* How far messages travel: bytes between groups of neighbouring ranks, and hops on a ring.
 *
 * A message over distance d leaves a group of g ranks in a share min(1, d/g) of the g ways to lay
 * the groups over the ranks. Recursive doubling and binomial trees have distances 2^s. Bine and
 * Swing have |rho(s)| = (2^(s+1) +- 1) / 3, with as many bytes in each step. The counts of the
 * plans must equal this theory.
 *
 * The savings must not exceed the third that "Bine Trees" (SC 2025) claims, and the hops must not
 * fall below two thirds (Swing, NSDI 2024). Both bounds are reached where the groups are few and
 * large. Where groups are powers of two that begin at multiples of their size, the partners of
 * recursive doubling differ in one bit. Its steps below g then leave no group, so Bine and Swing
 * gain nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "internode/algorithms.h"
#include "tests/assert_cmp.h"

enum { MOST = 128 };

struct instance {
    const struct strata_algorithm *algorithm;
    struct strata_topology *flat;
    struct strata_problem problem;
    int ranks;
    struct strata_plan *plan[MOST];
};

static struct instance plans(const struct strata_algorithm *algorithm,
                             enum strata_collective collective, int ranks, int version)
{
    struct instance x = {.algorithm = algorithm, .ranks = ranks};
    struct strata_diagnostic message;
    assert_int_equal(strata_topology_flat(ranks, &x.flat), STRATA_OK);
    x.problem = (struct strata_problem){.collective = collective,
                                        .topology = x.flat,
                                        .flat = x.flat,
                                        .commutative = true,
                                        .parameter = {version}};
    for (int rank = 0; rank < ranks; rank++) {
        x.problem.rank = rank;
        if (strata_algorithm_plan(algorithm, &x.problem, &x.plan[rank], &message) != STRATA_OK) {
            fail_msg("%s", message.text);
        }
    }
    return x;
}

static void destroy(struct instance *x)
{
    for (int rank = 0; rank < x->ranks; rank++) {
        strata_plan_destroy(x->plan[rank]);
    }
    strata_topology_destroy(x->flat);
}

/* Whether two ranks lie in different groups of `size`, with one group that begins at `first`. */
static int crosses(int ranks, int size, int first, int from, int to)
{
    return (from + ranks - first) % ranks / size != (to + ranks - first) % ranks / size;
}

/* The distance on a ring, the shorter way. */
static int distance(int ranks, int from, int to)
{
    int on = (to + ranks - from) % ranks;
    return on < ranks - on ? on : ranks - on;
}

typedef int64_t weigh(int ranks, const int *choice, int from, int to);

static int64_t over_one(int ranks, const int *choice, int from, int to)
{
    return crosses(ranks, choice[0], choice[1], from, to);
}

/* The number of ways to lay groups over the ranks in which the message leaves its group. */
static int64_t over_all(int ranks, const int *choice, int from, int to)
{
    int64_t sum = 0;
    for (int first = 0; first < choice[0]; first++) {
        sum += crosses(ranks, choice[0], first, from, to);
    }
    return sum;
}

static int64_t hops(int ranks, const int *choice, int from, int to)
{
    (void)choice;
    return distance(ranks, from, to);
}

/* The sum over all messages of blocks times weight. */
static int64_t total(const struct instance *x, weigh *weight, const int *choice)
{
    int64_t sum = 0;
    for (int rank = 0; rank < x->ranks; rank++) {
        struct strata_cursor cursor;
        const struct strata_step *step;
        strata_cursor_begin(&cursor, x->plan[rank]);
        for (; (step = strata_cursor_step(&cursor)); strata_cursor_advance(&cursor)) {
            if (step->op == STRATA_STEP_SEND_BLOCKS) {
                sum += strata_set_count(strata_cursor_set(&cursor)) *
                       weight(x->ranks, choice, rank, step->peer);
            }
        }
    }
    return sum;
}

static int64_t counted(const struct strata_algorithm *algorithm, enum strata_collective collective,
                       int version, int ranks, weigh *weight, const int *choice)
{
    struct instance x = plans(algorithm, collective, ranks, version);
    int64_t sum = total(&x, weight, choice);
    destroy(&x);
    return sum;
}

/* The distance of a step, for one family. */
typedef int64_t reach(int step);

static int64_t doubling(int step)
{
    return (int64_t)1 << step;
}

static int64_t negabinary(int step)
{
    return ((2 << step) + (step % 2 ? -1 : 1)) / 3;
}

/* The blocks that all ranks together send in a step. */
typedef int64_t load(int ranks, int step);

static int64_t whole(int ranks, int step)
{
    (void)step;
    return ranks;
}

static int64_t halves(int ranks, int step)
{
    return (int64_t)ranks * (ranks >> (step + 1));
}

/* Equal numbers of blocks travel over each distance, or most over the largest. */
static int64_t algorithms(int ranks, int step)
{
    (void)step;
    return ranks / 2;
}

static int64_t far_first(int ranks, int step)
{
    return (int64_t)ranks << step;
}

static int64_t tree(int ranks, int step)
{
    return ranks >> (step + 1);
}

/* The theory for a power of two of ranks: blocks between groups, over all ways to lay the groups.
 * With `group` = ranks they are hops, because a message leaves as many of the groups as it
 * travels. */
static int64_t theory(int ranks, int group, reach *far, load *blocks)
{
    int64_t sum = 0;
    for (int step = 0; 1 << step < ranks; step++) {
        int64_t d = far(step);
        sum += blocks(ranks, step) * (d < group ? d : group);
    }
    return sum;
}

struct family {
    const struct strata_algorithm *algorithm;
    enum strata_collective collective;
    int version;
    load *blocks;
    int passes; /* how often the family goes through its steps */
    const struct strata_algorithm *usual;
    load *usual_blocks; /* NULL: no row of the usual distances is compared */
};

enum { BANDWIDTH = 1, LATENCY, CONTIGUOUS };

static const struct family family[] = {
    {&strata_swing, STRATA_ALLREDUCE, LATENCY, whole, 1, &strata_recursive_doubling, whole},
    {&strata_swing, STRATA_ALLREDUCE, BANDWIDTH, halves, 2, NULL, NULL},
    {&strata_swing, STRATA_REDUCE_SCATTER, BANDWIDTH, halves, 1, &strata_recursive_halving,
     far_first},
    {&strata_bine, STRATA_BCAST, LATENCY, tree, 1, &strata_binomial, tree},
    {&strata_bine, STRATA_REDUCE, LATENCY, tree, 1, &strata_binomial, tree},
    {&strata_bine, STRATA_GATHER, BANDWIDTH, algorithms, 1, &strata_binomial, algorithms},
    {&strata_bine, STRATA_SCATTER, BANDWIDTH, algorithms, 1, &strata_binomial, algorithms},
    {&strata_bine, STRATA_ALLREDUCE, LATENCY, whole, 1, &strata_recursive_doubling, whole},
    {&strata_bine, STRATA_ALLREDUCE, CONTIGUOUS, halves, 2, NULL, NULL},
    {&strata_bine, STRATA_ALLGATHER, BANDWIDTH, halves, 1, &strata_recursive_doubling, far_first},
    {&strata_bine, STRATA_REDUCE_SCATTER, BANDWIDTH, halves, 1, &strata_recursive_halving,
     far_first},
};

enum { FAMILIES = sizeof family / sizeof *family };

static void require_as_theory(const struct family *f, int ranks, int group)
{
    int64_t sum = counted(f->algorithm, f->collective, f->version, ranks, over_all, &group);
    int64_t usual = f->passes * theory(ranks, group, doubling, f->blocks);
    assert_int_equal(sum, f->passes * theory(ranks, group, negabinary, f->blocks));
    ASSERT_CMP(3 * sum, >=, 2 * usual);
    ASSERT_CMP(sum, <, usual);
}

/* The rows of the usual distances behave as the theory assumes. */
static void require_more_by_usual(const struct family *f, int ranks, int group)
{
    int64_t sum = counted(f->algorithm, f->collective, f->version, ranks, over_all, &group);
    int64_t usual = counted(f->usual, f->collective, 0, ranks, over_all, &group);
    assert_int_equal(usual, theory(ranks, group, doubling, f->usual_blocks));
    ASSERT_CMP(sum, <, usual);
}

static void test_groups(void **state)
{
    (void)state;
    for (int i = 0; i < FAMILIES; i++) {
        for (int ranks = 4; ranks <= MOST; ranks *= 2) {
            for (int group = 2; group <= ranks / 2; group *= 2) {
                require_as_theory(&family[i], ranks, group);
                if (family[i].usual) {
                    require_more_by_usual(&family[i], ranks, group);
                }
            }
        }
    }
}

/* On 64 ranks the sum of the distances is 1+1+3+5+11+21 = 42 in place of 63. */
static void test_a_third(void **state)
{
    (void)state;
    const int half = 32, few = 8;
    int64_t sum = counted(&strata_bine, STRATA_ALLREDUCE, LATENCY, 64, over_all, &half);
    assert_int_equal(sum, 64 * 42);
    assert_int_equal(theory(64, half, doubling, whole), 64 * 63);
    /* Groups of eight: 1+1+3+5+8+8 in place of 1+2+4+8+8+8. */
    sum = counted(&strata_bine, STRATA_ALLREDUCE, LATENCY, 64, over_all, &few);
    assert_int_equal(sum, 64 * 26);
    assert_int_equal(theory(64, few, doubling, whole), 64 * 31);
}

static void test_ring(void **state)
{
    (void)state;
    for (int i = 0; i < FAMILIES; i++) {
        for (int ranks = 4; ranks <= MOST; ranks *= 2) {
            const struct family *f = &family[i];
            int64_t sum = counted(f->algorithm, f->collective, f->version, ranks, hops, NULL);
            int64_t usual = f->passes * theory(ranks, ranks, doubling, f->blocks);
            assert_int_equal(sum, f->passes * theory(ranks, ranks, negabinary, f->blocks));
            ASSERT_CMP(3 * sum, >=, 2 * usual);
            ASSERT_CMP(sum, <, usual);
        }
    }
    /* Two thirds are reached where the number of steps is even. */
    int64_t swing = counted(&strata_swing, STRATA_ALLREDUCE, LATENCY, 64, hops, NULL);
    assert_int_equal(3 * swing, 2 * theory(64, 64, doubling, whole));
}

/* Groups that match recursive doubling: its ranks differ in one bit, and leave their group in the
 * last log2(P/g) steps only, where all ranks leave it. */
static void test_aligned_groups(void **state)
{
    (void)state;
    const int aligned[] = {8, 0};
    int64_t sum = counted(&strata_bine, STRATA_ALLREDUCE, LATENCY, 64, over_one, aligned);
    int64_t usual = counted(&strata_recursive_doubling, STRATA_ALLREDUCE, 0, 64, over_one, aligned);
    assert_int_equal(usual, 64 * 3);
    ASSERT_CMP(sum, >, usual);
}

/* Sparbit's distances are powers of two too, with the largest messages between neighbours. */
static void test_other_numbers(void **state)
{
    (void)state;
    static const int cases[][2] = {{96, 12}, {90, 15}, {100, 20}, {126, 9}, {99, 33}, {65, 13}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int *group = &cases[i][1], together = 2;
        int64_t bine =
            counted(&strata_bine, STRATA_ALLGATHER, BANDWIDTH, cases[i][0], over_all, group);
        int64_t usual =
            counted(&strata_sparbit, STRATA_ALLGATHER, together, cases[i][0], over_all, group);
        ASSERT_CMP(bine, <, usual);
        ASSERT_CMP(3 * bine, >, 2 * usual);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),        cmocka_unit_test(test_a_third),
        cmocka_unit_test(test_ring),          cmocka_unit_test(test_aligned_groups),
        cmocka_unit_test(test_other_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
