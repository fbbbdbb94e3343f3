/* The data that the tests send: numbers and bytes. Each tells its call, its source, its destination
 * (0 where all get it) and its index. So a number that arrives elsewhere, or comes from another
 * call, is found.
 *
 * A rank's numbers are larger than those of the ranks before it. The sum over a hundred ranks fits
 * in an int. */
#ifndef STRATA_TESTS_MPI_NUMBERS_H
#define STRATA_TESTS_MPI_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "tests/mpi/require.h"

/* Murmur's finalizer over the four. */
static inline uint32_t number_bits(int call, int from, int to, size_t index)
{
    uint64_t x = (((uint64_t)call * 1009 + (uint64_t)from) * 1013 + (uint64_t)to) << 28;
    x ^= index + 1;
    x = (x ^ (x >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    x = (x ^ (x >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (uint32_t)(x >> 32);
}

static inline int number_of(int call, int from, int to, int index)
{
    return (from + 1) << 14 | (int)(number_bits(call, from, to, (size_t)index) >> 18);
}

/* The sum over the ranks from `first` up to, but without, `end`. */
static inline int sum_of_numbers(int call, int first, int end, int to, int index)
{
    int sum = 0;
    for (int from = first; from < end; from++) {
        sum += number_of(call, from, to, index);
    }
    return sum;
}

static inline void fill_numbers(int *at, int n, int call, int from, int to)
{
    for (int i = 0; i < n; i++) {
        at[i] = number_of(call, from, to, i);
    }
}

/* The index of the first number that fill_numbers did not write; n where all are right. */
static inline int wrong_number(const int *at, int n, int call, int from, int to)
{
    int i = 0;
    while (i < n && at[i] == number_of(call, from, to, i)) {
        i++;
    }
    return i;
}

#define REQUIRE_NUMBERS(at, n, call, from, to)                                                     \
    require_numbers(__FILE__, __LINE__, #at, at, n, call, from, to)

static inline void require_numbers(const char *file, int line, const char *what, const int *at,
                                   int n, int call, int from, int to)
{
    int i = wrong_number(at, n, call, from, to);
    if (i < n) {
        char told[COMPARE_TEXT];
        snprintf(told, sizeof told, "number %d of %d is %d, not %d", i, n, at[i],
                 number_of(call, from, to, i));
        require_failed(file, line, what, told);
    }
}

static inline unsigned char byte_of(int call, int from, int to, size_t index)
{
    return (unsigned char)number_bits(call, from, to, index);
}

static inline void fill_bytes(void *at, size_t n, int call, int from, int to)
{
    for (size_t i = 0; i < n; i++) {
        ((unsigned char *)at)[i] = byte_of(call, from, to, i);
    }
}

/* The index of the first byte that fill_bytes did not write; n where all are right. Checks every
 * byte of short blocks, and every 97th of long ones. */
static inline size_t wrong_byte(const void *at, size_t n, int call, int from, int to)
{
    size_t step = n > 4096 ? 97 : 1, i = 0;
    while (i < n && ((const unsigned char *)at)[i] == byte_of(call, from, to, i)) {
        i += step;
    }
    return i < n ? i : n;
}

#define REQUIRE_FILLED(at, n, call, from, to)                                                      \
    require_filled(__FILE__, __LINE__, #at, at, n, call, from, to)

static inline void require_filled(const char *file, int line, const char *what, const void *at,
                                  size_t n, int call, int from, int to)
{
    size_t i = wrong_byte(at, n, call, from, to);
    if (i < n) {
        char told[COMPARE_TEXT];
        snprintf(told, sizeof told, "byte %zu of %zu is %#x, not %#x", i, n,
                 ((const unsigned char *)at)[i], byte_of(call, from, to, i));
        require_failed(file, line, what, told);
    }
}

#endif
