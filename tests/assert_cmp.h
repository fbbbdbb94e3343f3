/* The comparison of the unit tests. cmocka's assertions print the values of integers, strings and
 * memory. ASSERT_CMP prints any two numbers or pointers, and takes any comparison. */
#ifndef STRATA_TESTS_ASSERT_CMP_H
#define STRATA_TESTS_ASSERT_CMP_H

#include "tests/compare.h"

#define ASSERT_CMP(x, compare, y) COMPARE(x, compare, y, ASSERT_FAILED)
/* cmocka 2 deprecates its own. */
#define ASSERT_IN_RANGE(x, least, most)                                                            \
    do {                                                                                           \
        ASSERT_CMP(x, >=, least);                                                                  \
        ASSERT_CMP(x, <=, most);                                                                   \
    } while (0)
#define ASSERT_FAILED(check, values) fail_msg("does not hold: %s (%s)", check, values)

#endif
