/* The thread team runs every chunk once: in parallel outside parallel regions, in turn inside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <omp.h>
#include <stdatomic.h>

#include "intranode/team.h"

enum { CHUNKS = 8 };

struct record {
    atomic_int times[CHUNKS];
    int thread[CHUNKS];
    atomic_int wrong;
};

static void mark(void *argument, int chunk, int chunks)
{
    struct record *r = argument;
    if (chunks != CHUNKS) {
        atomic_fetch_add(&r->wrong, 1);
    }
    atomic_fetch_add(&r->times[chunk], 1);
    r->thread[chunk] = omp_get_thread_num();
}

static void must_be_once(const struct record *r)
{
    assert_int_equal(r->wrong, 0);
    for (int i = 0; i < CHUNKS; i++) {
        assert_int_equal(r->times[i], 1);
    }
}

static int distinct(const struct record *r)
{
    int count = 0;
    for (int i = 0; i < CHUNKS; i++) {
        int seen = 0;
        for (int j = 0; j < i; j++) {
            seen |= r->thread[j] == r->thread[i];
        }
        count += !seen;
    }
    return count;
}

static void test_parallel(void **state)
{
    (void)state;
    struct strata_team team;
    struct record r = {.wrong = 0};
    omp_set_dynamic(0);
    strata_team_init(&team, CHUNKS, 1000);
    assert_int_equal(team.threads, CHUNKS);
    assert_int_equal(team.least_bytes, 1000);
    assert_non_null(team.run);
    team.run(mark, &r, CHUNKS);
    must_be_once(&r);
    assert_int_equal(distinct(&r), CHUNKS);
}

static void test_nested(void **state)
{
    (void)state;
    struct strata_team team;
    struct record r[2] = {{.wrong = 0}, {.wrong = 0}};
    omp_set_max_active_levels(4);
    strata_team_init(&team, CHUNKS, 0);
#pragma omp parallel num_threads(2)
    {
        struct record *mine = &r[omp_get_thread_num()];
        team.run(mark, mine, CHUNKS);
    }
    for (int i = 0; i < 2; i++) {
        must_be_once(&r[i]);
        assert_int_equal(distinct(&r[i]), 1);
    }
}

/* OpenMP may have fewer threads than the program asked for. */
static void test_fewer(void **state)
{
    (void)state;
    struct strata_team team;
    struct record r = {.wrong = 0};
    strata_team_init(&team, CHUNKS, 0);
    omp_set_dynamic(1);
    team.run(mark, &r, CHUNKS);
    omp_set_dynamic(0);
    must_be_once(&r);
}

static void test_threads(void **state)
{
    (void)state;
    struct strata_team team;
    omp_set_num_threads(4);
    strata_team_init(&team, 1, 0);
    assert_int_equal(team.threads, 1);
    assert_null(team.run);
    strata_team_init(&team, 3, 0);
    assert_int_equal(team.threads, 3);
    assert_non_null(team.run);
    assert_int_equal(strata_team_threads(0, 1, 16), 4);
    assert_int_equal(strata_team_threads(0, 8, 16), 2);
    assert_int_equal(strata_team_threads(0, 6, 16), 2);
    assert_int_equal(strata_team_threads(0, 16, 16), 1);
    assert_int_equal(strata_team_threads(0, 17, 16), 1);
    assert_int_equal(strata_team_threads(5, 17, 16), 5); /* the user insists */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parallel),
                                       cmocka_unit_test(test_nested), cmocka_unit_test(test_fewer),
                                       cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
