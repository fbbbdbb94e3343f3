/* Comparisons that print both sides where they do not hold, whatever the type of the sides. */
#ifndef STRATA_TESTS_COMPARE_H
#define STRATA_TESTS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define COMPARE_NUMBER 40
#define COMPARE_TEXT   (2 * COMPARE_NUMBER + sizeof " and ")

static inline void compare_write_signed(char *text, long long value)
{
    snprintf(text, COMPARE_NUMBER, "%lld", value);
}

static inline void compare_write_unsigned(char *text, unsigned long long value)
{
    snprintf(text, COMPARE_NUMBER, "%llu", value);
}

static inline void compare_write_floating(char *text, double value)
{
    snprintf(text, COMPARE_NUMBER, "%.17g", value);
}

static inline void compare_write_pointer(char *text, const void *value)
{
    snprintf(text, COMPARE_NUMBER, "%p", value);
}

/* clang-format off */
#define COMPARE_WRITE(text, value)                                                                 \
    _Generic((value),                                                                              \
        bool: compare_write_unsigned,                                                              \
        char: compare_write_signed,                                                                \
        signed char: compare_write_signed,                                                         \
        short: compare_write_signed,                                                               \
        int: compare_write_signed,                                                                 \
        long: compare_write_signed,                                                                \
        long long: compare_write_signed,                                                           \
        unsigned char: compare_write_unsigned,                                                     \
        unsigned short: compare_write_unsigned,                                                    \
        unsigned: compare_write_unsigned,                                                          \
        unsigned long: compare_write_unsigned,                                                     \
        unsigned long long: compare_write_unsigned,                                                \
        float: compare_write_floating,                                                             \
        double: compare_write_floating,                                                            \
        long double: compare_write_floating,                                                       \
        default: compare_write_pointer)(text, value)
/* clang-format on */

/* Where `x compare y` does not hold, calls failed(CHECK, VALUES) with the text of the comparison
 * and "X and Y". Evaluates each side once. */
#define COMPARE(x, compare, y, failed)                                                             \
    do {                                                                                           \
        _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wsign-compare\"")        \
            const __auto_type x_ = (x);                                                            \
        const __auto_type y_ = (y);                                                                \
        bool holds_ = x_ compare y_;                                                               \
        _Pragma("GCC diagnostic pop") if (!holds_)                                                 \
        {                                                                                          \
            char values_[COMPARE_TEXT];                                                            \
            COMPARE_WRITE(values_, x_);                                                            \
            strcat(values_, " and ");                                                              \
            COMPARE_WRITE(values_ + strlen(values_), y_);                                          \
            failed(#x " " #compare " " #y, values_);                                               \
        }                                                                                          \
    } while (0)

/* The index of the first byte that differs; `bytes` where all are equal. */
static inline size_t first_difference(const void *got, const void *expected, size_t bytes)
{
    const unsigned char *x = got, *y = expected;
    size_t at = 0;
    while (at < bytes && x[at] == y[at]) {
        at++;
    }
    return at;
}

#endif
