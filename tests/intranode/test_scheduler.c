/* Reads the scheduler's files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <string.h>

#include "intranode/scheduler.h"
#include "tests/assert_cmp.h"

static void test_quota(void **state)
{
    (void)state;
    assert_int_equal(strata_quota_parse("max 100000\n"), INT_MAX);
    assert_int_equal(strata_quota_parse("200000 100000\n"), 2);
    assert_int_equal(strata_quota_parse("150000 100000\n"), 2);
    assert_int_equal(strata_quota_parse("1000 100000\n"), 1);
    assert_int_equal(strata_quota_parse("-1\n 100000\n"), INT_MAX);
    assert_int_equal(strata_quota_parse("200000 0"), INT_MAX);
    assert_int_equal(strata_quota_parse(""), INT_MAX);
    ASSERT_CMP(strata_quota_cpus(), >=, 1);
}

static void test_group(void **state)
{
    (void)state;
    assert_int_equal(strata_scheduling_group_parse("/autogroup-8 nice 0\n"), 8);
    assert_int_equal(strata_scheduling_group_parse("/autogroup-12345 nice -20\n"), 12345);
    assert_int_equal(strata_scheduling_group_parse("/"), 0);
    assert_int_equal(strata_scheduling_group_parse(""), 0);
    assert_int_equal(strata_scheduling_group(), strata_scheduling_group());
}

/* A process that may have fewer cores than the host has may have them alone. */
static void test_kernel(void **state)
{
    char text[STRATA_BOOT_ID];
    (void)state;
    size_t length = strata_boot_id(text);
    assert_int_equal(strlen(text), length);
    assert_int_equal(strata_shared_kernel(INT_MAX), strata_shared_kernel(INT_MAX));
    assert_int_equal(strata_shared_kernel(INT_MAX) != 0, length > 0);
    assert_int_equal(strata_shared_kernel(0), 0);
}

static void test_tick(void **state)
{
    (void)state;
    ASSERT_CMP(strata_scheduling_tick(), >=, 1e-4);
    ASSERT_CMP(strata_scheduling_tick(), <=, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_quota), cmocka_unit_test(test_group),
                                       cmocka_unit_test(test_kernel), cmocka_unit_test(test_tick)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
