/* Lists of sizes and names in settings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/lists.h"

static void sizes_are_in_their_ranges(void **state)
{
    static const struct {
        const char *list;
        uint64_t least, most;
        bool meets;
    } cases[] = {
        {"", 0, 0, true},
        {"8", 8, 8, true},
        {"8", 9, 15, false},
        {"-4K", 0, 0, true},
        {"-4K", 4096, 8191, true},
        {"-4K", 4097, 8191, false},
        {"1M-", 1 << 20, 1 << 21, true},
        {"1M-", 0, (1 << 20) - 1, false},
        {"64-1K,1M-1G", 512, 1023, true},
        {"64-1K,1M-1G", 2048, 4095, false},
        {"64-1K,1M-1G", UINT64_C(1) << 30, UINT64_C(1) << 31, true},
        {"64-1K,1M-1G", (UINT64_C(1) << 30) + 1, UINT64_C(1) << 31, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strata_ranges ranges;
        assert_int_equal(strata_ranges_parse(cases[i].list, &ranges, NULL), STRATA_OK);
        if (strata_ranges_meet(&ranges, cases[i].least, cases[i].most) != cases[i].meets) {
            fail_msg("case %zu: \"%s\"", i, cases[i].list);
        }
    }
}

static void what_is_no_range_is_named(void **state)
{
    static const char *const wrong[] = {"-",     ",",    "8,",  "8,,9",
                                        "4K-1K", "8x",   "all", "1-2-",
                                        "8 9",   "-8-9", "1KK", "9999999999999999999"};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct strata_ranges ranges;
        struct strata_diagnostic message = {""};
        if (strata_ranges_parse(wrong[i], &ranges, &message) != STRATA_ERR_SYNTAX ||
            ranges.count != 0) {
            fail_msg("\"%s\" was read", wrong[i]);
        }
        assert_non_null(strstr(message.text, "is no range of bytes"));
    }
    struct strata_ranges ranges;
    struct strata_diagnostic message = {""};
    assert_int_equal(strata_ranges_parse("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", &ranges, NULL),
                     STRATA_OK);
    assert_int_equal(ranges.count, STRATA_MOST_RANGES);
    assert_int_equal(
        strata_ranges_parse("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", &ranges, &message),
        STRATA_ERR_SYNTAX);
    assert_non_null(strstr(message.text, "more than 16 ranges"));
}

static void names_are_in_their_lists(void **state)
{
    (void)state;
    assert_true(strata_names_hold("", "any"));
    assert_true(strata_names_hold("MPI_COMM_WORLD,fft*", "MPI_COMM_WORLD"));
    assert_true(strata_names_hold("MPI_COMM_WORLD,fft*", "fft rows"));
    assert_true(strata_names_hold("fft*", "fft"));
    assert_false(strata_names_hold("MPI_COMM_WORLD,fft*", "MPI_COMM_WORLD2"));
    assert_false(strata_names_hold("MPI_COMM_WORLD,fft*", ""));
    assert_true(strata_names_hold("!io,!log*", "solver"));
    assert_true(strata_names_hold("!io,!log*", ""));
    assert_false(strata_names_hold("!io,!log*", "io"));
    assert_false(strata_names_hold("!io,!log*", "logs"));
    assert_true(strata_names_hold("fft*,!fft3", "fft2"));
    assert_false(strata_names_hold("fft*,!fft3", "fft3"));
    assert_false(strata_names_hold("!*", "any"));
    assert_true(strata_names_hold("*", ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_in_their_ranges),
        cmocka_unit_test(what_is_no_range_is_named),
        cmocka_unit_test(names_are_in_their_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
