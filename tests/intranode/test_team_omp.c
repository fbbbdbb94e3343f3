/* An opened team shares work, each piece of which is done once; inside a parallel region there is
 * none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>

#include "intranode/helpers.h"
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

/* A team whose thread 0 has work done, with the help of the others. */
struct help {
    struct strata_helpers helpers;
    atomic_bool over;
    atomic_int begun;
    struct record *record;
    int threads, helped;
    bool waits; /* each piece waits until all have begun, so each needs a thread of its own */
};

static void mark_late(void *argument, int chunk, int chunks)
{
    struct help *h = argument;
    mark(h->record, chunk, chunks);
    atomic_fetch_add(&h->begun, 1);
    while (h->waits && atomic_load(&h->begun) < chunks) {
        sched_yield();
    }
}

static void take_part(void *argument, int thread, int threads)
{
    struct help *h = argument;
    if (thread == 0) {
        h->threads = threads;
        h->helped = strata_helpers_do(&h->helpers, mark_late, h, CHUNKS);
        atomic_store(&h->over, true);
    }
    while (!atomic_load(&h->over)) {
        if (!strata_helpers_take(&h->helpers)) {
            sched_yield();
        }
    }
}

static struct help open_team(struct record *r, int threads, bool waits)
{
    struct help h = {.record = r, .waits = waits};
    strata_helpers_init(&h.helpers, 1000);
    strata_team_open(threads, take_part, &h);
    return h;
}

static void test_parallel(void **state)
{
    (void)state;
    struct record r = {.wrong = 0};
    omp_set_dynamic(0);
    const struct help h = open_team(&r, CHUNKS, true);
    assert_int_equal(h.threads, CHUNKS);
    must_be_once(&r);
    assert_int_equal(distinct(&r), CHUNKS);
    assert_int_equal(h.helped, CHUNKS - 1);
}

static void test_nested(void **state)
{
    (void)state;
    struct record r[2] = {{.wrong = 0}, {.wrong = 0}};
    omp_set_max_active_levels(4);
#pragma omp parallel num_threads(2)
    {
        const struct help h = open_team(&r[omp_get_thread_num()], CHUNKS, false);
        if (h.threads != 1 || h.helped != 0) {
            atomic_fetch_add(&r[0].wrong, 1);
        }
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
    struct record r = {.wrong = 0};
    omp_set_dynamic(1);
    (void)open_team(&r, CHUNKS, false);
    omp_set_dynamic(0);
    must_be_once(&r);
}

/* What an engine sees of a thread's helpers. */
static void test_workers(void **state)
{
    (void)state;
    struct strata_workers workers;
    struct strata_helpers helpers;
    strata_helpers_workers(&workers, 1000);
    strata_helpers_init(&helpers, 2000);
    assert_int_equal(workers.least_bytes, 1000);
    assert_int_equal(workers.count(SIZE_MAX), 1);
    strata_helpers_here = &helpers;
    assert_int_equal(workers.count(SIZE_MAX), 1);
    atomic_store(&helpers.here, 2);
    assert_int_equal(workers.count(1999), 1);
    assert_int_equal(workers.count(2000), 3);
    helpers.coming = 5; /* they are on their way */
    assert_int_equal(workers.count(1999), 1);
    assert_int_equal(workers.count(2000), 6);
    atomic_store(&helpers.here, 5000);
    assert_int_equal(workers.count(2000), STRATA_MOST_PIECES);
    strata_helpers_here = NULL;
}

static void test_threads(void **state)
{
    (void)state;
    omp_set_num_threads(4);
    assert_int_equal(strata_team_threads(0, 1, 16), 4);
    assert_int_equal(strata_team_threads(0, 8, 16), 2);
    assert_int_equal(strata_team_threads(0, 6, 16), 2);
    assert_int_equal(strata_team_threads(0, 16, 16), 1);
    assert_int_equal(strata_team_threads(0, 17, 16), 1);
    assert_int_equal(strata_team_threads(5, 17, 16), 5); /* the user insists */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parallel), cmocka_unit_test(test_nested),
        cmocka_unit_test(test_fewer),    cmocka_unit_test(test_workers),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
