/* The part of cmocka that the tests use, for processors without a cmocka here. A failed check
 * prints its place and ends the program. tests/packaging/aarch64.sh compiles with this header. */
#ifndef STRATA_TESTS_PACKAGING_CMOCKA_CMOCKA_H
#define STRATA_TESTS_PACKAGING_CMOCKA_CMOCKA_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
};

#define cmocka_unit_test(test)                                                                     \
    {                                                                                              \
#test, test                                                                                \
    }
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    cmocka_run(tests, sizeof(tests) / sizeof *(tests))
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
    cmocka_run_group_tests(tests, setup, teardown)

#define print_message printf
#define fail_msg(...)                                                                              \
    do {                                                                                           \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                            \
        fprintf(stderr, __VA_ARGS__);                                                              \
        fprintf(stderr, "\n");                                                                     \
        exit(1);                                                                                   \
    } while (0)
#define cmocka_hold(holds, text)                                                                   \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            fail_msg("%s", text);                                                                  \
        }                                                                                          \
    } while (0)

#define assert_true(value)               cmocka_hold(value, #value)
#define assert_false(value)              cmocka_hold(!(value), "not " #value)
#define assert_null(value)               cmocka_hold((value) == NULL, #value " is NULL")
#define assert_non_null(value)           cmocka_hold((value) != NULL, #value " is not NULL")
#define assert_int_equal(a, b)           cmocka_hold((a) == (b), #a " is " #b)
#define assert_int_not_equal(a, b)       cmocka_hold((a) != (b), #a " is not " #b)
#define assert_ptr_equal(a, b)           cmocka_hold((a) == (b), #a " is " #b)
#define assert_string_equal(a, b)        cmocka_hold(strcmp(a, b) == 0, #a " is " #b)
#define assert_memory_equal(a, b, bytes) cmocka_hold(memcmp(a, b, bytes) == 0, #a " is " #b)

static inline int cmocka_run(const struct CMUnitTest *tests, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *state = NULL;
        tests[i].test(&state);
        printf("%s: right\n", tests[i].name);
    }
    return 0;
}

#endif
