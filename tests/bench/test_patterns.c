/* Patterns stay within their bounds, are the same each time, and have the properties of their
 * names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/strata_bench/patterns.h"
#include "tests/assert_cmp.h"

static const struct pattern *find(const char *name)
{
    const struct pattern *p = patterns;
    while (strcmp(p->name, name) != 0) {
        p++;
        assert_non_null(p->name);
    }
    return p;
}

static void test_bounds(void **state)
{
    (void)state;
    for (const struct pattern *p = patterns; p->name; p++) {
        for (int bytes = 0; bytes < 70; bytes++) {
            const struct pattern_shape shape = {1 + bytes % 9, bytes, 1};
            for (int pair = 0; pair < shape.ranks * shape.ranks; pair++) {
                int block = p->block(&shape, pair / shape.ranks, pair % shape.ranks);
                ASSERT_IN_RANGE(block, 0, bytes);
                assert_int_equal(block, p->block(&shape, pair / shape.ranks, pair % shape.ranks));
            }
        }
    }
}

/* Counts the blocks with a length in this range, over all pairs of 300 ranks. */
static int count(const char *name, uint64_t seed, int least, int most)
{
    const struct pattern_shape shape = {300, 100, seed};
    const struct pattern *p = find(name);
    int found = 0;
    for (int from = 0; from < shape.ranks; from++) {
        for (int to = 0; to < shape.ranks; to++) {
            int block = p->block(&shape, from, to);
            found += block >= least && block <= most;
        }
    }
    return found;
}

enum { PAIRS = 300 * 300 };

static void test_shares(void **state)
{
    (void)state;
    assert_int_equal(count("equal", 1, 100, 100), PAIRS);
    assert_int_equal(count("uniform", 1, 1, 100), PAIRS);
    ASSERT_IN_RANGE(count("uniform", 1, 1, 10), PAIRS / 10 * 9 / 10, PAIRS / 10 * 11 / 10);
    ASSERT_IN_RANGE(count("uniform", 1, 91, 100), PAIRS / 10 * 9 / 10, PAIRS / 10 * 11 / 10);
    assert_int_equal(count("power_law", 1, 1, 100), PAIRS);
    ASSERT_IN_RANGE(count("power_law", 1, 1, 1), PAIRS / 2, PAIRS * 6 / 10);
    ASSERT_IN_RANGE(count("power_law", 1, 50, 100), PAIRS / 200, PAIRS / 50);
    assert_int_equal(count("hot_receiver", 1, 100, 100), 300);
    assert_int_equal(count("hot_receiver", 1, 6, 6), PAIRS - 300);
    ASSERT_IN_RANGE(count("sparse", 1, 100, 100), PAIRS / 100, PAIRS / 100 * 3 / 2);
    assert_int_equal(count("sparse", 1, 1, 99), 0);
}

static void test_seeds(void **state)
{
    (void)state;
    const struct pattern_shape one = {50, 1000, 1}, other = {50, 1000, 2};
    const char *drawn[] = {"uniform", "power_law", "sparse"};
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        const struct pattern *p = find(drawn[i]);
        int differ = 0;
        for (int to = 0; to < 50; to++) {
            differ += p->block(&one, 7, to) != p->block(&other, 7, to);
        }
        ASSERT_CMP(differ, >, 0);
    }
}

/* The ranks' blocks together make one square matrix, rows by columns, which does not divide
 * evenly. */
static void test_transpose(void **state)
{
    (void)state;
    const struct pattern_shape shape = {7, 800, 1};
    const struct pattern *p = find("transpose");
    int sum = 0, least = 800, most = 0;
    for (int from = 0; from < 7; from++) {
        for (int to = 0; to < 7; to++) {
            int block = p->block(&shape, from, to);
            assert_int_equal(block, p->block(&shape, to, from));
            sum += block;
            least = block < least ? block : least;
            most = block > most ? block : most;
        }
    }
    assert_int_equal(sum, 67 * 67 * 8);
    assert_int_equal(most, 10 * 10 * 8);
    assert_int_equal(least, 9 * 9 * 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_transpose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
